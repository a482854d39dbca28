import { FreeholdError, isFreeholdError, type Runtime } from '@freehold/table'
import { type CursorBinding, invalidInput, openCursor, sealCursor } from '@freehold/table/runtime'
import type { AnswerPage, Decider, Reason } from '../decision/decision.ts'
import { isUnanswered } from '../decision/fault.ts'
import { type Answered, contextOf, isOutage, unnameable } from './evaluate.ts'
import type { AuthzenMapping, Fields, ListAsked, ListItem } from './mapping.ts'
import { type Page, readSearch, type Search, type SearchKind } from './request.ts'
import { takenOf } from './taken.ts'

type Members = Readonly<Record<string, unknown>>

/** The response of every search. `page` comes first, as the specification recommends. */
export interface Found {
  readonly page?: { readonly next_token: string; readonly count: number }
  readonly context?: Members
  readonly results: readonly Members[]
}

const limitDefault = 100
const limitMax = 1000
/** Pages of the decider that one page may take where its items are of other types. Then a short page says where the next begins. */
const pagesMax = 10

/** Where a page begins: a page of the decider's list, and the last result of it that was shown. */
interface Position {
  readonly cursor?: string | undefined
  readonly after?: string | undefined
}

/** JSON in which the order of members does not matter: an equal request may be written in another order. */
function canonical(value: unknown): string {
  const sorted = (_: string, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part
  return JSON.stringify(value, sorted)
}

/** A token is good for the search that gave it: the specification wants an error if anything changed. */
function bindingOf(kind: SearchKind, { page, ...asked }: Search): CursorBinding {
  return { kind: 'question', name: `AuthZEN ${kind} search`, parameters: { asked: canonical({ ...asked, page: page?.properties ?? {} }) } }
}

interface Begun extends Position {
  readonly limit: number
}

/** Opens the token of a page. A request that repeats no limit has that of the first one. */
function begin(runtime: Runtime, binding: CursorBinding, page: Page | undefined): Begun {
  const { token, limit } = page ?? {}
  if (token === undefined) return { limit: limit ?? limitDefault }
  const opened = openCursor(runtime, binding, token)
  const text = (name: string) => (typeof opened[name] === 'string' ? opened[name] : undefined)
  // Only this file seals tokens of searches, so this is a defect of ours and never an input.
  if (typeof opened.limit !== 'number') throw new FreeholdError('InvalidCursor', 'This token holds no limit.')
  if (limit !== undefined && limit !== opened.limit)
    throw invalidInput('The request', [{ path: ['page', 'limit'], message: `is not ${opened.limit}, as on the page before` }])
  return { limit: opened.limit, cursor: text('cursor'), after: text('after') }
}

/** The results of one page, and where the next begins. */
interface Filled {
  readonly results: readonly string[]
  readonly next?: Position | undefined
  readonly reason?: Reason | undefined
}

/**
 * Fills a page from pages of the decider. An item may be of another type, or stand for several results: where a page ends within them, the next one
 * reads them again and goes on after the last that was shown. If that is gone meanwhile, results are repeated, and none is omitted.
 */
async function fill(
  list: (how: ListAsked) => Promise<AnswerPage<ListItem>>,
  told: (item: ListItem) => readonly string[],
  { limit, ...from }: Begun,
): Promise<Filled> {
  const results: string[] = []
  let at: Position = from
  let reason: Reason | undefined
  for (let pages = 0; pages < pagesMax; pages++) {
    const read = await list({ limit, cursor: at.cursor })
    if (read.items.length === 0 && isUnanswered(read)) return { results: [], reason: read.reason }
    reason ??= read.reason
    const all = read.items.flatMap(told)
    const ahead = at.after === undefined ? all : all.slice(all.indexOf(at.after) + 1)
    const free = limit - results.length
    results.push(...ahead.slice(0, free))
    if (ahead.length > free) return { results, next: { cursor: at.cursor, after: results.at(-1) } }
    if (read.cursor === undefined) return { results, reason: results.length === 0 ? reason : undefined }
    at = { cursor: read.cursor }
    if (results.length === limit) break
  }
  return { results, next: at }
}

/** How the decider lists what is searched for. A resource is each place, also those beneath the granting ones. */
function listOf(mapping: AuthzenMapping, decider: Decider, kind: SearchKind, question: Fields) {
  const own = mapping.lists?.[kind]
  if (own !== undefined) return (how: ListAsked) => own(question, how)
  if (kind === 'subject') return (how: ListAsked) => decider.who(question, how)
  if (kind === 'action') return (how: ListAsked) => decider.what(question, how)
  return (how: ListAsked) => decider.where(question, { ...how, expand: true })
}

/**
 * The Search APIs. What is not there gives no results, with the reason in the context.
 * @throws InvalidInput for a malformed request, InvalidCursor for a token that was not given for this search
 */
export async function search(
  mapping: AuthzenMapping,
  decider: Decider,
  runtime: Runtime,
  kind: SearchKind,
  body: Members,
): Promise<Answered<Found>> {
  const asked = readSearch(kind, body)
  const binding = bindingOf(kind, asked)
  const begun = begin(runtime, binding, asked.page)
  const { question, unused, reason } = await takenOf(mapping, asked, kind)
  const naming =
    kind === 'action' ? mapping.action : kind === 'subject' ? mapping.subject(asked.subject.type) : mapping.resource(asked.resource.type)
  const found = await (async (): Promise<Filled> => {
    if (reason !== undefined || naming === undefined) return { results: [], reason }
    const list = listOf(mapping, decider, kind, question)
    const told = (item: ListItem) => naming.told(item)
    if (begun.limit > 0) return fill(list, told, { ...begun, limit: Math.min(begun.limit, limitMax) })
    // Of no results a page only says whether there are any.
    const { results, next } = await fill(list, told, { ...begun, limit: 1 })
    return { results: [], next: results.length > 0 || next !== undefined ? {} : undefined }
  })().catch((error: unknown): Filled => {
    if (!isFreeholdError(error, 'InvalidInput')) throw error
    return { results: [], reason: unnameable(error) }
  })
  const { results, next } = found
  if (isOutage(mapping, found.reason)) return { body: { results: [] }, fault: found.reason }
  const isPaged = asked.page !== undefined || next !== undefined
  const next_token =
    next && sealCursor(runtime, binding, { limit: begun.limit === 0 ? limitDefault : begun.limit, ...withoutUndefined(next) })
  const entity = (name: string) => (kind === 'action' ? { name } : { type: asked[kind].type, id: name })
  return {
    body: {
      ...(isPaged ? { page: { next_token: next_token ?? '', count: results.length } } : {}),
      ...contextOf(found.reason, unused, true),
      results: results.map(entity),
    },
  }
}

const withoutUndefined = (position: Position): Record<string, string> =>
  Object.fromEntries(Object.entries(position).filter(([, value]) => value !== undefined))
