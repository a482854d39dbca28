import { type Entity, type Issue, isFreeholdError } from '@freehold/table'
import { day_ms, invalidInput, tableKey } from '@freehold/table/runtime'
import type { AskedName, Consistency, QuestionName } from './decision.ts'

type Input = Readonly<Record<string, unknown>>

/** Why a field does not fit; undefined where it does. */
export type FieldProblem = { readonly problem: string }

/** Turns the text of a field into what is looked up, or says why no such name can be. */
export type FieldReader<T> = (text: string) => T | FieldProblem

/** A field that need not be text, or need not be there. */
export interface FieldOf<T, O extends boolean = boolean> {
  readonly isOptional: O
  /** Normalises the value, or says what is wrong with it. */
  read(value: unknown): T | FieldProblem
}

/** A field of text that may be absent. */
export function optionalText<T>(reader: FieldReader<T>): FieldOf<T, true> {
  return { isOptional: true, read: (value) => (typeof value === 'string' ? reader(value) : { problem: 'is not text' }) }
}

/** Text as an attribute of an entity normalises it, which the entity's key can hold: nothing else finds one. */
export function nameOf(entity: Entity, attribute: string): FieldReader<string> {
  return (text) => {
    const result = entity.attributes[attribute]?.schema.safeParse(text)
    if (result?.success !== true) return { problem: result?.error.issues[0]?.message ?? 'is not a name' }
    const value = String(result.data)
    try {
      tableKey(entity, { [attribute]: value })
      return value
    } catch (error) {
      if (!isFreeholdError(error, 'InvalidKey')) throw error
      return { problem: 'is not a name: it is empty, too long, or holds a control character' }
    }
  }
}

type AnyField = FieldReader<unknown> | FieldOf<unknown>

function isProblem(value: unknown): value is FieldProblem {
  return typeof value === 'object' && value !== null && 'problem' in value
}

function asRecord(question: AskedName, input: unknown, what: string): Input {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidInput(question, [{ path: [], message: `the ${what} is not an object` }], { question })
  return input as Input
}

/** A refusal names no more of them: a mebibyte of names would be answered with sixteen. */
const unknownFieldsMax = 10

type Read<R> = {
  readonly [F in keyof R]: R[F] extends FieldReader<infer T>
    ? T
    : R[F] extends FieldOf<infer T, infer O>
      ? true extends O
        ? T | undefined
        : T
      : never
}

/**
 * In UTF-16 units: more than the keys of an item hold (spec rule 2), so that nothing is called that, and it is neither normalised nor looked up, nor
 * remembered that it is not there.
 */
const textMax = 4096

function readValue(field: AnyField, value: unknown): unknown {
  if (typeof value === 'string' && value.length > textMax) return { problem: `is longer than ${textMax} characters` }
  if (typeof field !== 'function') return field.read(value)
  return typeof value === 'string' ? field(value) : { problem: 'is not text' }
}

/**
 * A question with exactly these fields, normalised: text, unless a field says otherwise. No text has a special meaning here, so none is a
 * wildcard (spec rule 21).
 * Throws `InvalidInput` naming each field that is missing, unknown or of another kind.
 * @param alsoWrong what is wrong with the fields together, as they were given
 */
export function readQuestion<const R extends Readonly<Record<string, AnyField>>>(
  question: AskedName,
  readers: R,
  input: unknown,
  alsoWrong: (given: Input) => readonly Issue[] = () => [],
): Read<R> {
  const given = asRecord(question, input, 'question')
  const issues: Issue[] = Object.keys(given)
    .filter((name) => !Object.hasOwn(readers, name))
    .slice(0, unknownFieldsMax)
    .map((name) => ({ path: [name], message: `is not a field of this question, which has ${Object.keys(readers).join(', ')}` }))
  const read: Record<string, unknown> = {}
  for (const [name, reader] of Object.entries(readers)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const isOptional = typeof reader !== 'function' && reader.isOptional
    if (value === undefined && isOptional) continue
    if (value === undefined || (value === null && !isOptional)) issues.push({ path: [name], message: 'is missing' })
    else {
      const result = readValue(reader, value)
      if (isProblem(result)) issues.push({ path: [name], message: result.problem })
      else read[name] = result
    }
  }
  issues.push(...alsoWrong(given))
  if (issues.length > 0) throw invalidInput(question, issues, { question })
  // Each field of R was read by its own reader.
  return read as Read<R>
}

/** How a list is asked for, with its defaults. */
export interface HowListed {
  readonly consistency: Consistency
  readonly limit: number
  readonly cursor: string | undefined
}

const limitMax = 1000
const limitDefault = 100
/** A day: what holds longer is no snapshot. */
export const lastsMax_ms = day_ms

function wholeNumberProblem(value: unknown, most: number): string | undefined {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most ? undefined : `is not a whole number from 1 to ${most}`
}

function problemOf(name: string, value: unknown): string | undefined {
  switch (name) {
    case 'consistency':
      return value === 'strong' || value === 'bounded' ? undefined : "is neither 'strong' nor 'bounded'"
    case 'limit':
      return wholeNumberProblem(value, limitMax)
    case 'lasts_ms':
      return wholeNumberProblem(value, lastsMax_ms)
    case 'cursor':
      return typeof value === 'string' ? undefined : 'is not text'
    default:
      return typeof value === 'boolean' ? undefined : 'is not true or false'
  }
}

/** Validates how a question is asked; `more` are further flags that it knows. Throws `InvalidInput`. */
function readHow(question: AskedName, names: readonly string[], how: unknown): Input {
  const given = asRecord(question, how ?? {}, 'second argument')
  const issues = Object.entries(given).flatMap(([name, value]): Issue[] => {
    if (!names.includes(name)) return [{ path: [name], message: `is not a way to ask, which are ${names.join(', ')}` }]
    const problem = value === undefined ? undefined : problemOf(name, value)
    return problem === undefined ? [] : [{ path: [name], message: problem }]
  })
  if (issues.length > 0) throw invalidInput(question, issues, { question })
  return given
}

/** Throws `InvalidInput` where `how` is malformed. */
export function consistencyOf(question: AskedName, how: unknown): Consistency {
  return readHow(question, ['consistency'], how).consistency === 'strong' ? 'strong' : 'bounded'
}

/** Throws `InvalidInput` where `how` is malformed. */
export function listingOf(question: QuestionName, how: unknown): HowListed {
  const names = ['consistency', 'limit', 'cursor', ...(question === 'where' ? ['expand'] : [])]
  const { consistency, limit, cursor } = readHow(question, names, how)
  return {
    consistency: consistency === 'strong' ? 'strong' : 'bounded',
    limit: limit === undefined ? limitDefault : Number(limit),
    cursor: cursor === undefined ? undefined : String(cursor),
  }
}

/** How a snapshot is taken. */
export interface HowTaken {
  readonly consistency: Consistency
  readonly lasts_ms: number | undefined
  readonly evidence: boolean
}

/** Throws `InvalidInput` where `how` is malformed. */
export function takingOf(how: unknown): HowTaken {
  const { consistency, lasts_ms, evidence } = readHow('access', ['consistency', 'lasts_ms', 'evidence'], how)
  return {
    consistency: consistency === 'strong' ? 'strong' : 'bounded',
    lasts_ms: lasts_ms === undefined ? undefined : Number(lasts_ms),
    evidence: evidence === true,
  }
}
