import type { AnyDesign, Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { changeErrors, type FlowError } from './flow-errors.ts'

export type ItemVerb = 'create' | 'update' | 'remove'

const byVerb: Readonly<Record<ItemVerb, readonly FlowError[]>> = {
  create: ['AlreadyExists', 'BeingDeleted'],
  update: changeErrors,
  remove: changeErrors,
}

/**
 * The errors that a write of an entity's items can give, besides common ones, as the design says.
 * @param written the attributes in the input
 */
export function itemErrors({ form }: AnyDesign, entity: Entity, verb: ItemVerb, written: readonly string[]): readonly FlowError[] {
  const errors = new Set(byVerb[verb])
  const guards = form.derivedItemsOf(entity).filter((item) => item.form.part.kind === 'guard')
  if (verb === 'create' && entity.form.references.length > 0) errors.add('NotFound').add('MissingEnd')
  if (verb === 'update' && entity.form.references.some(({ attribute }) => written.includes(attribute))) errors.add('MissingEnd')
  if (verb === 'update' && guards.some((guard) => keyPlaceholders(guard).some((name) => written.includes(name))))
    errors.add('AlreadyExists')
  if (verb === 'remove' && form.dependantsOf(entity).some(({ onRemove }) => onRemove === 'refuse')) errors.add('InUse')
  return [...errors]
}
