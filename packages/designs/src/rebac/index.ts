import { type DesignModule, type OpenDesign, type OpenOptions, openModule } from '../design-module.ts'
import { decideRebac, type RebacDecider } from './decide.ts'
import { rebac } from './design.ts'

export { decideRebac, type RebacDecider } from './decide.ts'
export type {
  AccessQuestion,
  AllowedLocation,
  AllowedUser,
  OpenPage,
  WhatQuestion,
  WhereQuestion,
  WhoQuestion,
} from './deciding/question.ts'
export * from './design.ts'
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

type RebacModule = DesignModule<typeof rebac, RebacDecider> & Required<Pick<DesignModule<typeof rebac, RebacDecider>, 'decider'>>

export const rebacModule: RebacModule = Object.freeze({
  design: rebac,
  summary: 'People, locations, groups, roles and pages: relationship-based access without an index.',
  decider: decideRebac,
})

/** Opens rebac for a program. */
export const open = (options?: OpenOptions): OpenDesign<RebacModule> => openModule(rebacModule, options)
