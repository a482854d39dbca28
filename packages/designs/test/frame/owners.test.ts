import { type AnyDesign, type Entity, isFreeholdError } from '@freehold/table'
import { keyPlaceholders, keyText, tableKey } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { readItems } from '../../../frame/src/decision/load.ts'
import { designModules } from '../../src/design-modules.ts'
import { anyItem } from '../any-item.ts'
import { ownTableOf } from '../own-table.ts'

const consistent = { consistent: true } as const

/**
 * What an item that says no owner is to who reads for a tenant (spec rule 22). `shared` is there for the table's own reads and for decisions,
 * a `guest` for decisions alone; every other entity's is there for neither, whether it is nobody's or has lost its owner.
 */
const ownerless: Readonly<Record<string, { readonly shared: readonly string[]; readonly guest: readonly string[] }>> = {
  'account-management': {
    shared: ['Permission', 'PermissionKey', 'Role', 'RoleName', 'RoleChild', 'RoleParent', 'RolePermissionLink', 'PermissionRole'],
    guest: ['User', 'UserEmail'],
  },
  // A tenant reads a user by its grant: without one the table shows none.
  authorization: { shared: ['Role', 'RoleById', 'Policy', 'PolicyById'], guest: ['User'] },
  platform: { shared: ['Product', 'Service', 'Role', 'RolePermission', 'MenuRole'], guest: [] },
}

const designs = [...designModules.values()].map(({ design }) => design).filter(({ tenants }) => tenants !== undefined)

test('every design with tenants is looked at', () => {
  expect(designs.map(({ name }) => name).sort()).toEqual(Object.keys(ownerless).sort())
})

/** An item as a foreign writer leaves it: under its key, with a type, and of this owner. */
async function left(design: AnyDesign, entity: Entity, owner: string | undefined, seed: number) {
  const table = await ownTableOf(design)
  const { id, input, copies } = anyItem(design, entity.name, seed)
  const { attribute } = design.form.tenantOf?.(entity) ?? {}
  const values = { ...input, ...copies, ...id }
  // A key that can be without an owner says so, too.
  const isUnnamed = attribute !== undefined && owner === undefined && entity.attributes[attribute]?.presence === 'optional'
  const named = isUnnamed && keyPlaceholders(entity).includes(attribute) ? { [attribute]: owner } : {}
  const key = tableKey(entity, { ...values, ...named })
  const owned = attribute === undefined || owner === undefined ? {} : { [attribute]: owner }
  await restoreItems(table.runtime, [{ ...key, Type: entity.name, version: 1, ...owned }])
  return { key, id: { ...id, ...named }, table }
}

const tenant = '0c000000-0000-4000-8000-000000000001'
const stranger = '0c000000-0000-4000-8000-000000000002'

/** Whether an item is there, sound or not, by the table's own reads and by those of decisions. */
async function seen(design: AnyDesign, entity: Entity, owner: string | undefined, seed: number) {
  const { table, key, id } = await left(design, entity, owner, seed)
  const { runtime, repositoryNamed } = table.forTenant(tenant)
  const own = await repositoryNamed(entity.name)
    .get(id, consistent)
    .catch((error: unknown) => isFreeholdError(error, 'MalformedItem'))
  const decided = (await readItems(runtime, [key])).get(keyText(key))
  return { table: own !== undefined, decisions: decided !== undefined }
}

describe.each(designs.map((design) => [design.name, design] as const))('%s', (name, design) => {
  const { shared = [], guest = [] } = ownerless[name] ?? {}
  test.each([...design.form.entities.values()].map((entity, seed) => [entity.name, entity, seed] as const))(
    'a %s is there for its tenant, for no other, and without one only where the design says so',
    async (of, entity, seed) => {
      const isThere = { table: shared.includes(of), decisions: shared.includes(of) || guest.includes(of) }
      expect(await seen(design, entity, undefined, seed)).toEqual(isThere)
      if (design.form.tenantOf?.(entity).attribute === undefined) return
      expect(await seen(design, entity, stranger, seed)).toEqual({ table: false, decisions: false })
      expect(await seen(design, entity, tenant, seed)).toEqual({ table: true, decisions: true })
    },
  )
})

test('what is of no known entity is there for the tenant that it names alone', async () => {
  const [design] = designs.filter(({ name }) => name === 'account-management')
  if (design === undefined) throw new Error('account-management is not offered')
  const table = await ownTableOf(design)
  const owners = [tenant, stranger, undefined]
  const keys = owners.map((_, index) => ({ PK: `X#${index}`, SK: 'X' }))
  await restoreItems(
    table.runtime,
    keys.map((key, index) => ({
      ...key,
      Type: 'Unheard',
      version: 1,
      ...(owners[index] === undefined ? {} : { client_id: owners[index] }),
    })),
  )
  const { runtime } = table.forTenant(tenant)
  const found = await readItems(runtime, keys)
  expect(keys.map((key) => found.get(keyText(key)) !== undefined)).toEqual([true, false, false])
})
