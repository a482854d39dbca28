import fc from 'fast-check'
import type { Values } from './templates.ts'

export const writes = ['create', 'ensure', 'update', 'move', 'remove'] as const
export const verbs = [...writes, 'get', 'query', 'wait'] as const
export type Verb = (typeof verbs)[number]

export interface Reading {
  readonly limit?: number
  readonly order?: 'ascending' | 'descending'
  readonly consistent?: boolean
}

/** One thing that is done to a table, with everything spelled out: it means the same whatever is left out before it. */
export interface Step {
  readonly verb: Verb
  /** The entity, or the access pattern. */
  readonly subject: string
  /** Tells the ids that are made. */
  readonly number: number
  readonly now: string
  /** The new item, the id, or the parameters. */
  readonly input: Values
  readonly change?: Values
  /** The version that is named. */
  readonly version?: number
  readonly reading?: Reading
  /** Takes also what would keep an item from being removed. */
  readonly inUse?: 'cascade'
}

const shown = (values: object | undefined) => (values === undefined || Object.keys(values).length === 0 ? '' : ` ${JSON.stringify(values)}`)

/** `update User {"id":"a"} {"name":"ann"} version 2 (2026-01-31T12:00:00.000Z)` */
export function lineOf({ verb, subject, now, input, change, version, reading, inUse }: Step): string {
  const what = verb === 'wait' ? '' : ` ${subject} ${JSON.stringify(input)}`
  const named = version === undefined ? '' : ` version ${version}`
  const forced = inUse === undefined ? '' : ` inUse ${inUse}`
  return `${verb}${what}${shown(change)}${named}${forced}${shown(reading)} (${now})`
}

/** The ids that a step makes: the same for the same step. */
export function idsOf({ number }: Pick<Step, 'number'>): { uuid(): string; ulid(): string } {
  let count = 0
  const next = () => number * 100 + count++
  return {
    uuid: () => `00000000-0000-4000-9000-${String(next()).padStart(12, '0')}`,
    ulid: () => `02J${String(next()).padStart(23, '0')}`,
  }
}

/** fast-check prints values by this. */
export function printed(step: Step): Step {
  return Object.assign(step, { [fc.toStringMethod]: () => lineOf(step) })
}
