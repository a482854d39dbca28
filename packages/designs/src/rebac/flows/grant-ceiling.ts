import { malformedRecord } from '@freehold/frame/decision'
import { BasisChanged, type BasisItem, collected, liveItem, notHeld, undecided } from '@freehold/frame/flow'
import { checking, type Item } from '@freehold/table'
import { parallelMap } from '@freehold/table/runtime'
import { GroupRole, Role, RolePagePermission, UserGroup, UserGroupEdge } from '../design.ts'
import { type AtLocation, basisOf, type RebacContext } from './rebac-host.ts'

const pageMax = 1000

/** A role with the pages that it allows. Each flow that changes them counts as a write of the role, whose version is read first. */
async function contentOf(context: RebacContext, roleName: string) {
  const { version } = await liveItem(context, Role, { roleName })
  const allowed = new Set<string>()
  for await (const { pageName, permission } of context.table.permissionsOfRole.all({ roleName }, { consistent: true }))
    if (permission === 'ALLOW') allowed.add(pageName)
  const asRead: BasisItem = { kind: 'definition', name: `content of role ${roleName}`, check: checking(Role, { roleName }, { version }) }
  return { allowed, asRead }
}

interface HeldPage {
  readonly page: string
  readonly grantedBy: { readonly groupId: string; readonly roleName: string }
}

/** The pages that the calling user may open at a location, each with a grant, by a decision that reads everything. `isWhole`: all of it was read. */
async function pagesHeld({ decider, user }: RebacContext, { locationId: location }: AtLocation) {
  const held = new Map<string, HeldPage['grantedBy']>()
  let isWhole = true
  let cursor: string | undefined
  do {
    const how = { consistency: 'strong', limit: pageMax, ...(cursor === undefined ? {} : { cursor }) } as const
    const answer = await decider().what({ user: user?.id, location }, how)
    // Every decider of rebac tells open pages so.
    for (const { page, grantedBy } of answer.items as unknown as readonly HeldPage[]) held.set(page, grantedBy)
    isWhole &&= answer.malformed === undefined && answer.reason?.kind !== 'fault'
    cursor = answer.cursor
  } while (cursor !== undefined)
  return { held, isWhole }
}

/**
 * A calling user grants no page that it cannot open itself at that location (spec rule 23). The roles that are granted join the permission basis of the
 * writes that follow, and so do the roles by which the caller holds their pages. Throws `Denied`, and `Unavailable` if that could not be decided.
 * @param roleNames the roles that somebody gets there
 */
export async function checkHeld(context: RebacContext, at: AtLocation, roleNames: readonly string[]): Promise<void> {
  const { user, basis, flow } = context
  if (user === undefined || roleNames.length === 0) return
  const granted = await parallelMap(roleNames, (roleName) => contentOf(context, roleName))
  basis?.add(granted.map(({ asRead }) => asRead))
  const wanted = [...new Set(granted.flatMap(({ allowed }) => [...allowed]))]
  if (wanted.length === 0) return
  const { held, isWhole } = await pagesHeld(context, at)
  const missing = wanted.filter((page) => !held.has(page))
  // A record that was not read may be the grant.
  if (missing.length > 0 && !isWhole) throw undecided(flow, malformedRecord)
  if (missing.length > 0) throw notHeld(flow, 'may not open', missing)
  const uses = wanted.flatMap((page) => {
    const grant = held.get(page)
    return grant === undefined ? [] : [{ page, ...grant }]
  })
  const holding = [...new Set(uses.map(({ roleName }) => roleName))]
  const contents = new Map(await parallelMap(holding, async (roleName) => [roleName, await contentOf(context, roleName)] as const))
  // The role has lost the page since the decision.
  for (const { page, roleName } of uses) if (contents.get(roleName)?.allowed.has(page) !== true) throw new BasisChanged(roleName)
  const of = (entity: { readonly name: string }, id: Readonly<Record<string, string>>) =>
    basisOf({ entity: entity.name, id, state: 'found' }) ?? []
  basis?.add([
    ...[...contents.values()].map(({ asRead }) => asRead),
    ...uses.flatMap(({ page: pageName, groupId, roleName }) =>
      [
        of(UserGroupEdge, { userId: user.id, groupId }),
        of(UserGroup, { groupId }),
        of(GroupRole, { groupId, roleName }),
        of(RolePagePermission, { roleName, pageName }),
      ].flat(),
    ),
  ])
}

const rolesOf = ({ table }: RebacContext, groupId: string) =>
  collected(table.rolesOfGroup.all({ groupId }, { consistent: true }), ({ roleName }) => roleName)

/** A new member gets the group's roles. The group is read before them: its version tells of each later change of its roles. Throws `Denied`. */
export async function checkHeldOfGroup(context: RebacContext, at: AtLocation, { groupId, version }: Item<typeof UserGroup>): Promise<void> {
  if (context.user === undefined) return
  const roleNames = await rolesOf(context, groupId)
  context.basis?.add([{ kind: 'definition', name: `roles of group ${groupId}`, check: checking(UserGroup, { groupId }, { version }) }])
  await checkHeld(context, at, roleNames)
}

/**
 * A user who joins a location gets the roles of the groups there that it is in already: a table of another program may have such memberships. Throws
 * `Denied`.
 */
export async function checkHeldOnJoining(context: RebacContext, at: AtLocation, userId: string): Promise<void> {
  const { table, user } = context
  if (user === undefined) return
  for await (const { groupId } of table.groupsOfUserAtLocation.all({ userId, ...at }, { consistent: true })) {
    const group = await table.UserGroup.get({ groupId }, { consistent: true })
    // Only a live group of this very location grants anything there, even if the membership names this one.
    if (group?.locationId === at.locationId && group.deleting === undefined) await checkHeldOfGroup(context, at, group)
  }
}

/** A table of another program may have roles and members of a group that is not there: they come with a new group of its id. Throws `Denied`. */
export async function checkHeldOfNewGroup(context: RebacContext, at: AtLocation, groupId: string): Promise<void> {
  if (context.user !== undefined) await checkHeld(context, at, await rolesOf(context, groupId))
}
