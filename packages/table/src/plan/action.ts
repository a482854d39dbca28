import { FreeholdError } from '../errors.ts'
import { type Condition, holds } from './condition.ts'
import { keyText, type TableKey } from './keys.ts'
import type { Path } from './term.ts'
import type { Values } from './values.ts'

/** The origin of an action: the step of the transaction, and the role of the item in it. */
export interface Origin {
  readonly step: string
  readonly role: 'item' | 'guard' | 'mirror' | 'side' | 'end' | 'job' | 'call'
  readonly entity: string
  /** Another program wrote the item that it belongs to, and this is added on the way: nothing rests on it. */
  readonly isCompletion?: true
}

interface Common {
  readonly key: TableKey
  readonly conditions: readonly Condition[]
  readonly origin: Origin
  /** Checks of the same item, folded into this action. A check that fails still fails its own step. */
  readonly checks?: readonly Check[]
}

export interface Put extends Common {
  readonly kind: 'put'
  readonly item: Readonly<Values>
}
export interface Update extends Common {
  readonly kind: 'update'
  readonly set: Readonly<Values>
  readonly remove: readonly string[]
  /** Numbers to add to the stored values. */
  readonly add?: Readonly<Record<string, number>>
  /** An atomic change: applied to the values that DynamoDB finds. */
  readonly atomic?: AtomicParts
  /** The whole item after the update, if it is known: its size is checked before sending (spec rule 2). */
  readonly whole?: Readonly<Values>
}
/** The parts of an update that say the new value by the stored one. */
export interface AtomicParts {
  readonly parts: readonly AtomicPart[]
  /** Sent as a transaction with a token, which may be sent again. */
  readonly isExact: boolean
}

export type AtomicPart =
  /** `isRequired`: the number must be there. Otherwise an absent one counts as 0. */
  | { readonly operation: 'sum'; readonly path: Path; readonly amount: number; readonly isRequired: boolean }
  | { readonly operation: 'join' | 'leave'; readonly attribute: string; readonly members: ReadonlySet<unknown> }
  | { readonly operation: 'append'; readonly attribute: string; readonly elements: readonly unknown[] }
  | { readonly operation: 'ifAbsent'; readonly attribute: string; readonly value: unknown }

export interface Delete extends Common {
  readonly kind: 'delete'
}
export interface Check extends Common {
  readonly kind: 'check'
}
/** One action of a write on one item. */
export type Action = Put | Update | Delete | Check

/** DynamoDB's limits of one transaction. */
export const transactionActionsMax = 100

function samePlace(first: Action, second: Action): FreeholdError {
  const { step, entity } = second.origin
  return new FreeholdError('InvalidInput', `The steps '${first.origin.step}' and '${step}' write the same item (${entity}).`, {
    entity,
    steps: [first.origin.step, step],
  })
}

function takesAway(write: Action): boolean {
  return write.kind === 'delete' || (write.kind === 'update' && write.set.deleting !== undefined)
}

function takenAway(write: Action, { origin: { step, entity } }: Check): FreeholdError {
  return new FreeholdError('InvalidInput', `The step '${step}' needs the ${entity} that the step '${write.origin.step}' removes.`, {
    entity,
    steps: [write.origin.step, step],
  })
}

/** The value of an attribute after the action. */
function valueAfter(action: Action, attribute: string): unknown {
  if (action.kind === 'put') return action.item[attribute]
  return action.kind === 'update' ? action.set[attribute] : undefined
}

/**
 * True for an action that a second delivery cannot apply again, however late it arrives: it needs the exact item that was read, or a mark
 * that it changes itself. One such action lets the whole transaction be applied only once. A creation is none: its item may be removed
 * meanwhile.
 */
export function excludesRepeat(action: Action): boolean {
  const { kind, conditions, origin } = action
  // An atomic change leaves what it asks for, or another writer brings it back.
  if (kind === 'check' || (kind === 'update' && action.atomic !== undefined)) return false
  // Within a day only the call itself takes its record away, once it has its answer.
  if (kind === 'put' && origin.role === 'call') return true
  // The id of a job is never used again.
  if (kind === 'delete' && origin.role === 'job') return true
  return conditions.some((condition) => {
    if (condition.is === 'unchanged') return true
    if (condition.is !== 'equal' || condition.value === undefined) return false
    const { attribute, value } = condition
    // The mark of a removal names its job.
    if (attribute === 'deleting') return true
    return kind !== 'delete' && attribute in (kind === 'put' ? action.item : action.set) && valueAfter(action, attribute) !== value
  })
}

const isMade = (write: Action): write is Put => write.kind === 'put' && write.conditions.some(({ is }) => is === 'absent')

/**
 * Folds a check into the write of the same item (spec rule 10). For an item that this write creates, the planned values decide the check.
 * An item that this write removes cannot be the target of a reference.
 */
function fold(write: Action, check: Check): Action {
  if (isMade(write)) {
    if (check.conditions.every((condition) => holds(condition, write.item))) return write
    const { step, entity } = check.origin
    throw new FreeholdError(
      'InvalidInput',
      `The step '${step}' expects values of the ${entity} that the step '${write.origin.step}' does not write.`,
      {
        entity,
        steps: [write.origin.step, step],
      },
    )
  }
  if (check.origin.role === 'end' && takesAway(write)) throw takenAway(write, check)
  return { ...write, checks: [...(write.checks ?? []), check] }
}

/**
 * Merges actions into one for each item, as DynamoDB requires: checks fold into the writes of the same transaction. Throws `InvalidInput`
 * if two steps write the same item, `TooLarge` for more than 100 actions.
 */
export function mergeActions(actions: readonly Action[]): readonly Action[] {
  const merged = new Map<string, Action>()
  for (const action of actions) {
    const place = keyText(action.key)
    const other = merged.get(place)
    if (other === undefined) merged.set(place, action)
    else if (action.kind === 'check') merged.set(place, fold(other, action))
    else if (other.kind === 'check') merged.set(place, fold(action, other))
    else throw samePlace(other, action)
  }
  if (merged.size > transactionActionsMax) {
    throw new FreeholdError('TooLarge', `This write needs ${merged.size} actions; a transaction has at most ${transactionActionsMax}.`, {
      actions: merged.size,
    })
  }
  return [...merged.values()]
}
