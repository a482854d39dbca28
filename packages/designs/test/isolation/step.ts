import type { Values } from '../any-item.ts'
import type { Raced } from './race.ts'

export const verbs = ['create', 'ensure', 'createMany', 'get', 'getMany', 'update', 'move', 'remove', 'check', 'transact'] as const
export type Verb = (typeof verbs)[number]
export const questions = ['can', 'canMany', 'why', 'what', 'who', 'where'] as const
export type QuestionName = (typeof questions)[number]

/** One thing that somebody does, with everything spelled out: it means the same whatever is left out before it. */
export interface Step {
  readonly number: number
  readonly now: string
  /** The client in whose tenant scope, or as whose user, it is done; undefined for an operator. */
  readonly client: string | undefined
  readonly kind: Verb | 'list' | 'question' | 'flow' | 'race' | 'wait'
  /** The entity, access pattern, question or flow; of a race the flow; of a wait what is waited for. */
  readonly subject: string
  /** The new item, the id, the parameters, the question or the flow's input. */
  readonly input: Values
  readonly change?: Values
  /** How something is written, listed or asked. */
  readonly how?: Values
  /** The user who acts. */
  readonly actor?: string
  /** The client in whose tenant scope the table of a flow is; without one, the unscoped table. */
  readonly tenantScope?: string
  /** The question that is asked while the flow of a race runs. */
  readonly raced?: Raced
}

/** As it is told where something is wrong. */
export function lineOf({ client = 'an operator', actor, tenantScope, kind, subject, input, change, how, raced, now }: Step): string {
  const shown = (values: object | undefined) =>
    values === undefined || Object.keys(values).length === 0 ? '' : ` ${JSON.stringify(values)}`
  const who = actor === undefined ? client : `${client} as ${actor}`
  return `${who}${tenantScope === undefined ? '' : ` over the table of ${tenantScope}`}: ${kind} ${subject} ${JSON.stringify(input)}${shown(change)}${shown(how)}${shown(raced)} (${now})`
}

/** The ids that a step makes: the same for the same step. */
export function idsOf(number: number): { uuid(): string; ulid(): string } {
  let count = 0
  const next = () => number * 1000 + count++
  return {
    uuid: () => `00000000-0000-4000-9000-${String(next()).padStart(12, '0')}`,
    ulid: () => `02J${String(next()).padStart(23, '0')}`,
  }
}
