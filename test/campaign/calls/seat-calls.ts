import { type PlatformFlows, type PlatformTable, platform, platformModule } from '@freehold/designs/platform'
import { operator } from '@freehold/frame/flow'
import type { Touch } from '../record.ts'
import { flowSteps } from './account-calls.ts'
import { type Choice, callOf, type Lane, type Plan, planOf, touch } from './plan.ts'

const { Group, GroupMember, GroupRole, License, LicenseSeat, Role, RolePermission, User } = platform.entities

const accountId = 'acc-seats'
/** Contended by all lanes: fewer seats than users, and fewer addresses. */
const pool = {
  licenses: ['lic-1', 'lic-2'],
  users: ['seated-1', 'seated-2', 'seated-3', 'seated-4'],
  emails: ['seat-1@example.org', 'seat-2@example.org', 'seat-3@example.org'],
  seats: [1, 2, 3],
  ends: ['2097-12-31', '2098-12-31', '2099-12-31'],
  groups: ['seat-group-1', 'seat-group-2'],
  roles: ['seat-role-1', 'seat-role-2'],
  menus: ['reports', 'billing'],
} as const

/** Those of a licence of two seats. */
export const seatFixtures = { accountId, license: pool.licenses[0], users: pool.users } as const

/** Items that are there before the load begins; the account, the licences and the roles stay. */
export async function prepareSeats(table: PlatformTable, enterpriseId: string): Promise<void> {
  await table.Account.create({ id: accountId, name: 'Seats' })
  for (const id of pool.licenses) await table.License.create({ id, accountId, enterpriseId, endDate: '2096-12-31', seats: 2 })
  for (const id of pool.roles) await table.Role.create({ id, accountId, name: id })
  for (const [index, email] of pool.emails.entries())
    await table.User.create({ id: pool.users[index] ?? '', accountId, email, firstName: 'Seated', lastName: 'User' })
}

/** The calls of a lane by flows of platform. Users come and go by flows alone, so that each seat that goes with one is counted. */
export function seatCalls(table: PlatformTable, { random, marker }: Lane): readonly Choice[] {
  const one = random.one
  const flows = (): PlatformFlows => platformModule.flows.of(table, { actor: operator, user_agent: marker() })

  /** A flow that may find nothing to do, and then writes nothing. */
  const flow = (name: keyof PlatformFlows, touched: Touch, input: object, more: { readonly audited?: boolean } = {}): Plan => {
    // Each flow validates its input itself.
    const run = () => (flows()[name] as (input: object) => Promise<unknown>)(input)
    return callOf('platform', name, touched, input, run, {
      steps: flowSteps,
      ...(more.audited === true ? { audited: { action: name } } : {}),
    })
  }

  const seats = (): Plan => {
    const seat = { accountId, licenseId: one(pool.licenses), userId: one(pool.users) }
    return random.percent(60)
      ? flow('assignSeat', touch(LicenseSeat, 'ensure', seat), seat)
      : flow('releaseSeat', touch(LicenseSeat, 'may-remove', seat), seat)
  }

  const licenses = (): Plan => {
    const id = { accountId, id: one(pool.licenses) }
    const touched = touch(License, 'may-update', id)
    const name = one(['changeSeats', 'changeSeats', 'renewLicense', 'expireLicense', 'reactivateLicense', 'reactivateLicense'] as const)
    if (name === 'changeSeats') return flow(name, touched, { ...id, seats: one(pool.seats) })
    return flow(name, touched, name === 'renewLicense' ? { ...id, endDate: one(pool.ends) } : id)
  }

  /** At no instant are more seats taken than there are. */
  const seen = (): Plan => {
    const id = { accountId, id: one(pool.licenses) }
    return planOf('platform', 'seats seen', [], id, async () => {
      const license = await table.License.get(id, { consistent: true })
      if (license === undefined || license.seatsUsed < 0 || license.seatsUsed > (license.seats ?? 0))
        throw new Error(`Of ${license?.seats} seats ${license?.seatsUsed} are used.`)
      return {}
    })
  }

  const users = (): Plan => {
    const id = one(pool.users)
    switch (one(['create', 'create', 'create', 'create', 'rename', 'address', 'inactive', 'active', 'active', 'delete'] as const)) {
      case 'create': {
        const values = { id, accountId, email: one(pool.emails), firstName: marker(), lastName: 'User' }
        return flow('createUser', touch(User, 'create', values), values, { audited: true })
      }
      case 'rename':
        return flow('updateUser', touch(User, 'update', { id }), { id, firstName: marker() }, { audited: true })
      case 'address': {
        const input = { id, email: one(pool.emails), lastName: marker() }
        return flow('updateUser', touch(User, 'update', { id }), input, { audited: true })
      }
      case 'inactive':
        return flow('deactivateUser', touch(User, 'may-update', { id }), { id })
      case 'active':
        return flow('reactivateUser', touch(User, 'may-update', { id }), { id })
      case 'delete': {
        // Of several transactions: one that is refused in the middle has recorded those before it, so that it leaves no marker.
        const run = async () => ({ result: await platformModule.flows.of(table, { actor: operator }).deleteUser({ id }) })
        return planOf('platform', 'deleteUser', [{ ...touch(User, 'remove', { id }), isShared: true }], { id }, run, {
          steps: 2 * flowSteps,
        })
      }
    }
  }

  const groups = (): Plan => {
    const [groupId, userId, roleId, menuKey] = [one(pool.groups), one(pool.users), one(pool.roles), one(pool.menus)]
    const [member, given] = [
      { groupId, userId },
      { groupId, roleId },
    ]
    switch (one(['group', 'group', 'no group', 'join', 'join', 'leave', 'give', 'give', 'take', 'allow', 'replace'] as const)) {
      case 'group': {
        const values = { id: groupId, accountId, name: marker() }
        return flow('createGroup', touch(Group, 'create', values), values, { audited: true })
      }
      case 'no group':
        return flow('deleteGroup', touch(Group, 'remove', { id: groupId }), { id: groupId })
      case 'join':
        return flow('addToGroup', touch(GroupMember, 'ensure', member), member)
      case 'leave':
        return flow('removeFromGroup', touch(GroupMember, 'remove', member), member, { audited: true })
      case 'give':
        return flow('giveRole', touch(GroupRole, 'ensure', given), given)
      case 'take':
        return flow('takeRole', touch(GroupRole, 'remove', given), given, { audited: true })
      case 'allow': {
        const input = { roleId, menuKey, canView: random.percent(50), canEdit: random.percent(50) }
        return flow('setMenuPermission', touch(RolePermission, 'ensure', { roleId, menuKey }), input)
      }
      case 'replace': {
        const input = {
          roleId,
          permissions: random.percent(70)
            ? [{ menuKey, canView: true, canCreate: false, canEdit: random.percent(50), canDelete: false }]
            : [],
        }
        const touches = [
          touch(Role, 'may-update', { id: roleId }),
          ...pool.menus.map((menu) =>
            touch(RolePermission, input.permissions.some((each) => each.menuKey === menu) ? 'may-create' : 'may-remove', {
              roleId,
              menuKey: menu,
            }),
          ),
        ]
        const run = async () => ({ result: await flows().replaceMenuPermissions(input) })
        return planOf('platform', 'replaceMenuPermissions', touches, input, run, { steps: 2 * flowSteps, waits: true })
      }
    }
  }

  return [
    { weight: 40, plan: seats },
    { weight: 14, plan: licenses },
    { weight: 4, plan: seen },
    { weight: 24, plan: users },
    { weight: 22, plan: groups },
  ]
}
