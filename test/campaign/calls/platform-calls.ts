import { type PlatformTable, platform } from '@freehold/designs/platform'
import { creating, type Entity } from '@freehold/table'
import { add } from '@freehold/table/atomic'
import { toldItem } from '../outcome-of.ts'
import { ulidOf } from '../random.ts'
import type { Touch } from '../record.ts'
import { type Choice, callOf, type Lane, type Plan, placeOf, planOf, touch } from './plan.ts'
import { prepareSeats, seatCalls } from './seat-calls.ts'

const { Account, AccountAddress, Product, User, License, Role, RolePermission, Group, GroupMember, Enterprise, EnterpriseProduct } =
  platform.entities
const { NotificationAudit, Workstream, WorkstreamTool } = platform.entities

/** Items that are there before the load begins, and stay. */
export const platformFixtures = {
  account: 'acc-stays',
  enterprise: 'ent-stays',
  license: 'lic-counted',
  workstreams: ['ws-1', 'ws-2'],
} as const
const { account: accountId, enterprise: enterpriseId, license, workstreams } = platformFixtures

export async function preparePlatform(table: PlatformTable): Promise<void> {
  await table.Account.create({ id: accountId, name: 'Stays' })
  await table.Enterprise.create({ id: enterpriseId, name: 'Stays' })
  await table.License.create({ id: license, accountId, enterpriseId, endDate: '2099-12-31', seats: 1_000_000 })
  for (const id of workstreams) await table.Workstream.create({ id, accountId, name: id })
  await prepareSeats(table, enterpriseId)
}

const pool = {
  accounts: ['acc-1', 'acc-2', 'acc-3'],
  products: ['prod-1', 'prod-2', 'prod-3'],
  users: ['user-1', 'user-2', 'user-3', 'user-4'],
  emails: ['one@example.org', 'two@example.org', 'three@example.org'],
  roles: ['role-1', 'role-2'],
  groups: ['group-1', 'group-2'],
  menus: ['reports', 'billing'],
  tools: ['tool-1', 'tool-2'],
} as const

const plan = (name: string, touched: Touch, input: unknown, run: () => Promise<unknown>, steps = 1): Plan =>
  callOf('platform', name, touched, input, run, { steps })

/**
 * A counter: as a caller keeps one, which reads, adds and writes that version; by an atomic change in one request; or by one in a transaction with a token.
 */
export function counting(table: PlatformTable, how: 'by version' | 'atomically' | 'exactly' = 'by version'): Plan {
  const id = { accountId, id: license }
  const counted = { place: placeOf(License, id), path: ['seats'], by: 1 }
  const touched = touch(License, 'update', id, true)
  const count = async () => {
    if (how !== 'by version') return table.License.update(id, { seats: add(1) }, how === 'exactly' ? { exact: true } : {})
    const before = await table.License.get(id, { consistent: true })
    const { seats = 0, version = 0 } = before ?? {}
    return table.License.update(id, { seats: seats + 1 }, { version })
  }
  const run = async () => {
    const item = await count()
    // A transaction returns no values: version and count are read after it, and may be those of later writes.
    if (how === 'exactly') return { items: { [touched.place]: { born: item.createdAt ?? '' } }, result: item }
    return { items: { [touched.place]: toldItem(item) }, count: item.seats ?? 0, result: item }
  }
  return planOf('platform', `License counted ${how}`, [touched], id, run, { counting: counted, steps: 2 })
}

/** A transaction that nothing stands in the way of. */
export const firstPlatformCall = (table: PlatformTable) => (marker: string) => {
  const values = { id: `first-${marker}`, accountId, name: marker }
  return plan('Workstream.create', touch(Workstream, 'create', values, true), values, () => table.Workstream.create(values))
}

