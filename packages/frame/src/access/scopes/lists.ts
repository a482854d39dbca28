import { compareKeys, parallel } from '@freehold/table/runtime'
import { confirmedPage, stepsMax } from '../../decision/confirmed-page.ts'
import type { AnswerPage, Reason } from '../../decision/decision.ts'
import type { Listed } from '../../decision/list.ts'
import { loadRecords } from '../../decision/load.ts'
import { type Candidate, mergedRanges } from '../../decision/merged-ranges.ts'
import { type LoadResult, wanted } from '../../decision/record.ts'
import { placeBefore, type Sources } from '../../decision/sources.ts'
import type { Fields } from '../link.ts'
import { type Reads, readsOf } from '../reads.ts'
import { shownOf } from '../shown.ts'
import { closedReason, scopeRefusal, unknownThere } from './denial.ts'
import { asTold, grantedBy, granter, grantOf, loadedFor, permissionIn, type SubjectAtScope, subjectAtScope } from './findings.ts'
import { flawOf } from './flaws.ts'
import type { Hierarchy } from './hierarchy.ts'
import type { ScopedAsked } from './need.ts'
import { pathLookup, resolveAt } from './path-lookup.ts'
import type { Pattern } from './patterns.ts'
import type { Path, Scope } from './scope-chain.ts'
import { isGone } from './scope-nodes.ts'
import type { Scoped } from './scoped.ts'
import { assignmentOf, isLive, isLiveScope, isMet, recordsOf, scopeAt, settled, wantedAssignment } from './situation.ts'

/** Each pattern once, by its text, with the grant of it that lists tell. */
function heldPermissions(declared: Scoped, { judged, hierarchy }: SubjectAtScope) {
  const held = new Map<string, object>()
  if (hierarchy === undefined) return held
  const effective = judged.flatMap((each) => (each.flaw === undefined ? [each.assignment] : []))
  for (const assignment of asTold(declared, effective)) {
    const chain = hierarchy.chain(assignment)
    for (const [index, step] of chain.entries()) {
      for (const permission of declared.roles.ownPatterns(step, hierarchy.catalogue)) {
        const text = declared.patterns.textOf(permission)
        if (held.has(text)) continue
        const roles = chain.slice(0, index + 1)
        held.set(text, { permission, grantedBy: grantOf(declared, { assignment, roles, pattern: permission }) })
      }
    }
  }
  return held
}

/** The permissions of a subject at a scope, in the order of their names. The same round trips as `can`. */
export async function what(declared: Scoped, sources: Sources, asked: ScopedAsked, list: Listed): Promise<AnswerPage<unknown>> {
  const at = await subjectAtScope(declared, sources, asked)
  const { after } = list
  const ahead = [...heldPermissions(declared, at)]
    .filter(([text]) => after === undefined || compareKeys(text, after) > 0)
    .sort(([a], [b]) => compareKeys(a, b))
  const page = list.pageOf(ahead, ([text]) => text, loadedFor(at), undefined, closedReason(declared, at))
  return { ...page, items: page.items.map(([, item]) => item) }
}

/** A role at a scope: where its holders are listed. */
interface Holding extends Scope {
  readonly role_id: string
}

/** Of the steps of a page, those that look for candidates before the first ones are decided. */
const stepsAhead = stepsMax / 2

/** The roles of an outermost scope and of the system that grant, by themselves or by one above them. */
function grantingRoles(declared: Scoped, reads: Reads, outermost: string, permission: Pattern) {
  const roles = declared.roles.allRoles(reads, outermost)
  const hierarchy = roles && declared.roles.hierarchyOf(reads, roles)
  if (hierarchy === undefined) return undefined
  const grants = granter(declared, hierarchy, permission)
  const granting = roles?.filter((at) => grants(at) !== undefined) ?? []
  return { hierarchy, roleIds: [...new Set(granting.map(({ role_id }) => role_id))] }
}

interface Asking {
  readonly sources: Sources
  readonly path: Path
  readonly permission: Pattern
  readonly hierarchy: Hierarchy
  readonly flaws: LoadResult<unknown>[]
}

