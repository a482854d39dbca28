import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { compile, type Diagnostic } from '../../../../test/compiler.ts'

const folder = join(import.meta.dirname, '..', '..', 'test', 'misuse')
const sources = ['language.ts', 'table.ts'].map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))

interface Misuse {
  readonly file: string
  readonly line: number
  readonly code: string
  readonly sentence: string
}

const misuses = sources.flatMap(({ file, text }): Misuse[] => {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const sentence = /^ *\/\/ @ts-expect-error says: (.+)$/.exec(line)?.[1]
    // Compilers count lines from one, and the misuse is on the next one.
    return sentence === undefined ? [] : [{ file, line: index + 2, code: lines[index + 1]?.trim() ?? '', sentence }]
  })
})

/** The text without its expectations, so that the compiler says what is wrong, and with imports that hold from anywhere. */
function bare(text: string): string {
  return text
    .replaceAll('@ts-expect-error', '')
    .replaceAll("from '../../src/", "from '#root/packages/table/src/")
    .replaceAll("from '../edges", "from '#root/packages/table/test/edges")
}

describe('a misuse of the language is a compile error that reads as a sentence', () => {
  let found: readonly Diagnostic[] = []
  const at = (diagnostic: { file: string; line: number }) => `${diagnostic.file}:${diagnostic.line}`

  beforeAll(async () => {
    found = (await compile({ texts: Object.fromEntries(sources.map(({ file, text }) => [file, bare(text)])) })).diagnostics
  })

  test.each(misuses)('$file: $code', (misuse) => {
    const messages = found.filter((diagnostic) => at(diagnostic) === at(misuse)).map(({ message }) => message)
    expect(messages.join('\n')).toContain(misuse.sentence)
  })

  test('and nothing else in those files is wrong', () => {
    expect(misuses.length).toBeGreaterThan(60)
    const expected = new Set(misuses.map(at))
    const files = new Set(sources.map(({ file }) => file))
    expect(found.filter((diagnostic) => files.has(diagnostic.file) && !expected.has(at(diagnostic)))).toEqual([])
  })
})
