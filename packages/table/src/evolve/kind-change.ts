import type { KindForm } from '../kind/kind.ts'
import { isSame } from './difference.ts'

/** As a lock has it: the limits were read from a file. */
export interface ReadKind {
  readonly kind: string
  readonly limits?: Readonly<Record<string, unknown>> | undefined
}

/**
 * `wider`: each former value is one. `narrower`: some former values may no longer be given, and all are still read. `other`: a former value may be
 * malformed, or mean something else.
 */
export type KindChange = 'same' | 'wider' | 'narrower' | 'other'

const order: readonly KindChange[] = ['same', 'wider', 'narrower', 'other']
const worst = (changes: readonly KindChange[]): KindChange => order[Math.max(0, ...changes.map((each) => order.indexOf(each)))] ?? 'other'

/** Kinds of text that a kind of any text reads, too. */
const texts: ReadonlySet<string> = new Set([
  'text',
  'verbatim',
  'uuid',
  'ulid',
  'opaque id',
  'email',
  'phone',
  'username',
  'code',
  'instant',
  'day',
  'enum',
] satisfies string[])

/** A bound that is lower, or new, where it is the largest: some values are beyond it. */
function boundChange(before: unknown, after: unknown, isLeast: boolean): KindChange {
  if (before === after) return 'same'
  if (after === undefined) return 'wider'
  if (before === undefined) return 'narrower'
  return Number(after) < Number(before) === isLeast ? 'wider' : 'narrower'
}

const members = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The form of members, or of a part. */
const formIn = (value: unknown): ReadKind => ({ kind: '', ...Object(value) })

function partsChange(before: unknown, after: unknown): KindChange {
  // A map of any entries takes those of any parts.
  if (after === undefined) return 'wider'
  if (before === undefined) return 'other'
  const [old, now]: Readonly<Record<string, unknown>>[] = [Object(before), Object(after)]
  return worst(
    [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].map((part) => {
      const [was, is] = [old?.[part], now?.[part]]
      const isOptional = Object(is).optional === true
      if (was === undefined) return isOptional ? 'wider' : 'other'
      if (is === undefined) return 'narrower'
      return worst([
        kindChange(formIn(was), formIn(is)),
        isOptional === (Object(was).optional === true) ? 'same' : isOptional ? 'wider' : 'other',
      ])
    }),
  )
}

function limitChange(kind: string, limit: string, before: unknown, after: unknown): KindChange {
  if (isSame(before, after)) return 'same'
  if (limit === 'max') return boundChange(before, after, false)
  if (limit === 'min') return boundChange(before, after, true)
  if (limit === 'values') return members(before).every((each) => members(after).includes(each)) ? 'wider' : 'other'
  if (limit === 'of') return kindChange(formIn(before), formIn(after))
  if (limit === 'parts') return partsChange(before, after)
  if (after === undefined) return limit === 'or' ? 'other' : 'wider'
  // A stored text is read by its pattern; a whole number, a name without look-alikes and a verbatim text are not looked at again.
  if (limit === 'pattern') return kind === 'text' ? 'other' : 'narrower'
  if (limit === 'or') return before === undefined ? 'wider' : 'other'
  return limit === 'integer' || limit === 'lookAlikes' || limit === 'otherSpellings' ? 'narrower' : 'other'
}

/** How the values of an attribute, or of members, have changed. */
export function kindChange(before: ReadKind, after: ReadKind | KindForm): KindChange {
  const [old, now] = [before.limits ?? {}, after.limits ?? {}]
  if (before.kind !== after.kind) {
    const isAnyText = (after.kind === 'text' || after.kind === 'verbatim') && Object.keys(now).length === 0
    return isAnyText && texts.has(before.kind) ? 'wider' : 'other'
  }
  const limits = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return worst(limits.map((limit) => limitChange(after.kind, limit, old[limit], (now as Readonly<Record<string, unknown>>)[limit])))
}
