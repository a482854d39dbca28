import type { AnswerPage, Reason } from '../../decision/decision.ts'
import type { Listed } from '../../decision/list.ts'
import { resolveNames } from '../../decision/lookup.ts'
import type { LoadResult } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { withoutAbsent } from '../../decision/without-absent.ts'
import { asText } from '../link.ts'
import { readsOf } from '../reads.ts'
import { scopeReason, subjectRefusal, unknownThere } from './denial.ts'
import { asTold, type Grant, grantedBy, grantOf, nameIn, permissionIn } from './findings.ts'
import { judgedEverywhere } from './flaws.ts'
import type { Hierarchy } from './hierarchy.ts'
import type { ScopedAsked } from './need.ts'
import { scopeText } from './scope-chain.ts'
import { positionOf, type Root, rootOfText, rootsInOrder, rootText } from './scope-cursor.ts'
import type { ScopeFacts } from './scope-nodes.ts'
import { scopeWalk } from './scope-walk.ts'
import type { Scoped } from './scoped.ts'
import { type Assignment, isLiveScope, isMet, presenceOf, recordsOf, rootOf, scopeAt, settled } from './situation.ts'
import { subjectLookup } from './subject-lookup.ts'

/** Scopes that are looked at on one page for what they need: nine batches, which most of them may not have. */
const lookedAtForNeed = 300
/** Steps that one page may take where scopes that are gone have to be passed over: two of DynamoDB's pages each (spec rule 14). */
const stepsMax = 5

/** The item of a list for a live scope in the outermost one of the assignment; undefined for any other scope. */
function grantingScope(declared: Scoped, facts: ScopeFacts, granting: Grant): object | undefined {
  const { chain, assigned } = declared
  const { path, nodes } = facts
  const [own] = chain.scopesOf(path)
  const node = nodes.at(-1)
  if (own === undefined || node?.state !== 'found' || !isLiveScope(declared, facts) || path[0] !== granting.assignment.within)
    return undefined
  return {
    ...{ [assigned.type]: own.scope_type, [assigned.id]: own.scope_id, ...chain.idsOf(path) },
    ...withoutAbsent({ name: asText(node.item.name) }),
    grantedBy: grantOf(declared, granting),
  }
}

/**
 * The scopes of the subject's roles the last time this page was asked for: a guess, by which scopes are read in parallel with the subject. Its assignments
 * confirm or refute the guess. The cursor tells the first scope of a page that was never asked for.
 */
function remembered(declared: Scoped, { names }: Sources, asked: ScopedAsked, isExpanded: boolean) {
  const { chain, patterns } = declared
  const { text } = nameIn(declared, asked)
  const nameOf = (after: string | undefined) => `${isExpanded} ${text} ${patterns.textOf(permissionIn(asked))} ${after ?? ''}`
  return {
    roots: (after: string | undefined): readonly Root[] => {
      const texts = names.get(nameOf(after))?.split(' ') ?? [positionOf(after)?.root ?? '']
      return texts.flatMap((each) => rootOfText(each) ?? [])
    },
    keep: (after: string | undefined, roots: readonly Root[]): void => {
      // The own path of an innermost scope is remembered anyway.
      const texts = roots.filter(({ scope_type }) => scope_type !== chain.levels.at(-1)?.type).map(rootText)
      if (isExpanded && texts.length > 0) names.set(nameOf(after), texts.join(' '))
    },
  }
}

/** The grants by which a subject may do this, by the texts of their scopes: one for each scope in which a role of the subject grants. */
function grantsOf(
  declared: Scoped,
  effective: readonly Assignment[],
  hierarchy: Hierarchy,
  asked: ScopedAsked,
): ReadonlyMap<string, Grant> {
  const granted = new Map<string, Grant>()
  const by = grantedBy(declared, hierarchy, permissionIn(asked))
  for (const assignment of asTold(declared, effective)) {
    const scope = scopeText(assignment)
    const granting = granted.has(scope) ? undefined : by(assignment)
    if (granting !== undefined) granted.set(scope, granting)
  }
  return granted
}

type Walk = ReturnType<typeof scopeWalk<ScopeFacts>>

/** A page as far as it was looked at. */
interface PageLooked {
  readonly items: readonly { readonly scope: object; readonly position: string }[]
  readonly next: string | undefined
  readonly looked: readonly LoadResult<unknown>[]
  /** If no scope counts, the first of them says why. */
  readonly closed: Reason | undefined
}

