import { designModules } from '@freehold/designs'
import { serviceSam } from '@freehold/service/template'
import { expect, test } from 'vitest'
import { pageAt, sectionOf } from './pages.ts'

const page = pageAt('docs/guides/deploying.md')
const rowsIn = (heading: string) => [...sectionOf(page, heading).matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell)
const namesIn = (cells: readonly string[]) => cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))

const template = serviceSam([...designModules.values()]) as {
  readonly Parameters: object
  readonly Resources: Readonly<Record<string, { readonly Properties: { readonly Environment?: { readonly Variables: object } } }>>
}

test('the parameters of the template are those that it has', () => {
  expect(namesIn(rowsIn('## Deploy it')).sort()).toEqual(Object.keys(template.Parameters).sort())
})

test('each variable that the template sets is on the page', () => {
  const shown = new Set(namesIn(rowsIn('## Settings')))
  const set = Object.keys(template.Resources.ServiceFunction?.Properties.Environment?.Variables ?? {})
  expect(set.filter((name) => !shown.has(name) && !/^FREEHOLD_TABLE_(?!REBAC|SERVICE)/.test(name))).toEqual([])
  expect(set.length).toBeGreaterThan(8)
})
