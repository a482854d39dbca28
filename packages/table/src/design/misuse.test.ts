import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { compile, type Diagnostic } from '../../../../test/compiler.ts'

const folder = join(import.meta.dirname, '..', '..', 'test', 'misuse')
const source = await readFile(join(folder, 'misuse.ts'), 'utf8')
const lines = source.split('\n')

const misuses = lines.flatMap((line, index) => {
  const sentence = /^\/\/ @ts-expect-error says: (.+)$/.exec(line)?.[1]
  // Compilers count lines from one, and the misuse is on the next one.
  return sentence === undefined ? [] : [{ sentence, line: index + 2, code: lines[index + 1] ?? '' }]
})

describe('a misuse of the language is a compile error that reads as a sentence', () => {
  let found: readonly Diagnostic[] = []

  beforeAll(async () => {
    const bare = source
      .replaceAll('@ts-expect-error', '')
      .replaceAll("'../../src/", "'#root/packages/table/src/")
      .replaceAll("'../hardest/", "'#root/packages/table/test/hardest/")
    found = (await compile({ texts: { 'misuse.ts': bare } })).diagnostics
  })

  test.each(misuses)('$code', ({ sentence, line }) => {
    const messages = found.filter((diagnostic) => diagnostic.line === line).map(({ message }) => message)
    expect(messages.join('\n')).toContain(sentence)
  })

  test('and nothing else in that file is wrong', () => {
    expect(misuses.length).toBeGreaterThan(40)
    const expected = new Set(misuses.map(({ line }) => line))
    expect(found.filter(({ line }) => !expected.has(line))).toEqual([])
  })
})
