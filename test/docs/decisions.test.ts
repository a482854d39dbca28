import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageAt, root, sectionOf } from './pages.ts'

test('the list of decisions has each of them once, in their order', () => {
  const listed = [...sectionOf(pageAt('docs/README.md'), '## Decisions').matchAll(/^(\d+)\. \[.+\]\(decisions\/(.+)\)$/gm)]
  const files = readdirSync(join(root, 'docs', 'decisions')).filter((name) => /^\d{4}-/.test(name))
  expect(listed.map(([, number, file]) => [Number(number), file])).toEqual(files.sort().map((file) => [Number(file.slice(0, 4)), file]))
})
