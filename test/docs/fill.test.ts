import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { findEngine } from '../../packages/cli/src/engine/binary.ts'
import { openEngine } from '../../packages/cli/src/engine/open.ts'
import { commandsOf, run } from './console.ts'
test('fill', async () => {
  const page = process.env.FILL_PAGE ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'freehold-docs-'))
  const data = join(folder, 'data')
  const engine = await openEngine({ binary: findEngine({}), directory: data, role: 'owner', name: 'a test' })
  const text = readFileSync(page, 'utf8')
  const parts = text.split(/(^```console\n[\s\S]*?^```$)/m)
  let out = ''
  for (const part of parts) {
    if (!part.startsWith('```console')) { out += part; continue }
    out += '```console\n'
    for (const { command, output } of commandsOf(part.replace(/^```console\n/, '').replace(/\n```$/, ''))) {
      const [, file] = /^cat (\S+)$/.exec(command) ?? []
      out += `$ ${command}\n`
      if (file !== undefined) { writeFileSync(join(folder, file), output); out += output.trimEnd() + '\n' }
      else { const printed = await run(command, { folder, data }); out += printed.split('\n').map((l) => l.trimEnd()).join('\n') }
    }
    out += '```'
  }
  await engine.stop()
  writeFileSync(page + '.filled', out)
}, 120000)
