import type { rebac } from '@freehold/designs/rebac'
import * as rebacEntities from '@freehold/designs/rebac'
import { creating, type Step, type Table } from '@freehold/table'
import { loadSample } from './load-sample.ts'
import { organisation } from './organisation.ts'

type Rebac = Table<typeof rebac>

const { EmailIdentity, GroupRole, Location, Page, Role, RolePagePermission, User, UserGroup, UserGroupEdge, UserLocationEdge } =
  rebacEntities

function stepsOf(ulid: () => string): readonly Step[] {
  const steps: Step[] = []
  const add = (step: Step) => steps.push(step)
  const locationIds = new Map<string, string>(organisation.locations.map(({ locationCode }) => [locationCode, ulid()]))
  const userIds = new Map<string, string>(organisation.users.map(({ email }) => [email, ulid()]))
  const idIn = (ids: ReadonlyMap<string, string>, name: string) => ids.get(name) ?? ''
  for (const location of organisation.locations)
    add(creating(Location, { locationId: idIn(locationIds, location.locationCode), ...location }))
  for (const { email, locations, ...user } of organisation.users) {
    const userId = idIn(userIds, email)
    add(creating(User, { userId, ...user }))
    add(creating(EmailIdentity, { userId, email, provider: 'import' }))
    for (const code of locations) add(creating(UserLocationEdge, { userId, locationId: idIn(locationIds, code) }))
  }
  for (const pageName of organisation.pages) add(creating(Page, { pageName }))
  for (const { roleName, description, allows, denies } of organisation.roles) {
    add(creating(Role, { roleName, description }))
    for (const pageName of allows) add(creating(RolePagePermission, { roleName, pageName, permission: 'ALLOW' }))
    for (const pageName of denies) add(creating(RolePagePermission, { roleName, pageName, permission: 'DENY' }))
  }
  for (const { name, groupType, location, users, roles } of organisation.groups) {
    const groupId = ulid()
    add(creating(UserGroup, { groupId, name, groupType, locationId: idIn(locationIds, location) }))
    for (const email of users) add(creating(UserGroupEdge, { groupId, userId: idIn(userIds, email) }))
    for (const roleName of roles) add(creating(GroupRole, { groupId, roleName }))
  }
  return steps
}

/** Loads the sample organisation into an empty table. @returns true if it was loaded */
export function loadOrganisation(table: Rebac): Promise<boolean> {
  const first = { limit: 1, consistent: true } as const
  const lists = [table.users({}, first), table.locations({}, first), table.roles({}, first), table.pages({}, first)]
  return loadSample(table, lists, () => stepsOf(table.runtime.making().ulid))
}
