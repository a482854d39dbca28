import { type AnswerPage, type Listed, type LoadResult, type Reason, type Sources, withoutAbsent } from '@freehold/frame/decision'
import { permissionText } from '../permission/permission.ts'
import { type Granting, grantOf } from './access.ts'
import { scopeReason } from './can.ts'
import { isEntitled, isLiveScope } from './live-checks.ts'
import type { GrantingScope, WhereAsked } from './question.ts'
import { scopeIds, scopesOf, scopeText } from './scope.ts'
import { outermost, positionOf, type Root, rootOfText, rootsOf, rootText } from './scope-cursor.ts'
import { scopeWalk } from './scope-walk.ts'
import { recordsOf, type ScopeFacts } from './situation.ts'
import { userGrants } from './user-grants.ts'

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

/**
 * One page of the scopes at which a user may do this, each once, in the order of their kinds and ids. If the list is expanded, they come with all
 * beneath them: a client is followed by its projects, a project by its buildings. With a module there are only those that are entitled to it. Two
 * round trips where definitions, and the scopes of the user's roles, are remembered; four cold or strong; one more for each further 1,000
 * assignments of the user. More only if scopes that are gone have to be passed over; scopes that a page cannot hold or look at by then are on the next
 * one.
 */
export async function where(
  sources: Sources,
  asked: WhereAsked,
  { limit, after, page, isExpanded }: Listed,
): Promise<AnswerPage<GrantingScope>> {
  const { module_id } = asked
  const count = module_id === undefined ? limit + 1 : Math.max(limit + 1, lookedAtForModule)
  const walk = scopeWalk(sources, { count, module_id, isExpanded })
  const memory = remembered(sources, asked, isExpanded)
  const { granted, flaws, reason } = await userGrants(sources, asked, {
    withUser: async () => walk.ahead(walk.run(memory.roots(after), after), after),
    withRoles: async (effective) => walk.ahead(walk.run(rootsOf(effective), after), after),
    withAncestors: async (effective) => walk.aheadWithin(rootsOf(effective), after),
  })
  const grants = new Map<string, Granting>(granted.map((granting) => [scopeText(granting.assignment), granting]))
  const all = rootsOf(granted.map(({ assignment }) => assignment))
  const roots = isExpanded ? outermost(all) : all
  memory.keep(after, walk.run(roots, after))
  const now = sources.runtime.now().toISOString()
  const looked: LoadResult<unknown>[] = [...flaws]
  const items: { readonly scope: GrantingScope; readonly position: string }[] = []
  // If no scope counts, the first of them says why.
  let closed: Reason | undefined = reason
  let isAnyOpen = false
  let next = after
  for (let steps = 0; steps < stepsMax && items.length <= limit; steps++) {
    let passedOver = 0
    const read = await walk.next(roots, next)
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
  const shown = items.slice(0, limit)
  const last = items.length > limit ? shown.at(-1)?.position : next
  if (last !== undefined) memory.keep(last, walk.run(roots, last))
  return page(
    shown.map(({ scope }) => scope),
    last,
    looked,
    isAnyOpen || after !== undefined ? undefined : closed,
  )
}
