import type { Item } from '../../../packages/designs/test/model/parts.ts'
import type { Entry } from '../record.ts'

/** Something that must not be. */
export interface Finding {
  readonly rule: string
  /** A sentence that says what is wrong. */
  readonly message: string
  /** The item that it is about. */
  readonly place?: string
  /** The calls that show it, where these are fewer than all of the place. */
  readonly entries?: readonly Entry[]
}

/** The objects of a comparison: the calls on tables of one design, and the table before and after them. */
export interface Compared {
  readonly entries: readonly Entry[]
  readonly before: ReadonlyMap<string, Item>
  readonly after: ReadonlyMap<string, Item>
}

/** All that a request may be late by, with a machine that is busy: no uncertain call is applied later than this after it ended. */
const late_ms = 5000

/** Until when an uncertain call may be applied: one whose job goes on, whenever that is finished. */
export function latestOf({ end_ms, outcome }: Pick<Entry, 'end_ms' | 'outcome'>): number {
  return outcome.pending.length > 0 ? Number.POSITIVE_INFINITY : end_ms + late_ms
}

/** One line for a call. */
export function lineOf({ process, lane, seq, name, input, start_ms, end_ms, outcome }: Entry): string {
  const told =
    outcome.is === 'ok'
      ? Object.values(outcome.items).map((item) => JSON.stringify(item))
      : [outcome.message.split('\n')[0]?.slice(0, 160) ?? '']
  const words = [
    outcome.is === 'ok' ? 'ok' : `${outcome.code}${outcome.uncertain ? ' (uncertain)' : ''}`,
    ...(outcome.is === 'ok' && outcome.said !== undefined ? [outcome.said] : []),
    ...(outcome.is === 'ok' && outcome.count !== undefined ? [`count ${outcome.count}`] : []),
    ...(outcome.pending.length > 0 ? [`pending ${JSON.stringify(outcome.pending)}`] : []),
    ...told,
  ]
  return `${start_ms.toFixed(1)}–${end_ms.toFixed(1)} ${process}/${lane}/${seq} ${name} ${JSON.stringify(input)} > ${words.join(', ')}`
}
