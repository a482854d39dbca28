import { type AnyDesign, type Entity, isFreeholdError, type Table } from '@freehold/table'
import { adoptJob, keyPlaceholders, scanItems } from '@freehold/table/runtime'
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

/** Guards and lookup items that the design adds, and what leads to their owners without them. */
const leading: Readonly<Record<string, Readonly<Record<'operators' | 'tenants', readonly string[]>>>> = {
  'account-management': {
    operators: ['ClientBuilding', 'ClientEntry', 'ClientUser', 'RoleHolder', 'ScopeAssignment', 'UserEmail'],
    tenants: ['BuildingPlace', 'ClientBuilding', 'ClientEntry', 'ClientUser', 'OwnedProject', 'ProjectPlace', 'UserEmail'],
  },
  platform: {
    operators: ['AccountRole', 'AccountUser', 'EnterpriseLicense', 'EnterpriseWorkstream', 'MenuRole'],
    tenants: ['AccountRole', 'AccountUser', 'EnterpriseLicense', 'EnterpriseWorkstream'],
  },
  authorization: {
    operators: ['PolicyById', 'RoleById', 'TenantGrantById', 'TenantName', 'UserTenantGrant'],
    tenants: ['PolicyById', 'RoleById', 'TenantGrantById', 'TenantName', 'UserTenantGrant'],
  },
  rebac: { operators: ['GroupEntry', 'LocationEntry', 'LocationGroup', 'PageEntry', 'RoleEntry', 'UserEntry'], tenants: [] },
}
const tenants: Readonly<Record<string, string>> = {
  'account-management': 'c1c1c1c1-0000-4000-8000-000000000001',
  platform: 'acc-1',
  authorization: '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
}

describe.each(Object.keys(leading))('%s: what another program does not write', (name) => {
  const items = Object.values(itemsOf(name))
  const design = files.find(([file]) => file === name)?.[1] ?? rebac
  /** By entity, as the lookup items are once the table is adopted, and the ids by which they are read. */
  async function adopted() {
    const table = (await foreignTable(design, items)) as Table<AnyDesign>
    await table.jobs.start(adoptJob, { subject: name, input: null })
    const added = [...design.form.entities.values()].filter(
      ({ form: { part, addition } }) =>
        (part.kind === 'guard' || part.kind === 'mirror') && addition !== undefined && part.owner.form.addition === undefined,
    )
    const found: { readonly entity: string; readonly id: object; readonly item: object | undefined }[] = []
    for await (const page of scanItems(table.runtime, added))
      for (const item of page) {
        const entity = String(item.Type)
        const names = keyPlaceholders(design.form.entities.get(entity) as Entity)
        const id = Object.fromEntries(names.flatMap((each) => (item[each] === undefined ? [] : [[each, item[each]]])))
        found.push({ entity, id, item: await table.repositoryNamed(entity).get(id, { consistent: true }) })
      }
    return found
  }

  test.each(['operators', 'tenants'] as const)(
    'is read for %s as it is once the table is adopted, or the answer names the command',
    async (caller) => {
      const tenant = tenants[name]
      if (caller === 'tenants' && tenant === undefined) return
      const foreign = (await foreignTable(design, items)) as Table<AnyDesign>
      const table = caller === 'tenants' ? foreign.forTenant(tenant ?? '') : foreign
      const told: string[] = []
      for (const { entity, id, item } of await adopted()) {
        const read = table.repositoryNamed(entity).get(id, { consistent: true })
        const outcome = await read.catch((error: unknown) => error)
        // A tenant does not see what does not say whose it is.
        if (isFreeholdError(outcome, 'NotAdopted') || (outcome === undefined && caller === 'tenants')) continue
        // What an item has of others it has once it is adopted.
        expect(item).toMatchObject({ ...(outcome as object), version: expect.any(Number) })
        told.push(entity)
      }
      expect([...new Set(told)].sort()).toEqual(leading[name]?.[caller])
    },
  )
})

/** Instants are read with milliseconds, however they were written. */
const asRead = (value: unknown) => (typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z$/, '$1.000Z') : value)