/** The scopes of a page, of roots that grant. Undefined until they are read. */
function lookedAt(
  declared: Scoped,
  walk: Walk,
  roots: readonly Root[],
  grants: ReadonlyMap<string, Grant>,
  asked: ScopedAsked,
  { limit, after }: Pick<Listed, 'limit' | 'after'>,
  now: string,
): PageLooked | undefined {
  const looked: LoadResult<unknown>[] = []
  const items: PageLooked['items'][number][] = []
  let closed: Reason | undefined
  let isAnyOpen = false
  let next = after
  for (let steps = 0; steps < stepsMax && items.length <= limit; steps++) {
    let passedOver = 0
    const read = walk.next(roots, next)
    if (read === undefined) return undefined
    for (const { root, facts, position } of read.listed) {
      if (!grants.has(scopeText(root)) || items.length > limit) continue
      looked.push(...recordsOf(facts))
      // Of this scope and those above it, the nearest that grants is told.
      const [scope] = declared.chain.scopesOf(facts.path).flatMap((above) => {
        const granting = grants.get(scopeText(above))
        return (granting && grantingScope(declared, facts, granting)) ?? []
      })
      if (scope === undefined) {
        passedOver++
        closed ??= scopeReason(declared, facts)
        continue
      }
      isAnyOpen = true
      if (isMet(declared, facts, asked, now)) items.push({ scope, position })
    }
    next = read.next
    if (next === undefined || passedOver === 0) break
  }
  return { items, next, looked, closed: isAnyOpen ? undefined : closed }
}

/**
 * One page of the scopes at which a subject may do this, each once, in the order of their kinds and ids. If the list is expanded, they come with all
 * beneath them: each is followed by what lies in it. If something is needed, too, there are only those that have it. Two
 * round trips where definitions, and the scopes of the subject's roles, are remembered; four cold or strong; one more for each further 1,000
 * assignments of the subject. More only if scopes that are gone have to be passed over; scopes that a page cannot hold or look at by then are on the next
 * one.
 */
export async function where(declared: Scoped, sources: Sources, asked: ScopedAsked, list: Listed): Promise<AnswerPage<unknown>> {
  const { chain, need, roles } = declared
  const name = nameIn(declared, asked)
  const { limit, after, page, isExpanded } = list
  const count = need?.isAsked(asked) === true ? Math.max(limit + 1, lookedAtForNeed) : limit + 1
  const memory = remembered(declared, sources, asked, isExpanded)
  const named = subjectLookup(declared, sources, name)
  const { ids, unusable, read } = await resolveNames({ subject: named }, async (known) => {
    const reads = readsOf(sources)
    const walk = scopeWalk(chain, sources, reads, { count, isExpanded, factsAt: (path) => scopeAt(declared, reads, path, asked) })
    presenceOf(declared, reads, known.subject)
    walk.ahead(walk.run(memory.roots(after), after), after)
    // The outermost scope is known if the name was looked up for the first time. Then the roles are read, too, so that the look-up costs no more.
    const outermost = named.within()
    if (outermost !== undefined) roles.allRoles(reads, outermost)
    await reads.readOnce()
    return { reads, walk, present: presenceOf(declared, reads, known.subject) }
  })
  const { subject: person, assignments } = read?.present ?? {}
  const known = named.isNobody(person) ? undefined : ids.subject
  const reason = unknownThere(declared, asked, { ids: { subject: known }, unusable, subject: person }) ?? subjectRefusal(declared, person)
  const flaws = [...unusable, ...(person === undefined ? [] : [person]), ...(assignments?.unusable ?? [])]
  if (read === undefined || assignments === undefined || person?.state !== 'found' || reason !== undefined)
    return page([], undefined, flaws, after === undefined ? reason : undefined)
  const { reads, walk } = read
  const { tenantScope, now } = sources.runtime
  const at = now().toISOString()
  const effective = judgedEverywhere(declared, assignments.found, person.item, at).flatMap(({ outermost, assignment, flaw }) =>
    flaw !== undefined || (tenantScope !== undefined && tenantScope.tenant !== outermost) ? [] : [assignment],
  )
  // The name of a subject of no outermost scope does not tell whose roles it has, and the list of parents may lack a role. To save the round trip that this
  // costs, scopes are read before it is known which of them count.
  const late = name.by === 'lookup' && named.within() === undefined ? 1 : 2
  let trip = 0
  const { hierarchy, found, last } = await settled(reads, () => {
    const all = roles.hierarchyOf(reads, effective)
    if (all === undefined) {
      const open = rootsInOrder(effective.map(rootOf))
      if (trip === 0) walk.ahead(walk.run(open, after), after)
      else if (trip === late) walk.aheadWithin(open, after)
      trip++
      return undefined
    }
    const grants = grantsOf(declared, effective, all, asked)
    const listed = walk.rootsListed(rootsInOrder([...grants.values()].map(({ assignment }) => rootOf(assignment))))
    memory.keep(after, walk.run(listed, after))
    const looked = lookedAt(declared, walk, listed, grants, asked, list, sources.runtime.now().toISOString())
    if (looked === undefined) return undefined
    const end = looked.items.length > limit ? looked.items[limit - 1]?.position : looked.next
    if (end !== undefined) memory.keep(end, walk.run(listed, end))
    return { hierarchy: all, found: looked, last: end }
  })
  return page(
    found.items.slice(0, limit).map(({ scope }) => scope),
    last,
    [...flaws, ...hierarchy.flaws(), ...found.looked],
    after === undefined ? found.closed : undefined,
  )
}
