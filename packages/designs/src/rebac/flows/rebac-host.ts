import { type ActingUser, changeRecorder, type FlowContext, type FlowHost, type Foreseen, flowsFor, liveItem } from '@freehold/frame/flow'
import { access } from '../access.ts'
import { Change, Location, UserGroup } from '../design.ts'
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

const ofAccess = access.host<RebacTable, AtLocation>(({ locationId }) => locationId)

/** The items of a chain that allows, but for the user. */
export const { basisOf } = ofAccess

export const rebacHost: FlowHost<RebacTable, ActingUser, AtLocation> = Object.freeze({
  ...ofAccess,
  reads: (input: Readonly<Record<string, unknown>>): Foreseen => [
    [Location, input],
    [UserGroup, input],
  ],
  ...changeRecorder(Change),
})

/** Each flow and durable job of rebac is written with these. */
export const { flow, itemFlows, job } = flowsFor<RebacContext>(rebacHost)