/** The calls of a lane on a platform table. */
export function platformCalls(table: PlatformTable, { random, marker }: Lane): readonly Choice[] {
  const one = random.one
  const create = (entity: Entity, values: object, run: () => Promise<unknown>, isAlone = true) =>
    plan(`${entity.name}.create`, touch(entity, 'create', { ...values }, isAlone), values, run)
  const update = (entity: Entity, id: object, change: object, run: () => Promise<unknown>, isAlone = true) =>
    plan(`${entity.name}.update`, touch(entity, 'update', { ...id }, isAlone), { ...id, ...change }, run)
  const remove = (entity: Entity, id: object, run: () => Promise<unknown>, isAlone = true) =>
    plan(`${entity.name}.remove`, touch(entity, 'remove', { ...id }, isAlone), id, run)
  const mostly = () => one(['create', 'create', 'update', 'update', 'remove'] as const)

  const accounts = (): Plan => {
    const id = one(pool.accounts)
    const kind = mostly()
    if (kind === 'create') return create(Account, { id, name: marker() }, () => table.Account.create({ id, name: marker() }))
    if (kind === 'remove') return remove(Account, { id }, () => table.Account.remove({ id }))
    const change = { name: marker() }
    return update(Account, { id }, change, () => table.Account.update({ id }, change))
  }

  /** A product has no guard, mirror or reference: it is put alone. One in use is not removed. */
  const products = (): Plan => {
    const id = one(pool.products)
    const values = { id, name: marker() }
    const kind = mostly()
    if (kind === 'create') return create(Product, values, () => table.Product.create(values))
    if (kind === 'remove') {
      const how = random.percent(30) ? ({ inUse: 'cascade' } as const) : {}
      return remove(Product, { id }, () => table.Product.remove({ id }, how))
    }
    const change = { description: marker() }
    return update(Product, { id }, change, () => table.Product.update({ id }, change))
  }

  const uses = (): Plan => {
    const values = { enterpriseId, productId: one(pool.products) }
    return random.percent(60)
      ? plan(
          'EnterpriseProduct.ensure',
          touch(EnterpriseProduct, 'ensure', values),
          values,
          () => table.EnterpriseProduct.ensure(values),
          2,
        )
      : remove(EnterpriseProduct, values, () => table.EnterpriseProduct.remove(values), false)
  }

  /** Users compete for addresses. */
  const users = (): Plan => {
    const id = one(pool.users)
    const kind = one(['create', 'create', 'rename', 'address', 'address', 'remove'] as const)
    const values = { id, accountId, email: one(pool.emails), firstName: marker(), lastName: 'User' }
    if (kind === 'create') return create(User, values, () => table.User.create(values))
    if (kind === 'remove') return remove(User, { id }, () => table.User.remove({ id }))
    const change = kind === 'rename' ? { firstName: marker() } : { email: one(pool.emails), lastName: marker() }
    return update(User, { id }, change, () => table.User.update({ id }, change))
  }

  const roles = (): Plan => {
    const roleId = one(pool.roles)
    const menuKey = one(pool.menus)
    const id = { roleId, menuKey }
    switch (one(['role', 'role', 'no role', 'permission', 'permission', 'change', 'change', 'no permission'] as const)) {
      case 'role': {
        const values = { id: roleId, accountId, name: marker() }
        return create(Role, values, () => table.Role.create(values))
      }
      case 'no role':
        return remove(Role, { id: roleId }, () => table.Role.remove({ id: roleId }))
      case 'permission':
        return create(RolePermission, id, () => table.RolePermission.create(id), false)
      case 'change': {
        const change = { canView: random.percent(50), canEdit: random.percent(50) }
        return update(RolePermission, id, change, () => table.RolePermission.update(id, change), false)
      }
      case 'no permission':
        return remove(RolePermission, id, () => table.RolePermission.remove(id), false)
    }
  }

  const groups = (): Plan => {
    const groupId = one(pool.groups)
    const member = { groupId, userId: one(pool.users) }
    switch (one(['group', 'group', 'no group', 'join', 'join', 'leave'] as const)) {
      case 'group': {
        const values = { id: groupId, accountId, name: marker() }
        return create(Group, values, () => table.Group.create(values))
      }
      case 'no group':
        return remove(Group, { id: groupId }, () => table.Group.remove({ id: groupId }))
      case 'join':
        return plan('GroupMember.ensure', touch(GroupMember, 'ensure', member), member, () => table.GroupMember.ensure(member), 2)
      case 'leave':
        return remove(GroupMember, member, () => table.GroupMember.remove(member), false)
    }
  }

  /**
   * One item that everybody creates, changes and removes all the time. Nothing hangs on it, so that it goes at once, and comes again with the same
   * versions: what was sent to one incarnation, and comes late, meets another.
   */
  const address = (): Plan => {
    const id = { accountId, id: 'address-hot' }
    const kind = one(['create', 'create', 'update', 'update', 'remove', 'remove', 'remove'] as const)
    const values = { ...id, line1: marker(), city: 'Berlin', country: 'DE' }
    if (kind === 'create') return create(AccountAddress, values, () => table.AccountAddress.create(values))
    if (kind === 'remove') return remove(AccountAddress, id, () => table.AccountAddress.remove(id))
    const change = { line2: marker() }
    return update(AccountAddress, id, change, () => table.AccountAddress.update(id, change))
  }

  /** Written once and never again: a repeat would be a second one. */
  const notification = (): Plan => {
    const id = ulidOf(random)
    const values = { id, notificationType: 'news', recipientEmail: 'a@example.org', deliveryStatus: 'sent' as const, subject: marker() }
    return create(NotificationAudit, values, () => table.NotificationAudit.create(values))
  }

  /** A tool lies under its workstream, and moves to another. */
  const tools = (): Plan => {
    const id = one(pool.tools)
    const [from, to] = random.shuffled(workstreams)
    const at = { workstreamId: from ?? '', id }
    const kind = one(['create', 'move', 'move', 'remove'] as const)
    const values = { ...at, accountId, name: marker() }
    if (kind === 'create') return create(WorkstreamTool, values, () => table.WorkstreamTool.create(values), false)
    if (kind === 'remove') return remove(WorkstreamTool, at, () => table.WorkstreamTool.remove(at), false)
    const change = { workstreamId: to ?? '', url: `https://example.org/${marker()}` }
    const touches = [touch(WorkstreamTool, 'remove', at), touch(WorkstreamTool, 'create', { ...at, ...change })]
    return planOf('platform', 'WorkstreamTool.move', touches, { ...at, ...change }, async () => ({
      result: await table.WorkstreamTool.move(at, change),
    }))
  }

  /** Of this lane alone: three items that stand together or not at all. */
  const bundle = (): Plan => {
    const [workstreamId, userId] = [ulidOf(random), ulidOf(random)]
    const workstream = { id: workstreamId, accountId, enterpriseId, name: marker() }
    const user = { id: userId, accountId, email: `${marker()}@example.org`, firstName: marker(), lastName: 'User' }
    const member = { userId, workstreamId, accountId }
    const touches = [
      touch(Workstream, 'create', workstream, true),
      touch(User, 'create', user, true),
      touch(platform.entities.UserWorkstream, 'create', member),
    ]
    return planOf('platform', 'transact user in workstream', touches, { workstream, user }, async () => {
      const made = await table.transact({
        workstream: creating(Workstream, workstream),
        user: creating(User, user),
        member: creating(platform.entities.UserWorkstream, member),
      })
      const [first = '', second = ''] = touches.map(({ place }) => place)
      return { items: { [first]: toldItem(made.workstream), [second]: toldItem(made.user) }, result: made }
    })
  }

  const enterprise = (): Plan => {
    const id = { id: enterpriseId }
    const change = { description: marker() }
    return update(Enterprise, id, change, () => table.Enterprise.update(id, change))
  }

  return [
    { weight: 10, plan: accounts },
    { weight: 45, plan: address },
    { weight: 14, plan: products },
    { weight: 8, plan: uses },
    { weight: 16, plan: users },
    { weight: 18, plan: () => counting(table, one(['by version', 'by version', 'atomically', 'exactly'])) },
    { weight: 12, plan: roles },
    { weight: 10, plan: groups },
    { weight: 6, plan: notification },
    { weight: 8, plan: tools },
    { weight: 4, plan: bundle },
    { weight: 6, plan: enterprise },
    ...seatCalls(table, { random, marker }),
  ]
}
