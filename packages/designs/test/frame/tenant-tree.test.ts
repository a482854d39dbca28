import type { Entity } from '@freehold/table'
import { expect, test } from 'vitest'
import { tenantTree } from '../../../frame/src/exchange/tenant-tree.ts'
import { accountManagement, Client } from '../../src/account-management/design.ts'

const tree = tenantTree(accountManagement, Client)
const beneath = (entity: Entity) =>
  tree.beneath(entity, 'ID').map(({ owner, partition, range }) => `${owner.name}: ${partition} ${range.from}`)

test('the collections beneath an item follow from the references, each after those that it refers to', () => {
  expect(beneath(Client)).toEqual([
    'User: CLIENT_USERS#ID USER#',
    'Role: CLIENT#ID ROLE#',
    'Project: CLIENT#ID PROJECT#',
    'UserRoleAssignment: SCOPE#client#ID ASSIGNMENT#',
    'Setting: SCOPE#client#ID SETTING#',
    'AuditLog: CLIENT#ID AUDIT#',
  ])
  expect(beneath(accountManagement.entities.Role)).toEqual(['RolePermissionLink: ROLE#ID PERMISSION#'])
  expect(beneath(accountManagement.entities.Building).slice(-2)).toEqual(['Zone: BUILDING#ID ZONE#', 'Device: BUILDING#ID DEVICE#'])
  expect(beneath(accountManagement.entities.Zone)).toEqual([])
})

test('a tenant has every entity whose items are a tenant’s, at one place in the tree for each kind of scope', () => {
  const reached = new Map<Entity, number>()
  const walk = (entity: Entity): void => {
    reached.set(entity, (reached.get(entity) ?? 0) + 1)
    for (const { owner } of tree.beneath(entity, 'ID')) walk(owner)
  }
  walk(Client)
  const { form } = accountManagement
  const owned = [...form.entities.values()].filter((entity) => {
    const { part } = entity.form
    // An edge is found by either of its items.
    const isOwn =
      part.kind === 'entity' || (part.kind === 'edge' && (reached.has(entity) || !part.edge.sides.some((each) => reached.has(each))))
    return isOwn && form.tenantOf?.(entity).attribute !== undefined
  })
  expect([...reached.keys()].map(({ name }) => name).sort()).toEqual(owned.map(({ name }) => name).sort())
  expect(reached.get(accountManagement.entities.Setting)).toBe(4)
  expect(reached.get(accountManagement.entities.User)).toBe(1)
})
