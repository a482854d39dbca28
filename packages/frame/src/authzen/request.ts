import type { Issue } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { problemOf } from './flawed.ts'

// The information model of the Authorization API 1.0, section 5, and its requests. Unknown members are ignored, as its section 10.1.1 wants. Null counts
// as absent where a member is optional.

/** The part of an evaluation that a search asks for. */
export type SearchKind = 'subject' | 'action' | 'resource'

type Members = Readonly<Record<string, unknown>>
export type Context = Members

/** A subject or a resource. */
export interface Named {
  readonly type: string
  readonly id: string
  readonly properties: Members
}
export interface Action {
  readonly name: string
  readonly properties: Members
}
export interface Evaluation {
  readonly subject: Named
  readonly action: Action
  readonly resource: Named
  readonly context: Context
}
/** The part that is searched for has no id, or no name: both are empty. */
export interface Search extends Evaluation {
  readonly page: Page | undefined
}
export interface Page {
  readonly token: string | undefined
  readonly limit: number | undefined
  readonly properties: Members
}

/** More members than any schema declares. */
const membersMax = 1000
const tooMany = `has more than ${membersMax} members`

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && problemOf(value) === undefined
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

/** The number of members of an object: many evaluations share those of their defaults, which are counted once. */
const counts = new WeakMap<Members, number>()
function countOf(members: Members): number {
  const count = counts.get(members) ?? Object.keys(members).length
  counts.set(members, count)
  return count
}

/** Reads the members of one request, and collects what is wrong with it. */
function reading() {
  const issues: Issue[] = []
  const wrong = (path: readonly string[], message: string) => void issues.push({ path, message })
  const object = (path: readonly string[], value: unknown): Members => {
    if (isAbsent(value)) wrong(path, 'is missing')
    else if (!isObject(value)) wrong(path, problemOf(value) ?? 'is not an object')
    else return value
    return {}
  }
  const open = (path: readonly string[], value: unknown): Members => {
    if (isAbsent(value)) return {}
    const read = object(path, value)
    if (countOf(read) > membersMax) wrong(path, tooMany)
    return read
  }
  const text = (path: readonly string[], value: unknown): string => {
    if (typeof value === 'string') return value
    wrong(path, isAbsent(value) ? 'is missing' : (problemOf(value) ?? 'is not text'))
    return ''
  }
  return {
    open,
    /** @param isSearched true if entities of this type are searched for: then its id is ignored */
    named: (body: Members, name: 'subject' | 'resource', isSearched = false): Named => {
      const { type, id, properties } = object([name], body[name])
      if (!isObject(body[name])) return { type: '', id: '', properties: {} }
      return {
        type: text([name, 'type'], type),
        id: isSearched ? '' : text([name, 'id'], id),
        properties: open([name, 'properties'], properties),
      }
    },
    action: (body: Members): Action => {
      const { name, properties } = object(['action'], body.action)
      if (!isObject(body.action)) return { name: '', properties: {} }
      return { name: text(['action', 'name'], name), properties: open(['action', 'properties'], properties) }
    },
    page: (body: Members): Page | undefined => {
      if (isAbsent(body.page)) return undefined
      const { token, limit, properties } = object(['page'], body.page)
      if (!isAbsent(token) && (typeof token !== 'string' || token === ''))
        wrong(['page', 'token'], token === '' ? 'is empty: the page before was the last' : 'is not text')
      if (!isAbsent(limit) && !(Number.isSafeInteger(limit) && Number(limit) >= 0)) wrong(['page', 'limit'], 'is not a whole number from 0')
      return {
        token: typeof token === 'string' ? token : undefined,
        limit: typeof limit === 'number' ? limit : undefined,
        properties: open(['page', 'properties'], properties),
      }
    },
    done: <T>(value: T): T => {
      if (issues.length > 0) throw invalidInput('The request', issues)
      return value
    },
  }
}

/** Reads an Access Evaluation request. Throws `InvalidInput`, which names each member that is missing or of another type. */
export function readEvaluation(body: Members): Evaluation {
  const { named, action, open, done } = reading()
  return done({
    subject: named(body, 'subject'),
    action: action(body),
    resource: named(body, 'resource'),
    context: open(['context'], body.context),
  })
}

