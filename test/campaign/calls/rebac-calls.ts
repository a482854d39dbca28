import { joinGroup, joinLocation, leaveGroup, leaveLocation, type RebacTable, rebac } from '@freehold/designs/rebac'
import { creating, type Entity, updating } from '@freehold/table'
import { toldItem } from '../outcome-of.ts'
import { type Random, ulidOf } from '../random.ts'
import type { Touch } from '../record.ts'
import { type Choice, callOf, type Lane, type Plan, planOf, touch } from './plan.ts'

const { User, Location, UserGroup, Role, Page, UserLocationEdge, UserGroupEdge, GroupRole, RolePagePermission, EmailIdentity } =
  rebac.entities

/** Few, so that the lanes meet at them. */
function contended(random: Random) {
  const ids = (count: number) => Array.from({ length: count }, () => ulidOf(random))
  return {
    users: ids(3),
    locations: ids(4),
    groups: ids(4),
    roles: ['teacher', 'caretaker', 'guest'],
    pages: ['dashboard', 'calendar'],
    codes: ['ALPHA', 'BRAVO', 'CHARLIE', 'DELTA', 'ECHO'],
    emails: ['one@example.org', 'two@example.org', 'three@example.org'],
  }
}

const plan = (name: string, touched: Touch, input: unknown, run: () => Promise<unknown>, steps = 1): Plan =>
  callOf('rebac', name, touched, input, run, { steps })

/** A transaction that nothing stands in the way of. */
export const firstRebacCall = (table: RebacTable) => (marker: string) => {
  const values = { roleName: marker, description: marker }
  return plan('Role.create', touch(Role, 'create', values, true), values, () => table.Role.create(values))
}

