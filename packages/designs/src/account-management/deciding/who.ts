import {
  type AnswerPage,
  type Candidate,
  confirmedPage,
  type Listed,
  type LoadResult,
  loadRecords,
  mergedRanges,
  placeBefore,
  type Reads,
  type Reason,
  readsOf,
  type Sources,
  stepsMax,
  wanted,
  withoutAbsent,
} from '@freehold/frame/decision'
import { parallel } from '@freehold/table/runtime'
import { ScopeAssignment, User, UserRoleAssignment } from '../design.ts'
import { asTold, grantedBy, grantOf, rolesGranting } from './access.ts'
import { clientRefusal, entitlementRefusal, unknownThere } from './can.ts'
import { type Hierarchy, hierarchyOf } from './hierarchy.ts'
import { flawOf, isEntitled, isLiveScope } from './live-checks.ts'
import type { Access, EntitledUser } from './question.ts'
import { pathLookup, resolveAt } from './resolve.ts'
import { allRoles } from './roles.ts'
import { type Path, type Scope, scopesOf } from './scope.ts'
import { isBuildingGone, recordsOf, scopeAt, settled } from './situation.ts'

/** A role at a scope: where its holders are listed. */
interface Holding extends Scope {
  readonly role_id: string
}

/** Of the steps of a page, those that look for candidates before the first ones are decided. */
const stepsAhead = stepsMax / 2

/** The roles of the client and of the system that grant, by themselves or by one above them. */
function grantingRoles(reads: Reads, client_id: string, permission: Access['permission']) {
  const roles = allRoles(reads, client_id)
  const hierarchy = roles && hierarchyOf(reads, roles)
  if (hierarchy === undefined) return undefined
  const granting = roles?.filter((at) => rolesGranting(at, hierarchy, permission) !== undefined) ?? []
  return { hierarchy, roleIds: [...new Set(granting.map(({ role_id }) => role_id))] }
}

interface Asking {
  readonly sources: Sources
  readonly path: Path
  readonly permission: Access['permission']
  readonly hierarchy: Hierarchy
  readonly flaws: LoadResult<unknown>[]
}

/** Of these users, in their order, those whom the document's own items allow: what `can` decides by. One round trip. */
async function confirmed(
  { sources, path, permission, hierarchy, flaws }: Asking,
  waiting: readonly Candidate<Holding>[],
): Promise<EntitledUser[]> {
  const all = waiting.map(([user_id, holdings]) => ({
    user_id,
    at: wanted(User, { id: user_id }),
    assignments: holdings.map((holding) => wanted(UserRoleAssignment, { user_id, ...holding })),
  }))
  const records = all.flatMap(({ at, assignments }) => [at, ...assignments])
  const loaded = await loadRecords(sources, records)
  const now = sources.runtime.now().toISOString()
  return all.flatMap(({ user_id, at, assignments }): EntitledUser[] => {
    const user = loaded(at)
    const found = assignments.map((each) => loaded(each))
    flaws.push(user, ...found)
    if (user.state !== 'found' || user.item.status !== 'active') return []
    for (const assignment of asTold(found.flatMap((each) => (each.state === 'found' ? [each.item] : [])))) {
      if (flawOf(assignment, user.item, path.client_id, now) !== undefined) continue
      const granting = grantedBy(assignment, hierarchy, permission)
      if (granting === undefined) continue
      const { email, user_type, first_name, last_name } = user.item
      return [{ user_id, ...withoutAbsent({ email, user_type, first_name, last_name }), grantedBy: grantOf(granting) }]
    }
    return []
  })
}

/**
 * One page of the distinct users who may do this at a scope, in the order of their ids. Two round trips with warm definitions, four cold or
 * strong, one more for a bare id that is looked up for the first time; more only if users who do not count have to be passed over.
 */
export async function who(sources: Sources, asked: Omit<Access, 'user'>, list: Listed): Promise<AnswerPage<EntitledUser>> {
  const { permission } = asked
  const readAll = async (path: Path) => {
    const reads = readsOf(sources)
    const { hierarchy, roleIds } = await settled(reads, () => grantingRoles(reads, path.client_id, permission))
    const holdings = scopesOf(path).flatMap((scope) => roleIds.map((role_id): Holding => ({ ...scope, role_id })))
    const ranges = holdings.map((of) => ({ of, ...placeBefore(ScopeAssignment, { ...of }, 'user_id') }))
    const candidates = mergedRanges(sources, ScopeAssignment, ranges, list.after)
    return { hierarchy, candidates, steps: await candidates.read(list.limit + 1, stepsAhead) }
  }
  const readPlace = (path: Path) => {
    const reads = readsOf(sources)
    return settled(reads, () => scopeAt(reads, path, asked.module_id))
  }
  const readBoth = async ({ path }: { readonly path: Path }) => {
    const [scope, rest] = await parallel(
      () => readPlace(path),
      () => readAll(path),
    )
    return { scope, ...rest }
  }
  const lookups = { path: pathLookup(sources, asked) }
  const { ids, unusable, read } = await resolveAt(lookups, asked, readBoth, ({ scope }) => isBuildingGone(scope))
  const flaws: LoadResult<unknown>[] = [
    ...unusable,
    ...(read?.hierarchy.flaws() ?? []),
    ...(read === undefined ? [] : recordsOf(read.scope)),
  ]
  const now = sources.runtime.now().toISOString()
  const closed = (): Reason | undefined =>
    unknownThere(asked, { ids, unusable, scope: read?.scope }) ??
    (read === undefined ? undefined : (clientRefusal(read.scope) ?? entitlementRefusal(read.scope)))
  if (ids.path === undefined || read === undefined || !isLiveScope(read.scope) || !isEntitled(read.scope, asked, now))
    return list.page([], undefined, flaws, closed())
  const { hierarchy, candidates, steps } = read
  const asking = { sources, path: ids.path, permission, hierarchy, flaws }
  return confirmedPage(
    list,
    candidates,
    steps,
    (batch) => confirmed(asking, batch),
    ({ user_id }) => user_id,
    flaws,
  )
}
