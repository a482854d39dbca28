import { foresee, itemOf, naming, waiting, writeRecorded } from '@freehold/frame/flow'
import { Location, User, UserGroupEdge, UserLocationEdge } from '../design.ts'
import { opens } from './flow-pages.ts'
import { checkHeldOfGroup, checkHeldOnJoining, readHeldOfGroup } from './grant-ceiling.ts'
import { type GroupMembership, joinGroupBy } from './membership.ts'
import { type AtLocation, atGroup, atLocation, flow, itemFlows, type RebacContext } from './rebac-host.ts'

/** Adds a user to a group and to its location, and records it: to both in one transaction. */
export async function addToGroup(context: RebacContext, membership: GroupMembership, at: AtLocation) {
  const { userId, groupId } = membership
  await checkHeldOfGroup(context, at, groupId)
  return joinGroupBy(context.table, membership, async (steps, joined) => {
    const joinsLocation = joined.includes('location')
    if (joinsLocation) await checkHeldOnJoining(context, at, userId)
    return writeRecorded(context, steps, {
      entity: UserGroupEdge,
      id: `${userId} ${groupId}`,
      tenant: undefined,
      after: { ...membership },
      related: { locationId: at.locationId },
      more: joinsLocation ? { joinedLocation: true } : {},
    })
  })
}

const joinErrors = ['NotFound', 'BeingDeleted', 'MissingEnd', 'AlreadyExists'] as const

const atLocations = itemFlows(UserLocationEdge, { scope: atLocation })

/** The flows of memberships at a location and in its groups. */
export const membershipFlows = {
  joinLocation: atLocations.ensure({
    name: 'joinLocation',
    summary: 'Adds a user to a location. A user who has joined keeps the first `joinedAt`.',
    given: ['userId', 'locationId'],
    needs: opens('manage-memberships'),
    errors: ['NotFound', 'AlreadyExists'],
    scope: atLocation,
    check: ({ context, input: { userId }, scope }) => checkHeldOnJoining(context, scope, userId),
  }),
  leaveLocation: atLocations.remove({
    name: 'leaveLocation',
    summary: 'Removes a user from a location and from all groups there. From the start the user has no grants there.',
    input: waiting,
    needs: opens('manage-memberships'),
  }),
  joinGroup: flow({
    name: 'joinGroup',
    summary: 'Adds a user to a group, and to its location. A calling user must be allowed every page that the roles of the group allow.',
    input: naming(UserGroupEdge, 'userId', 'groupId'),
    needs: opens('manage-memberships'),
    effect: 'write',
    returns: itemOf(UserGroupEdge),
    writes: { create: UserGroupEdge },
    errors: joinErrors,
    reads: ({ userId, groupId }) => [
      [UserGroupEdge, { userId, groupId }],
      [User, { userId }],
    ],
    scope: async (context, membership) => {
      const at = await atGroup(context, membership)
      foresee(context, [
        [UserLocationEdge, { ...membership, ...at }],
        [Location, { ...at }],
      ])
      return at
    },
    ahead: (context, { groupId }, at) => readHeldOfGroup(context, at, groupId),
    run: addToGroup,
  }),
  leaveGroup: itemFlows(UserGroupEdge, { scope: atGroup }).remove({
    name: 'leaveGroup',
    summary: 'Removes a user from a group. The user stays at its location.',
    needs: opens('manage-memberships'),
  }),
}
