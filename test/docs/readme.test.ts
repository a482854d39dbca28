import { expect, test } from 'vitest'
import { sampleTable } from '../../packages/cli/test/organisation.ts'
import { freehold } from '../../packages/cli/test/recorded-shell.ts'
import { blocksOf, pageAt } from './pages.ts'

const blocks = blocksOf(pageAt('README.md'))

/** A line without its ids, which the page cuts short, and without the spaces that fill a column. */
const told = (line: string) =>
  line
    .replace(/\b01[0-9A-HJKMNP-TV-Z]*…?|…$/g, '')
    .replace(/[ ─]+/g, ' ')
    .trim()

test('the command of the README prints what stands below it', async () => {
  const at = blocks.findIndex(({ text }) => text.startsWith('npx freehold why '))
  const [, name = '', design = '', question = ''] = /^npx freehold (\w+) (\w+) '(.*)'$/.exec(blocks[at]?.text ?? '') ?? []
  const { exit, out, err } = await freehold([name, design, question, '--table', await sampleTable()], { columns: 200 })
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  const printed = out.trimEnd().split('\n')
  const shown = (blocks[at + 1]?.text ?? '').split('\n')
  expect(shown).toHaveLength(printed.length)
  // The last column, of keys, is cut on the page.
  const begins = shown.map((line, index) => told(printed[index] ?? '').startsWith(told(line)))
  expect(begins.filter((each) => !each)).toEqual([])
})
