import { randomUUID } from 'node:crypto'
import { type DefinitionMemory, definitionMemory, nameMemory } from '@freehold/frame/decision'
import { meter } from '@freehold/table'
import { readingTogether } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { expect, test } from 'vitest'
import { patternsOf } from '../../../frame/src/access/scopes/patterns.ts'
import { roleReaders } from '../../../frame/src/access/scopes/roles.ts'
import { decideAccountManagement } from '../../src/account-management/decide.ts'
import { accountManagement, Permission, Role, RoleParent, RolePermissionLink } from '../../src/account-management/design.ts'
import { permissionParts } from '../../src/account-management/permission/permission.ts'
import { client, idOf, link } from '../account-items.ts'
import { ownTableOf } from '../own-table.ts'

const roles = { entity: Role, id: 'id', list: 'permissions', of: 'client_id', system: 'SYSTEM' }
const above = { attribute: 'parent_role_id', list: RoleParent }
const linked = {
  ...{ links: RolePermissionLink, role: 'role_id', entry: 'permission_id', catalogue: Permission },
  where: { permission_form: 'linked' },
}
const { catalogue, linksOf, rolesOwned, singleRole } = roleReaders({ ...roles, above, linked }, patternsOf(permissionParts))

const acme = idOf('client', 1)
const table = await ownTableOf(accountManagement)
await restoreItems(table.runtime, client(acme))
const description = 'described'.repeat(100)
const camera = { module: 'devices', action: 'read', resource: 'camera' }
const permission = await table.Permission.create({ ...camera, description })
const role = await table.Role.create({
  client_id: acme,
  name: 'reader',
  description,
  permissions: [camera],
  custom_template_id: randomUUID(),
})
await restoreItems(table.runtime, link(acme, role.id, permission.id))

const sourcesOf = (memory: DefinitionMemory) => ({
  runtime: table.runtime,
  readItems: readingTogether(table.runtime, { consistent: true }),
  definitions: memory.begin('bounded'),
  names: nameMemory(),
})
const sources = () => sourcesOf(definitionMemory({ now: () => new Date(0), maxStalenessMs: 5000 }))
const facts = { name: 'reader', version: 1, above: undefined, isLinked: false }

test('of roles, links and the catalogue nothing is remembered that decides nothing', async () => {
  const at = { role_owner: acme, role_id: role.id }
  const listed = (await rolesOwned.take(sources(), acme)).get(role.id)
  const single = (await singleRole.takeAll(sources(), [at])).get(at)
  for (const node of [listed, single]) {
    expect(node?.node).toStrictEqual({ state: 'found', item: facts })
    expect([...(node?.embedded.values() ?? [])]).toEqual([camera])
  }
  expect((await catalogue.take(sources(), undefined)).get(permission.id)).toStrictEqual({ state: 'found', item: camera })
  const links = await linksOf.take(sources(), role.id)
  expect(links).toStrictEqual({ found: [{ entry: permission.id, owner: acme, version: 1 }], unusable: [] })
})

test('a list of roles takes as much memory as its roles, and is not kept where that is too much', async () => {
  const held = async (bytes_max: number) => {
    const memory = definitionMemory({ now: () => new Date(0), maxStalenessMs: 5000, bytes_max })
    await rolesOwned.take(sourcesOf(memory), acme)
    return memory.begin('bounded').holds(`roles of ${acme}`)
  }
  expect(await held(10_000)).toBe(true)
  expect(await held(1_000)).toBe(false)
})

test('a decider that may remember nothing reads all for each question', async () => {
  const question = { client: acme, permission: camera }
  const asked = async (options: object) => {
    const decider = decideAccountManagement(table.runtime, options)
    const ask = async () => (await meter(() => decider.who(question))).cost.requests
    return [await ask(), await ask()]
  }
  const [cold = 0, warm = 0] = await asked({ maxStalenessMs: 600_000 })
  expect(warm).toBeLessThan(cold)
  expect(await asked({ maxStalenessMs: 600_000, definitionBytesMax: 1 })).toEqual([cold, cold])
})
