import {
  type AnswerPage,
  type Listed,
  type LoadResult,
  type Reason,
  readsOf,
  resolveNames,
  type Sources,
  withoutAbsent,
} from '@freehold/frame/decision'
import { permissionText } from '../permission/permission.ts'
import { asTold, type Granting, grantedBy, grantOf } from './access.ts'
import { scopeReason, unknownThere, userRefusal } from './can.ts'
import { type Hierarchy, hierarchyOf } from './hierarchy.ts'
import { isEntitled, isLiveScope, judgedEverywhere } from './live-checks.ts'
import type { GrantingScope, WhereAsked } from './question.ts'
import { userLookup } from './resolve.ts'
import { allRoles } from './roles.ts'
import { scopeIds, scopesOf, scopeText } from './scope.ts'
import { outermost, positionOf, type Root, rootOfText, rootsOf, rootText } from './scope-cursor.ts'
import { scopeWalk } from './scope-walk.ts'
import { type Assignment, presenceOf, recordsOf, type ScopeFacts, settled } from './situation.ts'

/** Scopes that are looked at on one page for a module: nine batches, which most of them may not have. */
const lookedAtForModule = 300
/** Steps that one page may take where scopes that are gone have to be passed over: two of DynamoDB's pages each (spec rule 14). */
const stepsMax = 5

/** The item of a list for a live scope of the assignment's client; undefined for any other scope. */
function grantingScope(facts: ScopeFacts, granting: Granting): GrantingScope | undefined {
  const { path, client, project, building } = facts
  const [own] = scopesOf(path)
  const node = building ?? project ?? client
  if (own === undefined || node.state !== 'found' || !isLiveScope(facts) || path.client_id !== granting.assignment.client_id)
    return undefined
  return { ...own, ...scopeIds(path), ...withoutAbsent({ name: node.item.name }), grantedBy: grantOf(granting) }
}

/**
 * The scopes of the user's roles the last time this page was asked for: a guess, by which scopes are read in parallel with the user. Its assignments
 * confirm or refute the guess. The cursor tells the first scope of a page that was never asked for.
 */
function remembered({ names }: Sources, { user, permission }: WhereAsked, isExpanded: boolean) {
  const nameOf = (after: string | undefined) => `${isExpanded} ${user.text} ${permissionText(permission)} ${after ?? ''}`
  return {
    roots: (after: string | undefined): readonly Root[] => {
      const texts = names.get(nameOf(after))?.split(' ') ?? [positionOf(after)?.root ?? '']
      return texts.flatMap((text) => rootOfText(text) ?? [])
    },
    keep: (after: string | undefined, roots: readonly Root[]): void => {
      // A building's own path is remembered anyway.
      const texts = roots.filter(({ scope_type }) => scope_type !== 'building').map(rootText)
      if (isExpanded && texts.length > 0) names.set(nameOf(after), texts.join(' '))
    },
  }
}

/** The grants by which a user may do this, by the texts of their scopes: one for each scope in which a role of the user grants. */
function grantsOf(
  effective: readonly Assignment[],
  hierarchy: Hierarchy,
  permission: WhereAsked['permission'],
): ReadonlyMap<string, Granting> {
  const granted = new Map<string, Granting>()
  for (const assignment of asTold(effective)) {
    const scope = scopeText(assignment)
    const granting = granted.has(scope) ? undefined : grantedBy(assignment, hierarchy, permission)
    if (granting !== undefined) granted.set(scope, granting)
  }
  return granted
}

type Walk = ReturnType<typeof scopeWalk>

/** A page as far as it was looked at. */
interface PageLooked {
  readonly items: readonly { readonly scope: GrantingScope; readonly position: string }[]
  readonly next: string | undefined
  readonly looked: readonly LoadResult<unknown>[]
  /** If no scope counts, the first of them says why. */
  readonly closed: Reason | undefined
}

