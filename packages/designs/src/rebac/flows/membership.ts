import { returnedItem, withPending } from '@freehold/frame/flow'
import { creating, FreeholdError, type Item, isFreeholdError, type Results, type Step, type Steps } from '@freehold/table'
import { consistent, type Pendable, parallel } from '@freehold/table/runtime'
import { UserGroup, UserGroupEdge, UserLocationEdge } from '../design.ts'
import type { RebacTable } from '../rebac-table.ts'

export interface LocationMembership {
  readonly userId: string
  readonly locationId: string
}
export interface GroupMembership {
  readonly userId: string
  readonly groupId: string
}

/** Each attempt that another writer overtakes reads what that one wrote. */
const attemptsMax = 10

/** Joins a location; who has joined keeps the first `joinedAt`. Throws `MissingEnd`, and `AlreadyExists` while the user is leaving it. */
export async function joinLocation(table: RebacTable, membership: LocationMembership): Promise<Item<typeof UserLocationEdge>> {
  return (await table.UserLocationEdge.ensure(membership)).item
}

/**
 * Leaves a location and all groups there. The edge to the location goes first: from then on nothing is granted there, and nobody joins
 * until the groups are left, too. Throws `NotFound` for who has not joined.
 */
export async function leaveLocation(table: RebacTable, membership: LocationMembership, how: { wait?: boolean } = {}): Promise<Pendable> {
  return table.UserLocationEdge.remove(membership, how)
}

async function locationOf(table: RebacTable, groupId: string): Promise<string> {
  const group = await table.UserGroup.get({ groupId }, consistent)
  if (group !== undefined && group.deleting === undefined) return group.locationId
  const state = group === undefined ? 'absent' : 'being deleted'
  throw new FreeholdError('MissingEnd', `The group '${groupId}' is ${state}.`, { entity: UserGroup.name, guard: UserGroup.name })
}

/**
 * Joins a group, and its location with it; who has joined keeps the first `joinedAt`. Throws `MissingEnd` and `BeingDeleted`. A failure after the
 * write is `uncertain`.
 */
export async function joinGroup(table: RebacTable, membership: GroupMembership): Promise<Item<typeof UserGroupEdge>> {
  return withPending(table, (collecting) => {
    const within = collecting(table)
    return joinGroupBy(within, membership, (steps) => within.transact(steps))
  })
}

/** @param write writes the edges that are missing, in one transaction; `joined` says which: `group`, `location` or both */
export async function joinGroupBy(
  table: RebacTable,
  { userId, groupId }: GroupMembership,
  write: (steps: Steps, joined: readonly string[]) => Promise<Results<Steps>>,
): Promise<Item<typeof UserGroupEdge>> {
  const locationId = await locationOf(table, groupId)
  for (let count = 1; ; count++) {
    const [atLocation, inGroup] = await parallel(
      () => table.UserLocationEdge.get({ userId, locationId }, consistent),
      () => table.UserGroupEdge.get({ userId, groupId }, consistent),
    )
    if (atLocation?.deleting !== undefined)
      throw new FreeholdError('BeingDeleted', 'The user is leaving the location of this group. Try again when that is done.', {
        entity: UserLocationEdge.name,
      })
    if (atLocation !== undefined && inGroup !== undefined) return inGroup
    const steps: Record<string, Step> = inGroup === undefined ? { group: creating(UserGroupEdge, { userId, groupId }) } : {}
    if (atLocation === undefined) steps.location = creating(UserLocationEdge, { userId, locationId })
    try {
      const written = await write(steps, Object.keys(steps))
      // The step `group` makes an edge of this kind.
      return inGroup ?? (returnedItem(UserGroupEdge, written.group) as unknown as Item<typeof UserGroupEdge>)
    } catch (error) {
      if (!isFreeholdError(error)) throw error
      const [failure = error] = Object.values(error.details.failures ?? {})
      // Somebody else joined or left meanwhile; what is there now decides.
      const isOvertaken = failure.code === 'AlreadyExists' || failure.details.entity === UserLocationEdge.name
      if (!isOvertaken || count === attemptsMax) throw failure
    }
  }
}

/** Leaves a group, and stays at its location. Throws `NotFound` for who has not joined. */
export async function leaveGroup(table: RebacTable, membership: GroupMembership): Promise<void> {
  await table.UserGroupEdge.remove(membership)
}
