import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { designModules } from '@freehold/designs'
import { rebac, rebacModule } from '@freehold/designs/rebac'
import { entity, text, ulid } from '@freehold/table'
import { expect, test } from 'vitest'
import { folder, freehold } from '../../test/recorded-shell.ts'
import type { Shell } from '../shell.ts'

const file = 'rebac.lock.json'
/** The design with one thing changed, as its next version has it. */
const changed = (change: object): Shell['designs'] =>
  new Map([...designModules, ['rebac', { ...rebacModule, design: { ...rebac, ...change } }] as const])

/** A folder with the lock of the design as it is. */
async function locked(): Promise<string> {
  const cwd = folder()
  expect(await freehold(['lock', 'rebac'], { cwd })).toEqual({ exit: 0, out: `${file} has the design rebac now. Commit it.\n`, err: '' })
  return cwd
}

test('a lock is written once, with the features that a deployment leaves out, and nothing differs from it', async () => {
  const cwd = await locked()
  const text = readFileSync(join(cwd, file), 'utf8')
  const env = { FREEHOLD_WITHOUT: 'rebac:changes' }
  expect(await freehold(['lock', 'rebac'], { cwd, env })).toEqual({ exit: 0, out: `${file} has the design rebac already.\n`, err: '' })
  expect(readFileSync(join(cwd, file), 'utf8')).toBe(text)
  expect(await freehold(['diff', 'rebac', '--check'], { cwd, env })).toEqual({
    exit: 0,
    out: `${file} has the design rebac as it is.\n`,
    err: '',
  })
  expect(JSON.parse((await freehold(['diff', 'rebac', '--json'], { cwd })).out)).toEqual({ file, differences: [] })
})

const Added = entity('Added', { attributes: { id: ulid().made(), name: text() }, key: ['ADDED#{id}', 'META'] })
const form = { ...rebac.form, entities: new Map([...rebac.form.entities, ['Added', Added]]) }
const withoutPattern = { ...rebac.form, patterns: new Map([...rebac.form.patterns].filter(([name]) => name !== 'users')) }

test.each<[what: string, change: object, exit: 0 | 1, text: string]>([
  ['a compatible one', { form }, 0, 'compatible: entities.Added\n  Is new.\n\n1 difference from rebac.lock.json.\n'],
  [
    'a breaking one',
    { form: withoutPattern },
    1,
    'breaking: patterns.users\n  Is gone: a call of it fails.\n  First deployment: Let no caller use it.\n  Second deployment: Leave it out.\n\n1 difference from rebac.lock.json.\n',
  ],
])('%s is told, and --check exits as it means', async (_, change, exit, out) => {
  const surroundings = { cwd: await locked(), designs: changed(change) }
  expect(await freehold(['diff', 'rebac', '--check'], surroundings)).toEqual({ exit, out, err: '' })
  expect(await freehold(['diff', 'rebac'], surroundings)).toEqual({ exit: 0, out, err: '' })
})

test.each<[what: string, content: string | undefined, sentence: string]>([
  ['no lock', undefined, '`freehold lock`'],
  ['a lock that is no JSON', '{', 'rebac.lock.json is not JSON'],
  ['a lock of something else', '{"a":1}', 'is not a lock'],
])('with %s there is no answer', async (_, content, sentence) => {
  const cwd = folder()
  if (content !== undefined) writeFileSync(join(cwd, file), content)
  const { exit, err } = await freehold(['diff', 'rebac'], { cwd })
  expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining(sentence) })
})

test('a lock that cannot be written is told', async () => {
  const { exit, err } = await freehold(['lock', 'rebac'], { cwd: join(folder(), 'nowhere') })
  expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining('rebac.lock.json cannot be written') })
})
