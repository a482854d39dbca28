import type { RoundRecord } from './run-round.ts'

type Counts = Readonly<Record<string, number>>

function counted(names: readonly string[]): Counts {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

const added = (one: Counts, other: Counts): Counts =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]),
  )

/** The parts of a campaign, by number. */
export interface Tally {
  readonly calls: Counts
  readonly outcomes: Counts
  readonly faults: Counts
  readonly requests: number
  readonly restarts: number
}

export function tallyOf({ entries, faults, requests, restarts }: RoundRecord): Tally {
  const outcomes = entries.map(({ outcome }) => {
    const pending = outcome.pending.length > 0 ? ', pending' : ''
    return outcome.is === 'ok' ? `ok${pending}` : `${outcome.code}${outcome.uncertain ? ', uncertain' : ''}${pending}`
  })
  return {
    calls: counted(entries.map(({ name }) => name)),
    outcomes: counted(outcomes),
    faults: Object.fromEntries(faults),
    requests,
    restarts,
  }
}

export const sum = (counts: Counts): number => Object.values(counts).reduce((total, count) => total + count, 0)

export function addTallies(one: Tally, other: Tally): Tally {
  return {
    calls: added(one.calls, other.calls),
    outcomes: added(one.outcomes, other.outcomes),
    faults: added(one.faults, other.faults),
    requests: one.requests + other.requests,
    restarts: one.restarts + other.restarts,
  }
}

function listed(title: string, counts: Counts): string {
  const entries = Object.entries(counts).sort(([, one], [, other]) => other - one)
  return `${title} (${sum(counts)}): ${entries.map(([name, count]) => `${name} ${count}`).join('; ')}`
}

/** The counts as lines of text. */
export function tallyLines({ calls, outcomes, faults, requests, restarts }: Tally): string {
  return [
    listed('calls', calls),
    listed('outcomes', outcomes),
    `${listed('faults', faults)}; in ${requests} requests, the engine restarted ${restarts} times`,
  ].join('\n')
}
