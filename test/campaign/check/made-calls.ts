import { type Entry, markerOf, type Outcome, type Touch } from '../record.ts'
import type { Compared } from './finding.ts'

// Histories written by hand, to see that each rule finds what violates it and nothing else.

export const place = 'LOCATION#L1 / META'
export const item = { PK: 'LOCATION#L1', SK: 'META', Type: 'Location', locationId: 'L1' }
const born = '2026-01-01T00:00:00.000Z'

let seq = 0

type Told = { readonly version?: number; readonly born?: string; readonly count?: number; readonly pending?: boolean }

export function ok({ version, born: at = born, count, pending = false }: Told = {}): Outcome {
  return {
    is: 'ok',
    items: version === undefined ? {} : { [place]: { version, born: at } },
    ...(count === undefined ? {} : { count }),
    pending: pending ? [{ job: 'J1' }] : [],
  }
}

export function refused(code: string, uncertain = false): Outcome {
  return { is: 'error', code, message: code, uncertain, failures: [], pending: [] }
}
export const unsure: Outcome = refused('Unavailable', true)

type Made = Partial<Omit<Entry, 'touches' | 'outcome'>> & { readonly touch?: Partial<Touch> }

/** A call on the one place, between two instants; its marker stands in its input. */
export function made(verb: Touch['verb'], [start_ms, end_ms]: readonly [number, number], outcome: Outcome, more: Made = {}): Entry {
  seq += 1
  const marker = markerOf(1, 1, seq)
  const { touch, ...rest } = more
  return {
    name: `rebac Location.${verb}`,
    design: 'rebac',
    input: { name: marker },
    touches: [{ entity: 'Location', place, verb, isAlone: true, ...touch }],
    steps: 1,
    waits: verb === 'remove',
    process: 1,
    lane: 1,
    seq,
    marker,
    start_ms,
    end_ms,
    outcome,
    ...rest,
  }
}

/** The calls, with nothing before them, and the place as it is after them: absent unless something is said of it. */
export function compared(
  entries: readonly Entry[],
  after?: Readonly<Record<string, unknown>>,
  before?: Readonly<Record<string, unknown>>,
): Compared {
  const table = (there: typeof after) => new Map(there === undefined ? [] : [[place, { ...item, createdAt: born, ...there }]])
  return { entries, before: table(before), after: table(after) }
}
