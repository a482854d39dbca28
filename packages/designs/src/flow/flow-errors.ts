import type { ErrorCode } from '@freehold/table'

/** Errors that tell of the input's form, the caller or the table, and not of the flow's subject: any flow can give them, and none declares them. */
export const commonErrors = [
  'InvalidInput',
  'InvalidKey',
  'UnknownName',
  'Denied',
  'Busy',
  'Pending',
  'MalformedItem',
  'Unavailable',
] as const satisfies readonly ErrorCode[]

/** The code of an error that a flow declares. */
export type FlowError = Exclude<ErrorCode, (typeof commonErrors)[number]>

/** Errors of a flow that reads an item, or its scope. */
export const readErrors = ['NotFound', 'BeingDeleted'] as const satisfies readonly FlowError[]
/** Errors of a flow that creates an item with references. */
export const createErrors = [...readErrors, 'AlreadyExists', 'MissingEnd'] as const satisfies readonly FlowError[]
/** Errors of a flow that changes or removes an item, of which the caller may name the version. */
export const changeErrors = [...readErrors, 'VersionConflict'] as const satisfies readonly FlowError[]
