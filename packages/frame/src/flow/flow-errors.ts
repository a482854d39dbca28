import type { AnyDesign, Entity, ErrorCode } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'

/** Any flow can give these errors, and none declares them: they tell of the input's form, the caller or the table. */
export const commonErrors = [
  'InvalidInput',
  'InvalidKey',
  'UnknownName',
  'KeyReused',
  'Denied',
  'Busy',
  'Pending',
  'MalformedItem',
  'NotAdopted',
  'Unavailable',
] as const satisfies readonly ErrorCode[]

/** The code of an error that a flow declares. */
export type FlowError = Exclude<ErrorCode, (typeof commonErrors)[number]>

/** Errors of a flow that reads an item, or its scope. */
export const readErrors = ['NotFound', 'BeingDeleted'] as const satisfies readonly FlowError[]
/** Errors of a flow that creates an item with references. */
export const createErrors = [...readErrors, 'AlreadyExists', 'MissingEnd'] as const satisfies readonly FlowError[]
/** Errors of a flow that changes or removes an item. The caller may name its version. */
export const changeErrors = [...readErrors, 'VersionConflict'] as const satisfies readonly FlowError[]

/** The ways to write an item. */
export type Verb = 'create' | 'update' | 'remove'

const byVerb: Readonly<Record<Verb, readonly FlowError[]>> = {
  create: ['AlreadyExists', 'BeingDeleted'],
  update: changeErrors,
  remove: changeErrors,
}

/**
 * The errors that a write of an entity's items can give, as the design says, without the common ones.
 * @param written the attributes in the input
 */
export function itemErrors({ form }: AnyDesign, entity: Entity, verb: Verb, written: readonly string[]): readonly FlowError[] {
  const errors = new Set(byVerb[verb])
  const guards = form.derivedItemsOf(entity).filter((item) => item.form.part.kind === 'guard')
  if (verb === 'create' && entity.form.references.length > 0) errors.add('NotFound').add('MissingEnd')
  if (verb === 'update' && entity.form.references.some(({ attribute }) => written.includes(attribute))) errors.add('MissingEnd')
  if (verb === 'update' && guards.some((guard) => keyPlaceholders(guard).some((name) => written.includes(name))))
    errors.add('AlreadyExists')
  if (verb === 'remove' && form.dependantsOf(entity).some(({ onRemove }) => onRemove === 'refuse')) errors.add('InUse')
  return [...errors]
}