/** Reads a request of a search. Throws `InvalidInput`. */
export function readSearch(kind: SearchKind, body: Members): Search {
  const { named, action, open, page, done } = reading()
  return done({
    subject: named(body, 'subject', kind === 'subject'),
    action: kind === 'action' ? { name: '', properties: {} } : action(body),
    resource: named(body, 'resource', kind === 'resource'),
    context: open(['context'], body.context),
    page: page(body),
  })
}

/** How a batch of evaluations goes on after an answer. */
export const semantics = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const
export type Semantic = (typeof semantics)[number]

/** How a request is answered. */
export interface Options {
  readonly semantic: Semantic
  /** The context of a denial says why: `{"options":{"reasons":true}}`, which no specification has. */
  readonly withReasons: boolean
}

/** Reads the options of a request. Throws `InvalidInput`. */
export function readOptions({ options }: Members): Options {
  const wrong = (path: readonly string[], message: string) => invalidInput('The request', [{ path: ['options', ...path], message }])
  if (!isAbsent(options) && !isObject(options)) throw wrong([], 'is not an object')
  const { evaluations_semantic, reasons } = options ?? {}
  const semantic = isAbsent(evaluations_semantic) ? semantics[0] : semantics.find((one) => one === evaluations_semantic)
  if (semantic === undefined) throw wrong(['evaluations_semantic'], `is not one of ${semantics.join(', ')}`)
  if (!isAbsent(reasons) && typeof reasons !== 'boolean') throw wrong(['reasons'], 'is neither true nor false')
  return { semantic, withReasons: reasons === true }
}

/** The evaluations of a request, each with its defaults; undefined without any, which is a single evaluation. */
export interface Evaluations extends Options {
  readonly each: readonly unknown[] | undefined
}

/** The members that an entity of an evaluation may leave to the default. Its properties are its own: another entity's would count for it. */
const inherited = { subject: ['type', 'id'], action: ['name'], resource: ['type', 'id'], context: [] } as const
type Part = keyof typeof inherited
const parts = Object.keys(inherited) as readonly Part[] // the keys of the record above

function withDefault(part: Part, own: unknown, given: unknown): unknown {
  if (isAbsent(own)) return given
  if (!isObject(own) || !isObject(given)) return own
  const names = inherited[part].filter((name) => isAbsent(own[name]) && Object.hasOwn(given, name))
  return { ...own, ...Object.fromEntries(names.map((name) => [name, given[name]])) }
}

/**
 * Reads an Access Evaluations request, but for the evaluations themselves: an error of one is its own. Throws `InvalidInput` for an error of the whole.
 * @param evaluations_max further ones are refused
 */
export function readEvaluations(body: Members, evaluations_max: number): Evaluations {
  const options = readOptions(body)
  const issues: Issue[] = []
  const { evaluations } = body
  if (!isAbsent(evaluations) && !Array.isArray(evaluations)) issues.push({ path: ['evaluations'], message: 'is not a list' })
  const all: readonly unknown[] = Array.isArray(evaluations) ? evaluations : []
  if (all.length > evaluations_max) issues.push({ path: ['evaluations'], message: `has more than ${evaluations_max} evaluations` })
  for (const part of all.length === 0 ? [] : parts) {
    const given = body[part]
    if (isAbsent(given)) continue
    if (!isObject(given)) issues.push({ path: [part], message: 'is not an object' })
    else if (countOf(given) > membersMax) issues.push({ path: [part], message: tooMany })
  }
  if (issues.length > 0) throw invalidInput('The request', issues)
  if (all.length === 0) return { ...options, each: undefined }
  const merged = (own: unknown) => {
    if (!isObject(own)) return own
    return Object.fromEntries(parts.map((part) => [part, withDefault(part, own[part], body[part])]))
  }
  return { ...options, each: all.map(merged) }
}

/** Reads one of the evaluations, as it is after defaults. Throws `InvalidInput`. */
export function readOneOfEvaluations(merged: unknown): Evaluation {
  if (!isObject(merged)) throw invalidInput('The evaluation', [{ path: [], message: 'is not an object' }])
  return readEvaluation(merged)
}
