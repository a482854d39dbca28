#!/usr/bin/env node
import { existsSync } from 'node:fs'

// npm links a workspace's bin at install only if the file exists, so this file is committed and the build is not.
const built = new URL('../dist/main.js', import.meta.url)
if (existsSync(built)) {
  const { main } = await import(built.href)
  await main(process.argv)
} else {
  process.stderr.write('freehold is not built yet: run `npm run build` in the checkout first.\n')
  process.exitCode = 2
}
