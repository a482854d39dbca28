import { compareKeys, parallel } from '@freehold/table/runtime'
import type { AnswerPage } from '../../decision/decision.ts'
import type { Listed } from '../../decision/list.ts'
import { type Lookup, type Name, resolveNames } from '../../decision/lookup.ts'
import { type LoadResult, malformedAmong } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { situationOf } from './access.ts'
import { nothingReason } from './can.ts'
import { allPages, allRoles, groups as groupDefinitions, type RoleDefinition, roles as roleDefinitions } from './definitions.ts'
import { type Grant, type Groups, isOf } from './grants.ts'
import type { Access } from './question.ts'
import { locationLookup, userLookup } from './resolve.ts'

/** A page that is open to the user, and one grant that opens it; `why` tells all. */
export type OpenPage = {
  readonly page: string
  readonly grantedBy: Grant
}

/** Roles that are read before it is known which of them the user has, where that saves the fourth round trip. */
const rolesUnseenMax = 100

/** The first grant of each page, over groups and roles. */
function openPages(groupIds: readonly string[], groups: Groups, roles: ReadonlyMap<string, RoleDefinition>): ReadonlyMap<string, Grant> {
  const open = new Map<string, Grant>()
  for (const groupId of groupIds) {
    for (const roleName of groups.get(groupId)?.roles ?? []) {
      const role = roles.get(roleName)
      if (role?.node.state !== 'found') continue
      for (const page of role.allowed) if (!open.has(page)) open.set(page, { groupId, roleName })
    }
  }
  return open
}

/** True for a name that was never looked up before, so that what hangs on it waits for the look-up. */
const isNew = ({ by }: Name, { guess }: Lookup<string>) => by === 'lookup' && guess === undefined

/**
 * All pages open to a user at a location, in the order of their names. One round trip with warm definitions, three cold or strong: also where
 * names are looked up for the first time, unless there are more than 100 roles; then four.
 */
export async function what(
  sources: Sources,
  { user, location }: Pick<Access, 'user' | 'location'>,
  list: Listed,
): Promise<AnswerPage<OpenPage>> {
  const names = { user: userLookup(sources, user), location: locationLookup(sources, location) }
  const isLonger = isNew(user, names.user) || isNew(location, names.location)
  const [{ ids: named, unusable, read: situation, isLate }, pages, everyRole] = await parallel(
    () => resolveNames(names, (ids) => situationOf(sources, ids)),
    () => allPages(sources),
    () => (isLonger ? allRoles(sources) : Promise.resolve(undefined)),
  )
  const nothing = nothingReason(unusable, [
    { what: 'User', name: user.text, id: named.user, node: situation?.user },
    { what: 'Location', name: location.text, id: named.location, node: situation?.location },
  ])
  if (situation === undefined) return list.page([], undefined, malformedAmong(unusable), nothing)
  const nodes: LoadResult<unknown>[] = [situation.user, situation.location, situation.membership]
  const flaws: LoadResult<unknown>[] = [...nodes, ...situation.groups.unusable, ...pages.unusable]
  if (nodes.some(({ state }) => state !== 'found')) return list.page([], undefined, malformedAmong(flaws), nothing)
  const unseen = isLate && everyRole !== undefined && everyRole.names.length <= rolesUnseenMax ? everyRole.names : []
  const groupIds = situation.groups.found.map(({ groupId }) => groupId)
  const [groups] = await parallel(
    () => groupDefinitions.takeAll(sources, groupIds),
    () => roleDefinitions.takeAll(sources, unseen),
  )
  const ids = groupIds.filter((groupId) => isOf(groups.get(groupId), situation.locationId))
  const held = new Set(ids.flatMap((groupId) => [...(groups.get(groupId)?.roles ?? [])]))
  const roles = await roleDefinitions.takeAll(sources, [...held])
  for (const { node, unusable } of [...groups.values(), ...roles.values()]) for (const each of [node, ...unusable]) flaws.push(each)
  return pageOf(openPages(ids, groups, roles), pages.names, list, malformedAmong(flaws))
}

/** The directory is in the order of names already. */
function pageOf(
  open: ReadonlyMap<string, Grant>,
  livePages: readonly string[],
  { after, limit, page }: Listed,
  malformed: ReturnType<typeof malformedAmong>,
): AnswerPage<OpenPage> {
  const items = livePages.flatMap((name): OpenPage[] => {
    const grantedBy = open.get(name)
    return grantedBy === undefined || (after !== undefined && compareKeys(name, after) <= 0) ? [] : [{ page: name, grantedBy }]
  })
  const shown = items.slice(0, limit)
  return page(shown, items.length > limit ? shown.at(-1)?.page : undefined, malformed)
}
