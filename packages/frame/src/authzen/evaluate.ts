import { type FreeholdError, isFreeholdError } from '@freehold/table'
import { parallelMap } from '@freehold/table/runtime'
import type { Can, Decider, Reason } from '../decision/decision.ts'
import type { AuthzenMapping, Taken } from './mapping.ts'
import { type Evaluation, readEvaluation, readEvaluations, readOneOfEvaluations, readOptions, type Semantic } from './request.ts'
import { takenOf } from './taken.ts'

type Members = Readonly<Record<string, unknown>>

/** The Decision of the specification. */
export interface Decision {
  readonly decision: boolean
  readonly context?: Members
}

/** An answer, and the fault behind it: then the body is not the whole truth. */
export interface Answered<T> {
  readonly body: T
  readonly fault?: Reason | undefined
}

/** The statuses of the specification's table of errors, which an error of one evaluation has, too. */
const badRequest = 400
const internalError = 500

/** So many names of what was given and is not used are told, and so much of each: each of many evaluations may have them from the defaults. */
const unusedMax = 100
const unusedChars_max = 100

/**
 * The reason, for administrators: a PEP must not show it to the user. A denial has it only if the request asks for reasons: runners of the specification compare
 * a denial with one that has none.
 */
export function contextOf(reason: Reason | undefined, unused: readonly string[], isAsked: boolean): { readonly context?: Members } {
  if (reason !== undefined && !isAsked) return {}
  const members = {
    ...(reason === undefined ? {} : { reason_admin: { [reason.code]: reason.message } }),
    ...(unused.length === 0 ? {} : { unused: unused.slice(0, unusedMax).map((name) => name.slice(0, unusedChars_max)) }),
  }
  return Object.keys(members).length === 0 ? {} : { context: members }
}

/** A name that cannot be one is unknown: AuthZEN takes any text as an id. */
export const unnameable = ({ message }: FreeholdError): Reason => ({ kind: 'unknown', code: 'InvalidInput', message })

/** A decision, as the answer to it. A fault that is due to what was asked denies, as a policy does. */
export const isOutage = ({ faultsOfRequests = [] }: AuthzenMapping, reason: Reason | undefined): boolean =>
  reason?.kind === 'fault' && !faultsOfRequests.includes(reason.code)

/** A question that can be asked, or the decision without one. */
type Prepared = { readonly taken: Taken } | { readonly decided: Answered<Decision> }

async function prepare(mapping: AuthzenMapping, asked: Evaluation, withReasons: boolean): Promise<Prepared> {
  const taken = await takenOf(mapping, asked)
  const { reason, unused } = taken
  return reason === undefined ? { taken } : { decided: { body: { decision: false, ...contextOf(reason, unused, withReasons) } } }
}

/** The answers to many questions, side by side and by the same definitions. A question that cannot be asked is denied alone. */
async function canAll(decider: Decider, questions: readonly object[]): Promise<readonly Can[]> {
  const malformed = (error: unknown): Can => {
    if (!isFreeholdError(error, 'InvalidInput')) throw error
    return { allowed: false, reason: unnameable(error) }
  }
  return decider.canMany(questions).catch((error: unknown) => {
    if (!isFreeholdError(error, 'InvalidInput')) throw error
    return parallelMap(questions, (question) => decider.can(question).catch(malformed))
  })
}

async function decideAll(
  mapping: AuthzenMapping,
  decider: Decider,
  all: readonly Prepared[],
  withReasons: boolean,
): Promise<readonly Answered<Decision>[]> {
  const taken = all.flatMap((each) => ('taken' in each ? each.taken : []))
  const answers =
    taken.length === 0
      ? []
      : await canAll(
          decider,
          taken.map(({ question }) => question),
        )
  const decided = new Map(taken.map((each, at) => [each, answers[at]]))
  return all.map((each) => {
    if ('decided' in each) return each.decided
    const { allowed = false, reason } = decided.get(each.taken) ?? {}
    const body = { decision: allowed, ...contextOf(reason, each.taken.unused, withReasons) }
    return isOutage(mapping, reason) ? { body, fault: reason } : { body }
  })
}

const failed = (status: number, message: string): Decision => ({ decision: false, context: { error: { status, message } } })

/** Prepares one of many. What is wrong with it is its own: the others are decided all the same. */
async function prepareOne(mapping: AuthzenMapping, merged: unknown, withReasons: boolean): Promise<Prepared> {
  try {
    return await prepare(mapping, readOneOfEvaluations(merged), withReasons)
  } catch (error) {
    if (!isFreeholdError(error, 'InvalidInput')) throw error
    return { decided: { body: failed(badRequest, error.message) } }
  }
}

/** The decision that ends the evaluations early; undefined if all are executed. */
const endOf: Readonly<Record<Semantic, boolean | undefined>> = {
  execute_all: undefined,
  deny_on_first_deny: false,
  permit_on_first_permit: true,
}

/** The Access Evaluation API. Throws `InvalidInput` for a malformed request. */
export async function evaluate(mapping: AuthzenMapping, decider: Decider, body: Members): Promise<Answered<Decision>> {
  const { withReasons } = readOptions(body)
  const [answer] = await decideAll(mapping, decider, [await prepare(mapping, readEvaluation(body), withReasons)], withReasons)
  if (answer === undefined) throw new Error('One evaluation gives one answer.')
  return answer
}

/**
 * The Access Evaluations API. All are decided side by side, also where the semantic ends at the first of a kind: what would not have been asked is
 * not told. Without evaluations it is the Access Evaluation API.
 */
export async function evaluateMany(
  mapping: AuthzenMapping,
  decider: Decider,
  body: Members,
  evaluations_max: number,
): Promise<Answered<Decision | { readonly evaluations: readonly Decision[] }>> {
  const { semantic, withReasons, each } = readEvaluations(body, evaluations_max)
  if (each === undefined) return evaluate(mapping, decider, body)
  const prepared = await parallelMap(each, (merged) => prepareOne(mapping, merged, withReasons))
  const answers = await decideAll(mapping, decider, prepared, withReasons)
  const end = answers.findIndex(({ body: { decision } }) => decision === endOf[semantic])
  const told = end < 0 ? answers : answers.slice(0, end + 1)
  const evaluations = told.map((answer) => (answer.fault === undefined ? answer.body : failed(internalError, answer.fault.message)))
  return { body: { evaluations }, fault: told.find(({ fault }) => fault !== undefined)?.fault }
}
