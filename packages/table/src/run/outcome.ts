import type { DesignForm } from '../design/design.ts'
import { uncertainSentence } from '../dynamo/error.ts'
import { FreeholdError, isFreeholdError } from '../errors.ts'
import type { Action } from '../plan/action.ts'
import { type Condition, holds } from '../plan/condition.ts'
import { notAsked, type Subject, subjectOf } from '../plan/item-words.ts'
import { type Stored, versionOf } from '../plan/stored.ts'

/** Why the condition of an action failed: an error for its step, or `stale`. Then an item has changed since it was read, so plan again. */
export type Outcome = FreeholdError | 'stale'

function namesVersion(conditions: readonly Condition[]): number | undefined {
  for (const condition of conditions) if (condition.is === 'version' || condition.is === 'unchanged') return condition.version
  return undefined
}

function taken({ origin: { entity, role } }: Action, { words, details }: Subject, existing: Stored | undefined): FreeholdError {
  const going = existing?.deleting === undefined ? '' : ' It is being deleted, and its key stays taken until that is done.'
  const guard = role === 'guard' ? { guard: entity } : {}
  return new FreeholdError('AlreadyExists', `The ${words} exists already.${going}`, { ...details, ...guard })
}

function endOutcome({ origin, conditions }: Action, { words, details }: Subject, existing: Stored | undefined): Outcome {
  // Only the source of a copy has changed; no other condition fails.
  if (conditions.every((condition) => condition.is === 'unchanged' || holds(condition, existing))) return 'stale'
  const isForeign = conditions.some((condition) => condition.is === 'of' && condition.isTold && !holds(condition, existing))
  const state =
    existing === undefined ? 'absent' : existing.deleting !== undefined ? 'being deleted' : isForeign ? "another tenant's" : 'absent'
  return new FreeholdError('MissingEnd', `The ${words}, which this needs, is ${state}.`, { ...details, guard: origin.entity })
}

/** The conditions of an atomic change that say whether the item is there for the writer. */
const isThere: ReadonlySet<Condition['is']> = new Set(['type', 'lasting'])

/** The error of a step whose item does not satisfy what it asks, or what the kinds of its attributes allow. */
function refusedOutcome({ entities }: DesignForm, action: Action, existing: Stored): Outcome {
  const failed = action.conditions.filter((condition) => !holds(condition, existing))
  const entity = entities.get(action.origin.entity)
  if (entity === undefined || failed.length === 0) return 'stale'
  try {
    const [left] = failed.flatMap((condition) => (condition.is === 'allowed' || condition.is === 'fitting' ? [condition.attribute] : []))
    const isAsked = left === undefined || failed.some(({ is }) => is === 'where' || is === 'equal')
    return notAsked(entity, action.key, existing, isAsked ? undefined : `has no room in '${left}' for the change`)
  } catch (error) {
    if (isFreeholdError(error)) return error
    throw error
  }
}

function itemOutcome(
  form: DesignForm,
  action: Action,
  { words, details }: Subject,
  existing: Stored | undefined,
  namedVersion: number | undefined,
): Outcome {
  const isAtomic = action.kind === 'update' && action.atomic !== undefined
  const isGone = isAtomic && action.conditions.some((condition) => isThere.has(condition.is) && !holds(condition, existing))
  if (existing === undefined || isGone) return new FreeholdError('NotFound', `There is no ${words}.`, details)
  if (existing.deleting !== undefined)
    return new FreeholdError('BeingDeleted', `The ${words} is being deleted (job ${existing.deleting}).`, details)
  const wanted = namesVersion(action.conditions)
  if (wanted !== undefined && wanted !== versionOf(existing)) {
    if (namedVersion === undefined) return 'stale'
    const { entity } = action.origin
    return new FreeholdError(
      'VersionConflict',
      `This ${entity} has version ${versionOf(existing)}, not ${wanted}: read it again, then retry.`,
      { entity, version: versionOf(existing) },
    )
  }
  if (action.conditions.some((condition) => condition.is === 'own' && !holds(condition, existing)))
    return new FreeholdError('Denied', `This ${action.origin.entity} would not belong to the tenant that writes it.`, {
      entity: action.origin.entity,
      reason: 'AnotherTenant',
    })
  if (action.kind === 'check' || isAtomic) return refusedOutcome(form, action, existing)
  return 'stale'
}

/**
 * The error for a condition that only damage fails: a guard that is no such item, an edge without one of its items. It names the key, for the
 * repair.
 */
export function damaged({ origin, key }: Action): FreeholdError {
  return new FreeholdError('MalformedItem', `The ${origin.entity} at '${key.PK}' / '${key.SK}' is damaged, so nothing was changed.`, {
    entity: origin.entity,
    key,
  })
}

/** True if the tenant does not see the item: it does not exist, or is outside the tenant's scope (spec rule 22). */
export function isUnseen({ conditions }: Action, existing: Stored | undefined): boolean {
  return conditions.some((condition) => condition.is === 'of' && !condition.isTold && !holds(condition, existing))
}

/** The meaning of a failed condition for the action's step. `shown` is the item that DynamoDB returned with the failure. */
export function outcomeOf(form: DesignForm, action: Action, shown: Stored | undefined, namedVersion: number | undefined): Outcome {
  const { role } = action.origin
  // Neither the version nor the deletion of an item outside the tenant's scope is revealed.
  const existing = isUnseen(action, shown) ? undefined : shown
  const subject = subjectOf(form, action)
  if (role === 'end') return endOutcome(action, subject, existing)
  if (action.kind === 'put' && action.conditions.some(({ is }) => is === 'absent')) return taken(action, subject, existing)
  if (role === 'item') return itemOutcome(form, action, subject, existing, namedVersion)
  // The item has got a new copy, or was removed, since it was read.
  if (role === 'side' && (existing !== undefined || (action.kind === 'update' && action.set.deleting !== undefined))) return 'stale'
  // The guard of another owner, which has changed since it was found so.
  return action.kind === 'check' ? 'stale' : damaged(action)
}

/** The parts of a failed action that fail: the action itself, and checks folded into it. None if the conflict has passed meanwhile. */
export function failedParts(action: Action, existing: Stored | undefined): readonly Action[] {
  return [action, ...(action.checks ?? [])].filter(({ conditions }) => conditions.some((condition) => !holds(condition, existing)))
}

/**
 * The same errors, for a write whose earlier attempt may have been applied. Others may have written since, so a refusal proves nothing
 * (spec rule 13).
 */
export function uncertainly(failures: ReadonlyMap<string, FreeholdError>): ReadonlyMap<string, FreeholdError> {
  return new Map(
    [...failures].map(([step, { code, message, details, cause }]) => {
      return [step, new FreeholdError(code, `${message} ${uncertainSentence}`, { ...details, uncertain: true }, { cause })]
    }),
  )
}
