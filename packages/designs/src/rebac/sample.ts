import { creating, isFreeholdError, type Step, together } from '@freehold/table'
import {
  EmailIdentity,
  GroupRole,
  Location,
  Page,
  Role,
  RolePagePermission,
  User,
  UserGroup,
  UserGroupEdge,
  UserLocationEdge,
} from './design.ts'
import type { RebacTable } from './rebac-table.ts'

/** Ids are fixed, so that what is printed and written of the sample holds on every machine; the names say what they stand for. */
const idOf = (tail: string) => `01K0000000000000000000${tail}`

const users = [
  { userId: idOf('00A1'), email: 'ada@example.org', displayName: 'Ada Lovelace', userType: 'LEAD', isAdmin: true },
  { userId: idOf('00A2'), email: 'grace@example.org', displayName: 'Grace Hopper', userType: 'MEMBER', isAdmin: false },
  { userId: idOf('00A3'), email: 'alan@example.org', displayName: 'Alan Turing', userType: 'MEMBER', isAdmin: false },
  { userId: idOf('00A4'), email: 'emmy@example.org', displayName: 'Emmy Noether', userType: 'MEMBER', isAdmin: false },
] as const
const locations = [
  { locationId: idOf('00B1'), locationCode: 'BER001', name: 'Berlin', address: 'Alexanderplatz 1, Berlin' },
  { locationId: idOf('00B2'), locationCode: 'NYC001', name: 'New York' },
] as const
const groups = [
  { groupId: idOf('00C1'), locationId: idOf('00B1'), groupType: 'TEACHER', name: 'Berlin teachers' },
  { groupId: idOf('00C2'), locationId: idOf('00B1'), groupType: 'VOLUNTEER', name: 'Berlin volunteers' },
  { groupId: idOf('00C3'), locationId: idOf('00B2'), groupType: 'TEACHER', name: 'New York teachers' },
] as const
/** The groups of each user, by their places in the lists above; Emmy is in Berlin, in no group. */
const memberships = [
  [0, 0],
  [1, 1],
  [2, 2],
] as const
const roles = [
  { roleName: 'teacher', description: 'Plans lessons and sees how they go' },
  { roleName: 'volunteer', description: 'Helps with lessons' },
] as const
const pages = [
  { pageName: 'dashboard', description: 'How the location is doing' },
  { pageName: 'lessons', description: 'The plan of lessons' },
  { pageName: 'members', description: 'Who belongs to the location' },
] as const
const permissions = [
  { roleName: 'teacher', pageName: 'dashboard', permission: 'ALLOW' },
  { roleName: 'teacher', pageName: 'lessons', permission: 'ALLOW' },
  { roleName: 'teacher', pageName: 'members', permission: 'ALLOW' },
  { roleName: 'volunteer', pageName: 'lessons', permission: 'ALLOW' },
  { roleName: 'volunteer', pageName: 'members', permission: 'DENY' },
] as const
const groupRoles = [
  { groupId: idOf('00C1'), roleName: 'teacher' },
  { groupId: idOf('00C2'), roleName: 'volunteer' },
  { groupId: idOf('00C3'), roleName: 'teacher' },
] as const

/** Questions about the sample, with their answers, for what is printed and documented. */
export const sampleQuestions = {
  allowed: { user: 'ada@example.org', location: 'BER001', page: 'dashboard' },
  denied: { user: 'grace@example.org', location: 'BER001', page: 'dashboard' },
} as const

function steps(): Record<string, Step> {
  const all: Step[] = [
    ...users.flatMap(({ email, ...user }) => [
      creating(User, user),
      creating(EmailIdentity, { email, userId: user.userId, provider: 'import' }),
    ]),
    ...locations.map((location) => creating(Location, location)),
    ...groups.map((group) => creating(UserGroup, group)),
    ...roles.map((role) => creating(Role, role)),
    ...pages.map((page) => creating(Page, page)),
    ...permissions.map((permission) => creating(RolePagePermission, permission)),
    ...groupRoles.map((groupRole) => creating(GroupRole, groupRole)),
    ...memberships.flatMap(([user, group]) => {
      const { userId } = users[user]
      const { groupId, locationId } = groups[group]
      return [creating(UserLocationEdge, { userId, locationId }), creating(UserGroupEdge, { userId, groupId })]
    }),
    creating(UserLocationEdge, { userId: users[3].userId, locationId: locations[0].locationId }),
  ]
  return Object.fromEntries(all.map((step, index) => [`${step.entity.name} ${index + 1}`, step]))
}

/** True for a table without users, locations, groups, roles and pages. */
async function isEmpty(table: RebacTable): Promise<boolean> {
  const first = { limit: 1, consistent: true }
  const found = await together(
    () => table.users({}, first),
    () => table.locations({}, first),
    () => table.groups({}, first),
    () => table.roles({}, first),
    () => table.pages({}, first),
  )
  return found.every(({ items }) => items.length === 0)
}

/**
 * Loads a small organisation into an empty table, in one transaction: all of it or nothing. People have addresses that a verified sign-in
 * claims. Returns false where the table is not empty, and changes nothing then.
 */
export async function loadSample(table: RebacTable): Promise<boolean> {
  if (!(await isEmpty(table))) return false
  try {
    await table.transact(steps())
    return true
  } catch (error) {
    const failures = isFreeholdError(error, 'TransactionFailed') ? Object.values(error.details.failures ?? {}) : []
    // Another process loads it at the same time.
    if (failures.some(({ code }) => code === 'AlreadyExists')) return false
    throw error
  }
}
