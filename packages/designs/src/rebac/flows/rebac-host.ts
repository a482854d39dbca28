import {
  type ActingUser,
  type BasisItem,
  changeRecorder,
  denied,
  evidenceBasis,
  type FlowContext,
  type FlowHost,
  type Foreseen,
  flowsFor,
  liveItem,
} from '@freehold/frame/flow'
import { checking } from '@freehold/table'
import { decideRebac } from '../decide.ts'
import {
  Change,
  GroupRole,
  Location,
  Page,
  Role,
  RolePagePermission,
  rebac,
  User,
  UserGroup,
  UserGroupEdge,
  UserLocationEdge,
} from '../design.ts'
import type { RebacTable } from '../rebac-table.ts'

/** Where a user's flow is at work. */
export interface AtLocation {
  readonly locationId: string
}

/** What a rebac flow runs in. */
export interface RebacContext extends FlowContext<RebacTable, ActingUser, AtLocation> {}

export async function atLocation(context: RebacContext, { locationId }: AtLocation): Promise<AtLocation> {
  await liveItem(context, Location, { locationId })
  return { locationId }
}

/** The location of a group. */
export async function atGroup(context: RebacContext, { groupId }: { readonly groupId: string }): Promise<AtLocation> {
  const { locationId } = await liveItem(context, UserGroup, { groupId })
  return { locationId }
}

export const inSystem = async () => 'system' as const

/** The items of a chain that allows, but for the user. */
export const basisOf = evidenceBasis(
  [UserLocationEdge, 'grant'],
  [UserGroupEdge, 'grant'],
  [Location, 'definition'],
  [UserGroup, 'definition'],
  [GroupRole, 'definition'],
  [Role, 'definition'],
  [RolePagePermission, 'definition', { permission: 'ALLOW' }],
  [Page, 'definition'],
)

export const rebacHost: FlowHost<RebacTable, ActingUser, AtLocation> = Object.freeze({
  design: rebac,
  decide: decideRebac,
  reads: (input: Readonly<Record<string, unknown>>): Foreseen => [
    [Location, input],
    [UserGroup, input],
  ],
  actingUser: async (table: RebacTable, id: string) => {
    const user = await table.User.get({ userId: id }, { consistent: true })
    if (user === undefined) throw denied(undefined, 'UnknownUser', 'There is no such user here.')
    if (user.deleting !== undefined) throw denied(undefined, 'BeingDeleted', 'This user is being deleted.')
    return { id: user.userId }
  },
  questionOf: ({ id }: ActingUser, { resource: page }: { readonly resource: string }, { locationId }: AtLocation) => ({
    question: { user: id, location: locationId, page },
    level: 'location',
  }),
  basisOfUser: ({ id }: ActingUser): BasisItem => ({ kind: 'user', name: `user ${id}`, check: checking(User, { userId: id }) }),
  basisOf,
  ...changeRecorder(Change),
})

/** Each flow and durable job of rebac is written with these. */
export const { flow, itemFlows, job } = flowsFor<RebacContext>(rebacHost)
