import { type Attribute, type Attributes, isFreeholdError } from '@freehold/table'
import { parallelMap } from '@freehold/table/runtime'
import type { Reason } from '../../decision/decision.ts'
import { type Flow, isClosedToUsers } from '../flow.ts'
import type { FlowContext } from '../flow-host.ts'
import { readInput } from '../input/input-attributes.ts'
import { neededFor } from './permission-table.ts'
import { permissionAsked, undecided } from './permitted.ts'

type Values = Readonly<Record<string, unknown>>

/** A call that somebody may make: a flow, and its input as far as that is known. */
export interface PlannedCall {
  readonly flow: string
  readonly input: Values
}

/** Whether the caller holds the permission of a call. The flow may refuse the call for another reason. */
export interface Permitted {
  readonly allowed: boolean
  /** Why not. */
  readonly reason?: Reason
  /** The input that tells where the permission is needed, if it is not known yet: then nothing is allowed so far. */
  readonly lacks?: string
}

/** A scope rests on an input that is not known. */
class LackedInput extends Error {}

/** The input of a call as far as it is known, read as the whole is. Throws `InvalidInput`. */
export function readPart({ name, input: attributes }: Pick<Flow<never>, 'name' | 'input'>, raw: unknown): Values {
  const isThere = ([each, { presence }]: readonly [string, Attribute]) => presence !== 'given' || Object.hasOwn(Object(raw), each)
  return readInput(name, Object.fromEntries(Object.entries(attributes).filter(isThere)), raw)
}

/** The same, where a required input that is not known says so when it is looked at, also by a scope that spreads its input. */
function telling(attributes: Attributes, known: Values): Values {
  const lacked = Object.keys(attributes).filter((name) => attributes[name]?.presence === 'given' && !Object.hasOwn(known, name))
  const throwing = (name: string) => () => {
    throw new LackedInput(name)
  }
  return Object.defineProperties({ ...known }, Object.fromEntries(lacked.map((name) => [name, { enumerable: true, get: throwing(name) }])))
}

/** The refusal that a call would meet. An outage is none: it is thrown. */
function refusalOf(error: unknown): Permitted {
  if (error instanceof LackedInput) return { allowed: false, lacks: error.message }
  if (!isFreeholdError(error) || !['denied', 'missing', 'invalid'].includes(error.category)) throw error
  const { reason } = error.details as { readonly reason?: unknown }
  const code = typeof reason === 'string' ? reason : error.code
  return { allowed: false, reason: { kind: error.category === 'denied' ? 'policy' : 'unknown', code, message: error.message.trim() } }
}

/**
 * Which of these calls the caller may make, in their order: by one batch of questions, each asked once. Nothing is written, and no denied call is recorded.
 * Throws `Unavailable` if it could not be decided.
 */
export async function permittedCalls<C extends FlowContext>(
  context: C,
  calls: readonly PlannedCall[],
  flowNamed: (name: string) => Flow<C>,
): Promise<readonly Permitted[]> {
  const asked = await parallelMap(calls, async ({ flow: name, input }) => {
    try {
      const flow = flowNamed(name)
      const own = { ...context, flow: flow.name }
      const needs = neededFor(context.host, flow.name, flow.needs)
      const known = readPart(flow, input)
      const isAnywhere = context.user === undefined || isClosedToUsers(needs)
      // The scopes of a flow are those of its context, and it looks at its own input.
      const within = isAnywhere ? 'system' : await flow.scope?.(own, telling(flow.input, known) as never)
      return await permissionAsked(own, needs, (within ?? 'system') as never)
    } catch (error) {
      return refusalOf(error)
    }
  })
  const questions = new Map(
    asked.flatMap((each) => (each !== undefined && 'question' in each ? [[JSON.stringify(each.question), each.question]] : [])),
  )
  const answers = questions.size === 0 ? [] : await context.decider().canMany([...questions.values()], { consistency: 'strong' })
  const byQuestion = new Map([...questions.keys()].map((text, index) => [text, answers[index]]))
  return asked.map((each): Permitted => {
    if (each === undefined) return { allowed: true }
    if (!('question' in each)) return each
    const { allowed = false, reason } = byQuestion.get(JSON.stringify(each.question)) ?? {}
    if (reason?.kind === 'fault') throw undecided(context.flow, reason)
    return allowed ? { allowed } : refusalOf(each.refusal(reason))
  })
}
