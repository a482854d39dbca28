import { type FreeholdError, isFreeholdError } from '@freehold/table'
import { parallelMap } from '@freehold/table/runtime'
import type { Decider, Reason } from '../decision/decision.ts'
import type { AuthzenMapping, Fields } from './mapping.ts'
import { type Evaluation, readEvaluation, readEvaluations, readOneOfEvaluations, type SearchKind, type Semantic } from './request.ts'

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

/** The reason, for administrators: a PEP must not show it to the user. */
export function contextOf(reason: Reason | undefined, unused: readonly string[]): { readonly context?: Members } {
  const members = {
    ...(reason === undefined ? {} : { reason_admin: { [reason.code]: reason.message } }),
    ...(unused.length === 0 ? {} : { unused }),
  }
  return Object.keys(members).length === 0 ? {} : { context: members }
}

export const unknownType = (what: string, type: string): Reason => ({
  kind: 'unknown',
  code: `Unknown${what}`,
  message: `There is no ${what.toLowerCase()} of the type ${JSON.stringify(type)} here.`,
})

/** A name that cannot be one is unknown: AuthZEN takes any text as an id. */
export const unnameable = ({ message }: FreeholdError): Reason => ({ kind: 'unknown', code: 'InvalidInput', message })

/** Names of what was given and is not used, at most. */
const unusedMax = 100

const namesIn = (path: string, members: Members) => Object.keys(members).map((name) => `${path}.${name}`)

/** What a design takes of an evaluation: fields of its question, and the names of the rest. The reason if it has no such type. */
export function takenOf(
  mapping: AuthzenMapping,
  { subject, action, resource, context }: Evaluation,
  searched?: SearchKind,
): { readonly question: Fields; readonly unused: readonly string[]; readonly reason?: Reason } {
  const subjects = mapping.subject(subject.type)
  const resources = mapping.resource(resource.type)
  const taken = mapping.context?.(context) ?? { fields: {}, unused: Object.keys(context) }
  const propertiesOf = (path: string, properties: Members, takes: boolean | undefined) =>
    takes === true ? [] : namesIn(`${path}.properties`, properties)
  const unused = [
    ...propertiesOf('subject', subject.properties, subjects?.takesProperties),
    ...propertiesOf('action', action.properties, mapping.action.takesProperties),
    ...propertiesOf('resource', resource.properties, resources?.takesProperties),
    ...taken.unused.map((name) => `context.${name}`),
  ].slice(0, unusedMax)
  if (subjects === undefined) return { question: {}, unused, reason: unknownType('Subject', subject.type) }
  if (resources === undefined) return { question: {}, unused, reason: unknownType('Resource', resource.type) }
  const question = {
    ...taken.fields,
    ...(searched === 'subject' ? {} : subjects.asked(subject)),
    ...(searched === 'action' ? {} : mapping.action.asked(action)),
    ...(searched === 'resource' ? {} : resources.asked(resource)),
  }
  return { question, unused }
}

async function decide(mapping: AuthzenMapping, decider: Decider, asked: Evaluation): Promise<Answered<Decision>> {
  const { question, unused, reason } = takenOf(mapping, asked)
  if (reason !== undefined) return { body: { decision: false, ...contextOf(reason, unused) } }
  try {
    const can = await decider.can(question)
    const fault = can.reason?.kind === 'fault' ? can.reason : undefined
    return { body: { decision: can.allowed, ...contextOf(can.reason, unused) }, fault }
  } catch (error) {
    if (!isFreeholdError(error, 'InvalidInput')) throw error
    return { body: { decision: false, ...contextOf(unnameable(error), unused) } }
  }
}

/** Decides one of many. What is wrong with it, and a fault, are its own: the others are decided all the same. */
async function decideOne(mapping: AuthzenMapping, decider: Decider, merged: unknown): Promise<Answered<Decision>> {
  const failed = (status: number, message: string): Decision => ({ decision: false, context: { error: { status, message } } })
  try {
    const { body, fault } = await decide(mapping, decider, readOneOfEvaluations(merged))
    return fault === undefined ? { body } : { body: failed(internalError, fault.message), fault }
  } catch (error) {
    if (!isFreeholdError(error, 'InvalidInput')) throw error
    return { body: failed(badRequest, error.message) }
  }
}

/** The decision that ends the evaluations early; undefined if all are executed. */
const endOf: Readonly<Record<Semantic, boolean | undefined>> = {
  execute_all: undefined,
  deny_on_first_deny: false,
  permit_on_first_permit: true,
}

/** The Access Evaluation API. Throws `InvalidInput` for a malformed request. */
export function evaluate(mapping: AuthzenMapping, decider: Decider, body: Members): Promise<Answered<Decision>> {
  return decide(mapping, decider, readEvaluation(body))
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
  const { semantic, each } = readEvaluations(body, evaluations_max)
  if (each === undefined) return evaluate(mapping, decider, body)
  const answers = await parallelMap(each, (merged) => decideOne(mapping, decider, merged))
  const end = answers.findIndex(({ body: { decision } }) => decision === endOf[semantic])
  const told = end < 0 ? answers : answers.slice(0, end + 1)
  return { body: { evaluations: told.map((answer) => answer.body) }, fault: told.find(({ fault }) => fault !== undefined)?.fault }
}