/** The calls of a lane on a rebac table; `shared` draws the same ids in every process. */
export function rebacCalls(table: RebacTable, { random, marker }: Lane, shared: Random): readonly Choice[] {
  const pool = contended(shared)
  const own: string[] = []
  const one = random.one

  /** Changes something that no copy follows, or that one follows, of an item that only these calls write. */
  const update = (entity: Entity, id: object, change: object, run: () => Promise<unknown>) =>
    plan(`${entity.name}.update`, touch(entity, 'update', { ...id }, true), { ...id, ...change }, run)
  const remove = (entity: Entity, id: object, run: () => Promise<unknown>, isAlone = true) =>
    plan(`${entity.name}.remove`, touch(entity, 'remove', { ...id }, isAlone), id, run)
  const create = (entity: Entity, values: object, run: () => Promise<unknown>, isAlone = true) =>
    plan(`${entity.name}.create`, touch(entity, 'create', { ...values }, isAlone), values, run)

  const locations = (): Plan => {
    const locationId = one(pool.locations)
    const kind = one(['create', 'create', 'rename', 'rename', 'recode', 'remove'] as const)
    if (kind === 'create') {
      const values = { locationId, locationCode: one(pool.codes), name: marker() }
      return create(Location, values, () => table.Location.create(values))
    }
    if (kind === 'remove') return remove(Location, { locationId }, () => table.Location.remove({ locationId }))
    const change = kind === 'rename' ? { name: marker() } : { locationCode: one(pool.codes), address: marker() }
    return update(Location, { locationId }, change, () => table.Location.update({ locationId }, change))
  }

  const users = (): Plan => {
    const userId = one(pool.users)
    const kind = one(['create', 'create', 'rename', 'rename', 'remove'] as const)
    const values = { userId, displayName: marker() }
    if (kind === 'create') return create(User, values, () => table.User.create(values))
    if (kind === 'remove') return remove(User, { userId }, () => table.User.remove({ userId }))
    const change = { displayName: marker() }
    return update(User, { userId }, change, () => table.User.update({ userId }, change))
  }

  const roles = (): Plan => {
    const roleName = one(pool.roles)
    const values = { roleName, description: marker() }
    const kind = one(['create', 'create', 'update', 'update', 'remove'] as const)
    if (kind === 'create') return create(Role, values, () => table.Role.create(values))
    if (kind === 'remove') return remove(Role, { roleName }, () => table.Role.remove({ roleName }))
    const change = { description: marker() }
    return update(Role, { roleName }, change, () => table.Role.update({ roleName }, change))
  }

  const pages = (): Plan => {
    const pageName = one(pool.pages)
    const values = { pageName, description: marker() }
    return random.percent(60)
      ? create(Page, values, () => table.Page.create(values))
      : remove(Page, { pageName }, () => table.Page.remove({ pageName }))
  }

  const groups = (): Plan => {
    const groupId = one(pool.groups)
    const values = { groupId, locationId: one(pool.locations), name: marker() }
    const kind = one(['create', 'create', 'update', 'remove'] as const)
    // A group goes with its location, and its roles and members with it.
    if (kind === 'create') return create(UserGroup, values, () => table.UserGroup.create(values), false)
    if (kind === 'remove') return remove(UserGroup, { groupId }, () => table.UserGroup.remove({ groupId }), false)
    const change = { name: marker() }
    const touched = touch(UserGroup, 'update', { groupId })
    return plan('UserGroup.update', touched, { groupId, ...change }, () => table.UserGroup.update({ groupId }, change))
  }

  const memberships = (): Plan => {
    const [userId, locationId, groupId] = [
      one(random.percent(70) ? pool.users : [...pool.users, ...own]),
      one(pool.locations),
      one(pool.groups),
    ]
    const [atLocation, inGroup] = [
      { userId, locationId },
      { userId, groupId },
    ]
    switch (one(['join location', 'join location', 'join group', 'join group', 'leave location', 'leave group'] as const)) {
      case 'join location':
        return plan('joinLocation', touch(UserLocationEdge, 'ensure', atLocation), atLocation, () => joinLocation(table, atLocation), 2)
      case 'leave location':
        return plan('leaveLocation', touch(UserLocationEdge, 'remove', atLocation), atLocation, () => leaveLocation(table, atLocation))
      case 'join group':
        // It joins the location of the group, too, whichever that is by then, and tries again where others are faster.
        return planOf(
          'rebac',
          'joinGroup',
          [
            touch(UserGroupEdge, 'ensure', inGroup),
            ...pool.locations.map((each) => touch(UserLocationEdge, 'may-create', { userId, locationId: each })),
          ],
          inGroup,
          async () => ({ result: await joinGroup(table, inGroup) }),
          { steps: 8 },
        )
      case 'leave group':
        return plan('leaveGroup', touch(UserGroupEdge, 'remove', inGroup), inGroup, () => leaveGroup(table, inGroup))
    }
  }

  const grants = (): Plan => {
    const [groupId, roleName, pageName] = [one(pool.groups), one(pool.roles), one(pool.pages)]
    const [held, opened] = [
      { groupId, roleName },
      { roleName, pageName },
    ]
    switch (one(['give', 'take', 'allow', 'allow', 'change', 'close'] as const)) {
      case 'give':
        return planOf('rebac', 'GroupRole.ensure', [touch(GroupRole, 'ensure', held)], held, async () => {
          const { item, isNew } = await table.GroupRole.ensure(held)
          return { isNew, result: item }
        })
      case 'take':
        return plan('GroupRole.remove', touch(GroupRole, 'remove', held), held, () => table.GroupRole.remove(held))
      case 'allow': {
        const values = { ...opened, permission: 'ALLOW' as const }
        const touched = touch(RolePagePermission, 'create', values)
        return plan('RolePagePermission.create', touched, values, () => table.RolePagePermission.create(values))
      }
      case 'change': {
        const change = { permission: one(['ALLOW', 'DENY'] as const) }
        const touched = touch(RolePagePermission, 'update', opened)
        return plan('RolePagePermission.update', touched, { ...opened, ...change }, () => table.RolePagePermission.update(opened, change))
      }
      case 'close':
        return plan('RolePagePermission.remove', touch(RolePagePermission, 'remove', opened), opened, () =>
          table.RolePagePermission.remove(opened),
        )
    }
  }

  const claims = (): Plan => {
    const email = one(pool.emails)
    const values = { email, userId: one(pool.users), provider: 'google' as const }
    const kind = one(['create', 'create', 'remove'] as const)
    return kind === 'create'
      ? create(EmailIdentity, values, () => table.EmailIdentity.create(values), false)
      : remove(EmailIdentity, { email }, () => table.EmailIdentity.remove({ email }), false)
  }

  /** A person of this lane alone, with an address, in one transaction. */
  const signUp = (): Plan => {
    const userId = ulidOf(random)
    const [user, identity] = [
      { userId, displayName: marker() },
      { email: `${marker()}@example.org`, userId, provider: 'github' as const },
    ]
    const touches = [touch(User, 'create', user, true), touch(EmailIdentity, 'create', identity)]
    own.push(userId)
    return planOf('rebac', 'transact user and address', touches, { user, identity }, async () => {
      const made = await table.transact({ user: creating(User, user), identity: creating(EmailIdentity, identity) })
      return { items: { [touches[0]?.place ?? '']: toldItem(made.user) }, result: made }
    })
  }

  /** Two items of one pool in one transaction, so that transactions overlap in part. */
  const renameTwo = (): Plan | undefined => {
    const [first, second] = random.shuffled(pool.locations)
    if (first === undefined || second === undefined) return undefined
    const [one, other] = [{ name: marker() }, { name: marker() }]
    const touches = [first, second].map((locationId) => touch(Location, 'update', { locationId }, true))
    return planOf('rebac', 'transact two locations', touches, { first, second }, async () => {
      const made = await table.transact({
        one: updating(Location, { locationId: first }, one),
        other: updating(Location, { locationId: second }, other),
      })
      const [here, there] = touches.map(({ place }) => place)
      return { items: { [here ?? '']: toldItem(made.one), [there ?? '']: toldItem(made.other) }, result: made }
    })
  }

  const ownUser = (): Plan | undefined => {
    if (own.length === 0) return undefined
    const userId = one(own)
    if (random.percent(25)) {
      own.splice(own.indexOf(userId), 1)
      const wait = random.percent(70)
      return { ...remove(User, { userId }, () => table.User.remove({ userId }, { wait })), waits: wait }
    }
    const change = { displayName: marker() }
    return update(User, { userId }, change, () => table.User.update({ userId }, change))
  }

  return [
    { weight: 16, plan: locations },
    { weight: 14, plan: users },
    { weight: 10, plan: roles },
    { weight: 5, plan: pages },
    { weight: 10, plan: groups },
    { weight: 16, plan: memberships },
    { weight: 10, plan: grants },
    { weight: 8, plan: claims },
    { weight: 6, plan: signUp },
    { weight: 4, plan: renameTwo },
    { weight: 8, plan: ownUser },
  ]
}
