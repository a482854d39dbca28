import { type Item, keyText, sideBySide, tableKey, together } from '@freehold/table'
import type { AnswerPage, Reason } from '../../decision/decision.ts'
import type { Listed } from '../../decision/list.ts'
import { readItems, readRange } from '../../decision/reads.ts'
import { type Looked, look, lookAll, malformedAmong } from '../../decision/record.ts'
import { placeBefore, type Sources } from '../../decision/sources.ts'
import { ScopeAssignment, User, UserRoleAssignment } from '../design.ts'
import { type Grant, grantedBy, grantOf, rolesGranting } from './access.ts'
import { entitlementRefusal, nameReason, placeReason } from './can.ts'
import { type Hierarchy, hierarchyOf } from './hierarchy.ts'
import { type Path, type Scope, scopesOf } from './place.ts'
import type { Access } from './question.ts'
import { resolved } from './resolve.ts'
import { allRoles } from './roles.ts'
import { type PlaceFacts, placesAt } from './situation.ts'
import { flawOf, isEntitled, isOpenPlace } from './standing.ts'

/** A user who may do this at the place, and one grant by which; `why` tells all. */
export type EntitledUser = {
  readonly user_id: string
  readonly email: string
  readonly user_type: Item<typeof User>['user_type']
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  readonly grantedBy: Grant
}

/** A role at a scope: where its holders are listed, in the order of their ids. */
interface Holding extends Scope {
  readonly role_id: string
}

/** The roles of the client and of the system that grant, by themselves or by one above them. */
async function grantingRoles(sources: Sources, client_id: string, permission: Access['permission']) {
  const roles = await allRoles(sources, client_id)
  const hierarchy = await hierarchyOf(sources, roles)
  const granting = roles.filter((at) => rolesGranting(at, hierarchy, permission) !== undefined)
  return { hierarchy, roleIds: [...new Set(granting.map(({ role_id }) => role_id))] }
}

/** Candidates of several ranges, merged: each user once, in the order of their ids, with where it was found. */
interface Candidates {
  readonly holdings: ReadonlyMap<string, readonly Holding[]>
  /** Users after this one were not read; undefined where there are none. */
  readonly horizon: string | undefined
  readonly lost: readonly Looked<unknown>[]
}

/** DynamoDB returns no more at once. */
const rangeMax = 1000

async function candidatesAfter(
  { runtime }: Sources,
  holdings: readonly Holding[],
  after: string | undefined,
  count: number,
): Promise<Candidates> {
  const limit = Math.min(count, rangeMax)
  const pages = await sideBySide(holdings, async (holding) => {
    const { partition, range } = placeBefore(ScopeAssignment, { ...holding }, 'user_id')
    const start = after === undefined ? undefined : `${range.from}${after}`
    const { items, isLast } = await readRange(runtime, partition, range, { limit, after: start })
    // What follows the prefix is the user's id, also of a malformed item: the mirror only says where to look.
    const userIds = items.map(({ SK }) => String(SK).slice(range.from.length))
    return { holding, userIds, horizon: isLast ? undefined : userIds.at(-1), lost: lookAll(ScopeAssignment, items).lost }
  })
  const [horizon] = pages.flatMap((page) => page.horizon ?? []).sort()
  const found = new Map<string, Holding[]>()
  for (const { holding, userIds } of pages) {
    for (const user_id of userIds) {
      if (horizon !== undefined && user_id > horizon) continue
      const known = found.get(user_id)
      if (known === undefined) found.set(user_id, [holding])
      else known.push(holding)
    }
  }
  const inOrder = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  return { holdings: new Map(inOrder), horizon, lost: pages.flatMap(({ lost }) => lost) }
}

interface Asking {
  readonly sources: Sources
  readonly path: Path
  readonly permission: Access['permission']
  readonly hierarchy: Hierarchy
  readonly flaws: Looked<unknown>[]
}

type Waiting = readonly (readonly [user_id: string, holdings: readonly Holding[]])[]

