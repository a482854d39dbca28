import { designModules } from '@freehold/designs'
import { describeModule } from '@freehold/frame'
import { expect, test } from 'vitest'
import { docs, pageAt } from './pages.ts'

// `npm run docs` writes these pages.

const folder = 'docs/designs/'
const designs = [...designModules.values()].map((module) => ({ name: module.design.name, module }))

test('every design has its page, and no page is of something else', () => {
  const paths = docs().flatMap(({ path }) => (path.startsWith(folder) ? [path] : []))
  expect(paths.sort()).toEqual(designs.map(({ name }) => `${folder}${name}.md`).sort())
})

test.each(designs)('the page of $name is what `freehold docs $name` prints', ({ name, module }) => {
  expect(pageAt(`${folder}${name}.md`).text).toBe(describeModule(module))
})
