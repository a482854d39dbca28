import { malformedRecord } from '@freehold/frame/decision'
import { type BasisItem, collected, liveItem, notHeld, onceFor, undecided } from '@freehold/frame/flow'
import { checking } from '@freehold/table'
import { parallel, parallelMap } from '@freehold/table/runtime'
import { GroupRole, Role, RolePagePermission, UserGroup, UserGroupEdge } from '../design.ts'
import { type AtLocation, basisOf, type RebacContext } from './rebac-host.ts'

const pageMax = 1000

/** A role with the pages that it allows. Each flow that changes them counts as a write of the role, whose version is read first. */
const contentOf = (context: RebacContext, roleName: string) =>
  onceFor(context, `content of role ${roleName}`, async () => {
    const { version } = await liveItem(context, Role, { roleName })
    const allowed = new Set<string>()
    for await (const { pageName, permission } of context.table.permissionsOfRole.all({ roleName }, { consistent: true }))
      if (permission === 'ALLOW') allowed.add(pageName)
    const asRead: BasisItem = { kind: 'definition', name: `content of role ${roleName}`, check: checking(Role, { roleName }, { version }) }
    return { allowed, asRead }
  })

interface HeldPage {
  readonly page: string
  readonly grantedBy: { readonly groupId: string; readonly roleName: string }
}

/** The pages that the calling user may open at a location, each with a grant, by a decision that reads everything. `isWhole`: all of it was read. */
const pagesHeld = (context: RebacContext, { locationId: location }: AtLocation) =>
  onceFor(context, `held at ${location}`, async () => {
    const { decider, user } = context
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
  })

/**
 * A calling user grants no page that it cannot open itself at that location (spec rule 23). The roles that are granted join the permission basis of the
 * writes that follow, and so does each item by which the caller may open their pages. Throws `Denied`, and `Unavailable` if that could not be decided.
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
  const of = (entity: { readonly name: string }, id: Readonly<Record<string, string>>) =>
    basisOf({ entity: entity.name, id, state: 'found' }) ?? []
  basis?.add(
    uses.flatMap(({ page: pageName, groupId, roleName }) =>
      [
        of(Role, { roleName }),
        of(UserGroupEdge, { userId: user.id, groupId }),
        of(UserGroup, { groupId }),
        of(GroupRole, { groupId, roleName }),
        of(RolePagePermission, { roleName, pageName }),
      ].flat(),
    ),
  )
}

const rolesOf = ({ table }: RebacContext, groupId: string) =>
  collected(table.rolesOfGroup.all({ groupId }, { consistent: true }), ({ roleName }) => roleName)

/** Reads what a calling user may open, and what these roles allow, side by side with the decision on the permission of its flow. */
export async function readHeld(context: RebacContext, at: AtLocation, roleNames: readonly string[] = []): Promise<void> {
  if (context.user === undefined) return
  await parallel(
    () => pagesHeld(context, at),
    () => parallelMap(roleNames, (roleName) => contentOf(context, roleName)),
  )
}

/** A group with its roles, which are read after it: its version tells of each later change of them. Throws `NotFound`, `BeingDeleted`. */
const groupWithRoles = (context: RebacContext, groupId: string) =>
  onceFor(context, `roles of group ${groupId}`, async () => {
    const { version } = await liveItem(context, UserGroup, { groupId })
    return { version, roleNames: await rolesOf(context, groupId) }
  })

/** `readHeld` for the roles of a group. A group without roles gives nothing that one would have to hold. */
export async function readHeldOfGroup(context: RebacContext, at: AtLocation, groupId: string): Promise<void> {
  const { roleNames } = await groupWithRoles(context, groupId)
  if (roleNames.length > 0) await readHeld(context, at, roleNames)
}

/** A new member gets the group's roles. Throws `Denied`, `NotFound`, `BeingDeleted`. */
export async function checkHeldOfGroup(context: RebacContext, at: AtLocation, groupId: string): Promise<void> {
  if (context.user === undefined) return
  const { version, roleNames } = await groupWithRoles(context, groupId)
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
    if (group?.locationId === at.locationId && group.deleting === undefined) await checkHeldOfGroup(context, at, groupId)
  }
}

/** A table of another program may have roles and members of a group that is not there: they come with a new group of its id. Throws `Denied`. */
export async function checkHeldOfNewGroup(context: RebacContext, at: AtLocation, groupId: string): Promise<void> {
  if (context.user !== undefined) await checkHeld(context, at, await rolesOf(context, groupId))
}
