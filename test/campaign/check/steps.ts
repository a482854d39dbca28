import type { Item } from '../../../packages/designs/test/model/parts.ts'
import { toldItem } from '../outcome-of.ts'
import { type Entry, isRefused, isUncertain, type Touch } from '../record.ts'
import { latestOf } from './finding.ts'

/** One item at one instant, as far as its history tells. */
export type State = { readonly is: 'absent' } | (Omit<There, 'is'> & { readonly is: 'going' }) | There

interface There {
  readonly is: 'there'
  readonly version: number
  /** Of the call that wrote it last. */
  readonly marker: string
  /** When this incarnation was created, as far as that is known. */
  readonly born?: string | undefined
}

/** One change of one item in an instant between `from` and `until`. */
export interface Step {
  readonly entry: Entry
  readonly kind: 'create' | 'update' | 'mark' | 'unmark' | 'go' | 'see absent' | 'see taken' | 'see going'
  readonly from: number
  readonly until: number
  /** It happened; else it may have. */
  readonly isSure: boolean
  /** The version that the call was told, and of which incarnation. */
  readonly version?: number | undefined
  readonly born?: string | undefined
}

const forever = Number.POSITIVE_INFINITY

function stepsOfDone(entry: Entry, { verb, place }: Touch): Step[] {
  const { outcome, start_ms: from, end_ms: until, waits } = entry
  if (outcome.is !== 'ok') return []
  const common = { entry, from, until, isSure: true, ...outcome.items[place] }
  switch (verb) {
    case 'create':
    case 'update':
      return [{ ...common, kind: verb }]
    case 'may-update':
      return [{ ...common, kind: 'update', isSure: false }]
    case 'remove': {
      const mark = { ...common, kind: 'mark', version: undefined } as const
      const go = { ...common, kind: 'go', version: undefined } as const
      if (outcome.pending.length === 0) return [mark, { ...go, until: waits ? until : forever }]
      // The process that finishes the job may find the item in use, and take the mark off again.
      return [mark, { ...go, until: forever, isSure: false }, { ...go, kind: 'unmark', until: forever, isSure: false }]
    }
    default:
      return []
  }
}

function stepsOfUncertain(entry: Entry, { verb }: Touch): Step[] {
  const common = { entry, from: entry.start_ms, until: latestOf(entry), isSure: false }
  // The embedded engine forgets tokens when it restarts: a creation may then be done again, once another has removed the item; it is uncertain for that.
  if (verb === 'create') return [1, 2].map(() => ({ ...common, kind: verb }))
  if (verb === 'update') return [{ ...common, kind: verb }]
  if (verb === 'may-update') return [{ ...common, kind: 'update' }]
  if (verb !== 'remove') return []
  return [
    { ...common, kind: 'mark' },
    { ...common, kind: 'go', until: forever },
    { ...common, kind: 'unmark', until: forever },
  ]
}

/** The state of the item that a refusal tells. Only of a call that is one write: a flow may have looked at something else. */
function stepsOfRefused(entry: Entry, { verb }: Touch): Step[] {
  const { outcome, start_ms: from, end_ms: until, steps, touches } = entry
  if (outcome.is !== 'error') return []
  const common = { entry, from, until }
  // A removal that is refused since the item is in use marks it, looks, and takes the mark off again.
  if (verb === 'remove' && outcome.code === 'InUse')
    return [
      { ...common, kind: 'mark', isSure: false },
      { ...common, kind: 'unmark', isSure: false },
    ]
  if (steps > 1 || touches.length > 1) return []
  if (verb !== 'create' && outcome.code === 'NotFound') return [{ ...common, kind: 'see absent', isSure: true }]
  if (verb !== 'create' && outcome.code === 'BeingDeleted') return [{ ...common, kind: 'see going', isSure: true }]
  if (verb === 'create' && outcome.code === 'AlreadyExists' && outcome.guard === undefined)
    return [{ ...common, kind: 'see taken', isSure: true }]
  return []
}

/** The steps that a call made on one item, or may have made. */
export function stepsOn(place: string, entry: Entry): Step[] {
  return entry.touches.flatMap((touch) => {
    if (touch.place !== place) return []
    if (isUncertain(entry)) return stepsOfUncertain(entry, touch)
    return isRefused(entry) ? stepsOfRefused(entry, touch) : stepsOfDone(entry, touch)
  })
}

export function stateOf(item: Item | undefined): State {
  if (item === undefined) return { is: 'absent' }
  const { version = Number(item.version), born } = toldItem(item)
  return { is: item.deleting === undefined ? 'there' : 'going', version, born, marker: '' }
}

/** The state after a step; undefined where the step cannot be made. */
export function afterStep(state: State, { kind, entry, version, born }: Step): State | undefined {
  const { marker } = entry
  if (kind === 'see absent') return state.is === 'absent' ? state : undefined
  if (kind === 'see taken') return state.is === 'absent' ? undefined : state
  if (kind === 'see going') return state.is === 'going' ? state : undefined
  if (kind === 'create') return state.is === 'absent' && (version ?? 1) === 1 ? { is: 'there', version: 1, marker, born } : undefined
  if (state.is === 'absent') return undefined
  const next = state.version + 1
  if (kind === 'go') return state.is === 'going' ? { is: 'absent' } : undefined
  if (kind === 'unmark') return state.is === 'going' ? { ...state, is: 'there', version: next } : undefined
  if (state.is === 'going') return undefined
  if (kind === 'mark') return { ...state, is: 'going', version: next }
  const isSame = (born ?? state.born) === (state.born ?? born)
  return isSame && (version ?? next) === next ? { is: 'there', version: next, marker, born: state.born ?? born } : undefined
}