/** Of these users, in their order, those whom the document's own items allow: what `can` decides by. One round trip. */
async function confirmed({ sources, path, permission, hierarchy, flaws }: Asking, waiting: Waiting): Promise<EntitledUser[]> {
  const { runtime } = sources
  const wanted = waiting.map(([user_id, holdings]) => ({
    user_id,
    user: tableKey(User, { id: user_id }),
    assignments: holdings.map((holding) => tableKey(UserRoleAssignment, { user_id, ...holding })),
  }))
  const keys = wanted.flatMap(({ user, assignments }) => [user, ...assignments])
  const read = await readItems(runtime, keys, { consistent: true })
  const now = runtime.now().toISOString()
  return wanted.flatMap(({ user_id, user: key, assignments }): EntitledUser[] => {
    const user = look(User, key, read.get(keyText(key)))
    flaws.push(user)
    for (const at of assignments) {
      const assignment = look(UserRoleAssignment, at, read.get(keyText(at)))
      flaws.push(assignment)
      if (user.state !== 'found' || user.item.status !== 'active' || assignment.state !== 'found') continue
      if (flawOf(assignment.item, user.item, path.client_id, now) !== undefined) continue
      const granting = grantedBy(assignment.item, hierarchy, permission)
      if (granting === undefined) continue
      const { email, user_type, first_name, last_name } = user.item
      const names = { ...(first_name === undefined ? {} : { first_name }), ...(last_name === undefined ? {} : { last_name }) }
      return [{ user_id, email, user_type, ...names, grantedBy: grantOf(granting) }]
    }
    return []
  })
}

/** Steps that one page of the answer may take beyond the definitions (spec rule 14). */
const stepsMax = 10

/**
 * One page of the distinct users who may do this at a place, in the order of their ids. Two round trips with warm definitions, four cold or
 * strong, one more for a bare id that is looked up for the first time; more only where users who do not count have to be passed over.
 */
export async function who(sources: Sources, asked: Omit<Access, 'user'>, list: Listed): Promise<AnswerPage<EntitledUser>> {
  const { permission, module } = asked
  const readAll = async (path: Path) => {
    const { hierarchy, roleIds } = await grantingRoles(sources, path.client_id, permission)
    const holdings = scopesOf(path).flatMap((scope) => roleIds.map((role_id) => ({ ...scope, role_id })))
    return { hierarchy, holdings, first: await candidatesAfter(sources, holdings, list.after, list.limit + 1) }
  }
  const readPlace = async (path: Path) => (await placesAt(sources, [path], module.module_id))[0]
  const { ids, lost, read } = await resolved(sources, { place: asked.place }, async ({ path = { client_id: '' } }) => {
    const [place, rest] = await together(
      () => readPlace(path),
      () => readAll(path),
    )
    return { place, ...rest }
  })
  const flaws: Looked<unknown>[] = [...lost, ...(read?.hierarchy.flaws ?? []), ...flawsOf(read?.place)]
  const now = sources.runtime.now().toISOString()
  const closed = (): Reason | undefined =>
    nameReason({ place: asked.place }, ids, lost) ??
    (read?.place === undefined ? undefined : (placeReason(read.place) ?? entitlementRefusal(read.place)))
  if (ids.path === undefined || read?.place === undefined || !isOpenPlace(read.place) || !isEntitled(read.place, module, now))
    return list.page([], undefined, malformedAmong(flaws), closed())
  return fill({ sources, path: ids.path, permission, hierarchy: read.hierarchy, flaws }, read.holdings, read.first, list)
}

function flawsOf(place: PlaceFacts | undefined): readonly Looked<unknown>[] {
  if (place === undefined) return []
  return [place.client, ...[place.project, place.building].flatMap((node) => node ?? []), ...place.subscriptions]
}

async function fill(asking: Asking, holdings: readonly Holding[], first: Candidates, list: Listed): Promise<AnswerPage<EntitledUser>> {
  const { limit } = list
  const { flaws } = asking
  const items: EntitledUser[] = []
  let candidates = first
  /** Everyone up to this one has been decided. */
  let decided = list.after
  for (let steps = 1; ; ) {
    flaws.push(...candidates.lost)
    const waiting = [...candidates.holdings]
    for (let at = 0; at < waiting.length && items.length <= limit; steps++) {
      // One more than the page holds says whether another follows.
      const chunk = waiting.slice(at, at + limit + 1 - items.length)
      if (steps >= stepsMax) return list.page(items, waiting[at - 1]?.[0] ?? decided, malformedAmong(flaws))
      items.push(...(await confirmed(asking, chunk)))
      at += chunk.length
    }
    const shown = items.slice(0, limit)
    if (items.length > limit) return list.page(shown, shown.at(-1)?.user_id, malformedAmong(flaws))
    if (candidates.horizon === undefined || steps >= stepsMax) return list.page(shown, candidates.horizon, malformedAmong(flaws))
    decided = candidates.horizon
    candidates = await candidatesAfter(asking.sources, holdings, candidates.horizon, limit + 1 - items.length)
    steps++
  }
}