/** Of these subjects, in their order, those whom the document's own items allow: what `can` decides by. One round trip. */
async function confirmed(
  declared: Scoped,
  { sources, path, permission, hierarchy, flaws }: Asking,
  waiting: readonly Candidate<Holding>[],
) {
  const { entity, id } = declared.subject
  const all = waiting.map(([subject, holdings]) => ({
    subject,
    at: wanted(entity, { [id]: subject }),
    assignments: holdings.map((holding) => wantedAssignment(declared, subject, holding)),
  }))
  const records = all.flatMap(({ at, assignments }) => [at, ...assignments])
  const loaded = await loadRecords(sources, records)
  const now = sources.runtime.now().toISOString()
  const granted = grantedBy(declared, hierarchy, permission)
  return all.flatMap(({ subject, at, assignments }) => {
    const who: LoadResult<Fields> = loaded(at)
    const found = assignments.map((each): LoadResult<Fields> => loaded(each))
    flaws.push(who, ...found)
    if (who.state !== 'found' || !isLive(declared, entity.name, who.item)) return []
    const assigned = found.flatMap((each) => (each.state === 'found' ? [assignmentOf(declared, each.item)] : []))
    for (const assignment of asTold(declared, assigned)) {
      if (flawOf(declared, assignment, who.item, path[0], now) !== undefined) continue
      const granting = granted(assignment)
      if (granting === undefined) continue
      return [{ subject, item: { ...shownOf(declared.shows, who.item), grantedBy: grantOf(declared, granting) } }]
    }
    return []
  })
}

/**
 * One page of the distinct subjects who may do this at a scope, in the order of their ids. Two round trips with warm definitions, four cold or
 * strong, one more for a bare id that is looked up for the first time; more only if subjects who do not count have to be passed over.
 */
export async function who(declared: Scoped, sources: Sources, asked: ScopedAsked, list: Listed): Promise<AnswerPage<unknown>> {
  const { chain, assigned } = declared
  const permission = permissionIn(asked)
  const readAll = async (path: Path) => {
    const reads = readsOf(sources)
    const { hierarchy, roleIds } = await settled(reads, () => grantingRoles(declared, reads, path[0], permission))
    const holdings = chain.scopesOf(path).flatMap((scope) => roleIds.map((role_id): Holding => ({ ...scope, role_id })))
    const ranges = holdings.map((of) => {
      const key = { [assigned.type]: of.scope_type, [assigned.id]: of.scope_id, [assigned.role]: of.role_id }
      return { of, ...placeBefore(assigned.list, key, assigned.subject) }
    })
    const candidates = mergedRanges(sources, assigned.list, ranges, list.after)
    return { hierarchy, candidates, steps: await candidates.read(list.limit + 1, stepsAhead) }
  }
  const readPlace = (path: Path) => {
    const reads = readsOf(sources)
    return settled(reads, () => scopeAt(declared, reads, path, asked))
  }
  const readBoth = async ({ path }: { readonly path: Path }) => {
    const [scope, rest] = await parallel(
      () => readPlace(path),
      () => readAll(path),
    )
    return { scope, ...rest }
  }
  const lookups = { path: pathLookup(chain, sources, asked) }
  const { ids, unusable, read } = await resolveAt(chain, lookups, asked, readBoth, ({ scope }) => isGone(scope))
  const flaws: LoadResult<unknown>[] = [
    ...unusable,
    ...(read?.hierarchy.flaws() ?? []),
    ...(read === undefined ? [] : recordsOf(read.scope)),
  ]
  const now = sources.runtime.now().toISOString()
  const closed = (): Reason | undefined =>
    unknownThere(declared, asked, { ids, unusable, scope: read?.scope }) ??
    (read === undefined ? undefined : (scopeRefusal(declared, read.scope) ?? declared.need?.refusal(read.scope.path)))
  if (ids.path === undefined || read === undefined || !isLiveScope(declared, read.scope) || !isMet(declared, read.scope, asked, now))
    return list.page([], undefined, flaws, closed())
  const { hierarchy, candidates, steps } = read
  const asking = { sources, path: ids.path, permission, hierarchy, flaws }
  const page = await confirmedPage(
    list,
    candidates,
    steps,
    (batch) => confirmed(declared, asking, batch),
    ({ subject }) => subject,
    () => flaws,
  )
  return { ...page, items: page.items.map(({ item }) => item) }
}
