import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { situations } from '../situations/situations.ts'
import { occurrences, patching } from './revert.ts'
import { reverts } from './reverts.ts'

// `npm run campaign:reverts` takes back each of these; here only that the list is still one of what stands in the sources.

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

test.each(reverts)('the reverted code stands once in the sources: $name', (revert) => {
  for (const { file, text } of revert.patches) expect(occurrences(text, read(file)), `${file}: ${text}`).toBe(1)
  const files = [...new Set(revert.patches.map(({ file }) => file))]
  for (const file of files) expect(patching(revert).change(file, read(file))).not.toBe(read(file))
})

test('each revert has a name of its own, and is shown by situations that there are', () => {
  const names = reverts.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const known = new Set(situations.map(({ name }) => name))
  for (const { name, shownBy } of reverts)
    expect([name, shownBy.length > 0, shownBy.filter((each) => !known.has(each))]).toEqual([name, true, []])
})

test('each situation has a name of its own, and shows a revert', () => {
  const shown = reverts.flatMap(({ shownBy }) => shownBy)
  const names = situations.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !shown.includes(name))).toEqual([])
})

test('a bundle that lacks what is reverted is told', () => {
  const [revert] = reverts
  if (revert === undefined) throw new Error('there are no reverts')
  expect(patching(revert).unused()).not.toEqual([])
  expect(() => patching(revert).change(revert.patches[0]?.file ?? '', 'else')).toThrow('does not occur once')
})
