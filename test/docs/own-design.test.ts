import { execFile } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endSpawned, spawnCommand } from '../../packages/cli/test/spawned.ts'
import { bundlePackages } from '../bundle-packages.js'
import { temporaryFolder } from '../folders/temporary-folder.ts'
import { blocksOf, pageAt, root } from './pages.ts'

// The guide is followed by a stranger, in a folder that has nothing but what `npm install freehold` leaves and the files of the page.

const page = pageAt('docs/guides/own-design.md')
const files = [...page.text.matchAll(/^`([\w.]+\.ts)`:\n\n```ts\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => ({ name, text }))
const [install = '', ...commands] = blocksOf(page).flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []))

let installed: string
let folder: string
beforeAll(async () => {
  installed = await bundlePackages()
  folder = temporaryFolder()
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'))
  for (const { name, text } of files) writeFileSync(join(folder, name), text)
})
afterAll(async () => {
  await endSpawned()
  rmSync(installed, { recursive: true, force: true })
})
const bin = () => join(installed, 'node_modules', 'freehold', 'bin', 'freehold.js')

/** Runs a line of the page. @returns what it printed */
function run(line: string): Promise<string> {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const args = words[0] === 'node' ? words.slice(1) : [bin(), ...words.slice(2)]
  return new Promise((resolve, reject) =>
    execFile(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH } }, (error, out, err) =>
      error === null && err === '' ? resolve(out) : reject(new Error(`${line}: ${out}${err}`)),
    ),
  )
}

test('its files are those of test/library, and a test', () => {
  const names = files.map(({ name }) => name)
  expect(names).toEqual(['design.ts', 'access.ts', 'host.ts', 'flows.ts', 'index.ts', 'library.test.ts'])
  for (const { name, text } of files.filter((each) => each.name !== 'library.test.ts'))
    expect(text).toBe(readFileSync(join(root, 'test/library', name), 'utf8'))
})

test('its commands do what the page says, and the service answers from what they wrote', { timeout: 120_000 }, async () => {
  expect(install).toBe('npm install freehold')
  expect(commands.length).toBeGreaterThan(10)
  const printed: string[] = []
  for (const line of commands) printed.push(await run(line))
  const text = printed.join('\n')
  for (const part of ['library is proven', '0 warnings', 'Emma', '2099-01-31', 'yes\n']) expect(text).toContain(part)
  // Each version of Node has its own sign before it.
  expect(text).toMatch(/^. pass 1$/m)

  const argv = ['serve', '--design', './index.ts', '--port', '0']
  const serving = spawnCommand(argv, { module: bin(), cwd: folder })
  await serving.says('first API key is in ')
  const { out } = serving.written
  const [, url = ''] = /answers at (\S+),/.exec(out) ?? []
  const [, file = ''] = /first API key is in (\S+),/.exec(out) ?? []
  const [, path = '', body = ''] = /^POST (\S+)\n(.*)$/.exec(blocksOf(page).find(({ language }) => language === 'http')?.text ?? '') ?? []
  const headers = { authorization: `Bearer ${readFileSync(file, 'utf8').trim()}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body })
  expect(await response.json()).toEqual({ allowed: true })
})
