import { type DecidingModule, openerOf } from '@freehold/frame'
import type { ConnectedTable } from '@freehold/table'
import { access } from './access.ts'
import { decideRebac, type RebacDecider } from './decide.ts'
import { rebac } from './design.ts'
import { offeredRebacFlows, type RebacFlowTable, type RebacOptions } from './flows/flows.ts'
import { words } from './words.ts'

export {
  type AccessQuestion,
  type AllowedLocation,
  type AllowedUser,
  canUserAccessPage,
  decideRebac,
  type OpenPage,
  type RebacDecider,
  type WhatQuestion,
  type WhereQuestion,
  type WhoQuestion,
} from './decide.ts'
export * from './design.ts'
export { type FlowPages, flowPages, type RebacFlows, type RebacOptions } from './flows/flows.ts'
export {
  type GroupMembership,
  joinGroup,
  joinLocation,
  type LocationMembership,
  leaveGroup,
  leaveLocation,
} from './flows/membership.ts'
export { type SignedIn, type SignInOutcome, type SignInProvider, type SigningIn, signIn } from './flows/sign-in.ts'
export { type Assignment, assignMany } from './importing/assign-many.ts'
export { importMatrix, type MatrixOptions } from './importing/import-matrix.ts'
export { importPeople } from './importing/import-people.ts'
export { personColumns } from './importing/person-row.ts'
export { Keys } from './keys.ts'
export type { RebacTable } from './rebac-table.ts'

/** The module of rebac, for a program that serves it with pages of its own. Throws `InvalidInput`. */
export const rebacModuleWith = (options?: RebacOptions): DecidingModule<typeof rebac, RebacDecider, RebacFlowTable> =>
  Object.freeze({
    design: rebac,
    summary: 'People, locations, groups, roles and pages: relationship-based access without an index.',
    words,
    decider: decideRebac,
    flows: offeredRebacFlows(options?.pages),
    authzen: access.authzen,
    access,
    samples: async (table: ConnectedTable) => (await import('./flows/samples.ts')).samplesOn(table),
  })

export const rebacModule = rebacModuleWith()

/** Opens rebac for a program. */
export const open = openerOf(rebacModuleWith)
