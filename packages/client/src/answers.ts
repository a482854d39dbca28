import type { Values } from './caller.ts'
import { ProblemError, uncertain } from './problem-error.ts'
import type { Incoming } from './send.ts'

// The forms of answers. An address may be that of another program, or of somebody else's.

export interface Page {
  readonly items: readonly unknown[]
  readonly cursor?: string
}

const message = 'The answer is none to what was asked: is this address that of the service?'
const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The error for an answer that is none. */
export const malformed = (status: number) => new ProblemError(status, 'Malformed', message)

const isReason = (value: unknown): boolean =>
  value === undefined || (isObject(value) && [value.kind, value.code, value.message].every((each) => typeof each === 'string'))
export const isListOfObjects = (value: unknown): value is readonly Values[] => Array.isArray(value) && value.every(isObject)

/** What was answered, if it decides: only `true` allows, and what is no answer is a fault. */
export function decisionOf(answer: unknown): Values {
  if (isObject(answer) && typeof answer.allowed === 'boolean' && isReason(answer.reason)) return answer
  return { allowed: false, reason: { kind: 'fault', code: 'Malformed', message } }
}

/** A decision with its evidence. */
export function evidenceOf(answer: unknown): Values {
  const { chains, missing } = Object(answer)
  const isWhole = Array.isArray(chains) && chains.every(isListOfObjects) && isListOfObjects(missing)
  const decision = decisionOf(isWhole ? answer : undefined)
  return decision === answer ? decision : { ...decision, chains: [], missing: [] }
}

/** The answers to so many questions. With another number, nobody knows which is for which. */
export function decisionsOf(answers: unknown, count: number): readonly Values[] {
  const all: readonly unknown[] = Array.isArray(answers) && answers.length === count ? answers : Array.from({ length: count })
  return all.map(decisionOf)
}

/** What a write gives: an item, values, or the jobs that it left. */
export function writtenOf({ status, body }: Incoming): Values {
  if (!isObject(body)) throw uncertain(malformed(status))
  return body
}

/** The same of a write that may give nothing, which is a status of its own. */
export const doneOf = (incoming: Incoming): Values | undefined => (incoming.status === 204 ? undefined : writtenOf(incoming))

export function objectOf({ status, body }: Incoming): Values {
  if (!isObject(body)) throw malformed(status)
  return body
}

/** The list that an answer has under this name. */
export function listIn(incoming: Incoming, name: string): readonly Values[] {
  const list = objectOf(incoming)[name]
  if (!isListOfObjects(list)) throw malformed(incoming.status)
  return list
}

export function isPage(body: unknown): body is Page {
  return isObject(body) && isListOfObjects(body.items) && isReason(body.reason) && ['string', 'undefined'].includes(typeof body.cursor)
}

export function pageOf({ status, body }: Incoming): Page {
  if (!isPage(body)) throw malformed(status)
  return body
}
