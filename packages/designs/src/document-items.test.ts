import type { AnyDesign, Table } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { entityOf, foreignTable, itemsOf } from '../test/documents/written.ts'
import { accountManagement } from './account-management/design.ts'
import { authorization } from './authorization/design.ts'
import { platform } from './platform/design.ts'
import { rebac } from './rebac/design.ts'

// Items of the source documents, as another program writes them (test/documents).

const files: readonly (readonly [file: string, design: AnyDesign])[] = [
  ['account-management', accountManagement],
  ['account-management.keys', accountManagement],
  ['platform', platform],
  ['authorization', authorization],
  ['rebac', rebac],
]

/** The values that stand in the keys of an item, by this test's own reading of the templates. */
function inKeys(design: AnyDesign, entity: string, item: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const { key, indexes } = design.entities[entity] as unknown as {
    readonly key: readonly [string, string]
    readonly indexes: Readonly<Record<string, readonly [string, string]>>
  }
  const templates = [
    ['PK', key[0]],
    ['SK', key[1]],
    ...Object.entries(indexes).flatMap(([name, [p, s]]) => [
      [`${name}PK`, p],
      [`${name}SK`, s],
    ]),
  ]
  const values: Record<string, string> = {}
  for (const [name = '', template = ''] of templates)
    for (const alternative of template.split('|')) {
      const names = [...alternative.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each)
      const form = alternative.replace(/[.*+?^$()[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '([^#]+)')
      const match = new RegExp(`^${form}$`).exec(String(item[name] ?? ''))
      if (match === null) continue
      for (const [index, each] of names.entries()) values[each] = match[index + 1] ?? ''
      break
    }
  return values
}

const keyNames = /^(?:GSI\d)?[PS]K$/

describe.each(files)('%s', (file, design) => {
  const items = itemsOf(file)
  test.each(Object.keys(items))('%s is read by its id, with what stands in its keys', async (name) => {
    const item = items[name] ?? { PK: '', SK: '' }
    const table = (await foreignTable(design, [item])) as Table<AnyDesign>
    const entity = entityOf(name)
    const fromKeys = inKeys(design, entity, item)
    const beside = Object.fromEntries(
      Object.entries(item).filter(([each]) => !keyNames.test(each) && !/password_hash|mfa_secret/.test(each)),
    )
    const own = Object.fromEntries(Object.entries({ ...fromKeys, ...beside }).map(([each, value]) => [each, asRead(value)]))
    const placeholders = design.entities[entity]?.key.join('').match(/\{\w+\}/g) ?? []
    const id = Object.fromEntries(
      placeholders.map((each) => each.slice(1, -1)).flatMap((each) => (own[each] === undefined ? [] : [[each, own[each]]])),
    )
    const read = await table.repositoryNamed(entity).get(id, { consistent: true })
    expect(read).toMatchObject({ ...own, Type: entity, version: 0 })
  })
})

/** Instants are read with milliseconds, however they were written. */
const asRead = (value: unknown) => (typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z$/, '$1.000Z') : value)