/** The scopes of a page, of roots that grant. Undefined until they are read. */
function lookedAt(
  walk: Walk,
  roots: readonly Root[],
  grants: ReadonlyMap<string, Granting>,
  asked: WhereAsked,
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
      const [scope] = scopesOf(facts.path).flatMap((above) => {
        const granting = grants.get(scopeText(above))
        return (granting && grantingScope(facts, granting)) ?? []
      })
      if (scope === undefined) {
        passedOver++
        closed ??= scopeReason(facts)
        continue
      }
      isAnyOpen = true
      if (isEntitled(facts, asked, now)) items.push({ scope, position })
    }
    next = read.next
    if (next === undefined || passedOver === 0) break
  }
  return { items, next, looked, closed: isAnyOpen ? undefined : closed }
}

/**
 * One page of the scopes at which a user may do this, each once, in the order of their kinds and ids. If the list is expanded, they come with all
 * beneath them: a client is followed by its projects, a project by its buildings. With a module there are only those that are entitled to it. Two
 * round trips where definitions, and the scopes of the user's roles, are remembered; four cold or strong; one more for each further 1,000
 * assignments of the user. More only if scopes that are gone have to be passed over; scopes that a page cannot hold or look at by then are on the next
 * one.
 */
export async function where(sources: Sources, asked: WhereAsked, list: Listed): Promise<AnswerPage<GrantingScope>> {
  const { module_id, user } = asked
  const { limit, after, page, isExpanded } = list
  const count = module_id === undefined ? limit + 1 : Math.max(limit + 1, lookedAtForModule)
  const memory = remembered(sources, asked, isExpanded)
  const named = userLookup(sources, user)
  const { ids, unusable, read } = await resolveNames({ user: named }, async (known) => {
    const reads = readsOf(sources)
    const walk = scopeWalk(sources, reads, { count, module_id, isExpanded })
    presenceOf(reads, known.user)
    walk.ahead(walk.run(memory.roots(after), after), after)
    // The client is known if the e-mail address was looked up for the first time. Then the roles are read, too, so that the look-up costs no more.
    const client = named.client()
    if (client !== undefined) allRoles(reads, client)
    await reads.readOnce()
    return { reads, walk, present: presenceOf(reads, known.user) }
  })
  const { user: person, assignments } = read?.present ?? {}
  const known = named.isNobody(person) ? undefined : ids.user
  const reason = unknownThere({ user }, { ids: { user: known }, unusable, user: person }) ?? userRefusal(person)
  const flaws = [...unusable, ...(person === undefined ? [] : [person]), ...(assignments?.unusable ?? [])]
  if (read === undefined || assignments === undefined || person?.state !== 'found' || reason !== undefined)
    return page([], undefined, flaws, after === undefined ? reason : undefined)
  const { reads, walk } = read
  const { tenantScope, now } = sources.runtime
  const at = now().toISOString()
  const effective = judgedEverywhere(assignments.found, person.item, at).flatMap(({ client_id, assignment, flaw }) =>
    flaw !== undefined || (tenantScope !== undefined && tenantScope.tenant !== client_id) ? [] : [assignment],
  )
  // An internal user's e-mail address does not tell whose roles it has, and the list of parents may lack a role. To save the round trip that this
  // costs, scopes are read before it is known which of them count.
  const late = user.by === 'lookup' && named.client() === undefined ? 1 : 2
  let trip = 0
  const { hierarchy, found, last } = await settled(reads, () => {
    const all = hierarchyOf(reads, effective)
    if (all === undefined) {
      if (trip === 0) walk.ahead(walk.run(rootsOf(effective), after), after)
      else if (trip === late) walk.aheadWithin(rootsOf(effective), after)
      trip++
      return undefined
    }
    const grants = grantsOf(effective, all, asked.permission)
    const granting = rootsOf([...grants.values()].map(({ assignment }) => assignment))
    const roots = isExpanded ? outermost(granting) : granting
    memory.keep(after, walk.run(roots, after))
    const looked = lookedAt(walk, roots, grants, asked, list, sources.runtime.now().toISOString())
    if (looked === undefined) return undefined
    const end = looked.items.length > limit ? looked.items[limit - 1]?.position : looked.next
    if (end !== undefined) memory.keep(end, walk.run(roots, end))
    return { hierarchy: all, found: looked, last: end }
  })
  return page(
    found.items.slice(0, limit).map(({ scope }) => scope),
    last,
    [...flaws, ...hierarchy.flaws(), ...found.looked],
    after === undefined ? found.closed : undefined,
  )
}
