import { checking, type Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import type { Evidence } from '../../decision/decision.ts'
import { changeRecorder } from '../../flow/change-records.ts'
import { type ActingUser, denied, type FlowContext, type FlowHost } from '../../flow/flow-host.ts'
import { flowsFor } from '../../flow/flows-for.ts'
import { liveItem } from '../../flow/live-item.ts'
import type { BasisItem } from '../../flow/permission-basis.ts'
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

/** The entities whose items allow something, but for the user, and the values with which an item allows. */
const checkedEntities: ReadonlyMap<string, readonly [entity: Entity, kind: BasisItem['kind'], where?: Readonly<Record<string, unknown>>]> =
  new Map([
    [UserLocationEdge.name, [UserLocationEdge, 'grant']],
    [UserGroupEdge.name, [UserGroupEdge, 'grant']],
    [Location.name, [Location, 'definition']],
    [UserGroup.name, [UserGroup, 'definition']],
    [GroupRole.name, [GroupRole, 'definition']],
    [Role.name, [Role, 'definition']],
    [RolePagePermission.name, [RolePagePermission, 'definition', { permission: 'ALLOW' }]],
    [Page.name, [Page, 'definition']],
  ])

/** An item by which something is allowed: it is still there when the write is applied. Undefined for evidence that names none. */
export function basisOf({ entity: name, id, state }: Pick<Evidence, 'entity' | 'id' | 'state'>): BasisItem | undefined {
  const [entity, kind, where] = checkedEntities.get(name) ?? []
  if (state !== 'found' || entity === undefined || kind === undefined) return undefined
  if (keyPlaceholders(entity).some((placeholder) => id[placeholder] === undefined)) return undefined
  // Ids come from decisions, whose evidence is text: the check refuses an id that is none.
  const check = checking(entity, id as never, where === undefined ? {} : { where: where as never })
  return { kind, name: [name, ...keyPlaceholders(entity).map((placeholder) => id[placeholder])].join(' '), check }
}

export const rebacHost: FlowHost<RebacTable, ActingUser, AtLocation> = Object.freeze({
  design: rebac,
  decide: decideRebac,
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
