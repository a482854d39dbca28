import type { Evidence } from '@freehold/frame/decision'
import { type BasisItem, collected, liveItem, notHeld, onceFor, undecided } from '@freehold/frame/flow'
import { checking, type Entity } from '@freehold/table'
import { consistent, parallel, parallelMap } from '@freehold/table/runtime'
import { Group, GroupRole, Role, RolePermission, UserGroup } from '../design.ts'
import type { AccessData } from '../snapshot/access-snapshot.ts'
import { actions, type Flags, flagOf } from '../snapshot/menu-flags.ts'
import type { MenuPermission } from './flow-menus.ts'
import { basisOf, type PlatformContext } from './platform-host.ts'

/** A permission in words: `edit users`. No action holds a space, so that no two are the same. */
export const permissionWords = ({ menu, action }: MenuPermission) => `${action} ${menu}`

/** The permissions of one role in one menu. */
export function allowedBy({ menuKey, ...flags }: { readonly menuKey: string } & Partial<Flags>): readonly MenuPermission[] {
  return actions.flatMap((action) => (flags[flagOf[action]] === true ? [{ menu: menuKey, action }] : []))
}

/** A role with its permissions. Each flow that changes them counts as a write of the role, whose version is read first. */
const contentOf = (context: PlatformContext, id: string) =>
  onceFor(context, `content of role ${id}`, async () => {
    const { version } = await liveItem(context, Role, { id })
    const allowed = new Map<string, MenuPermission>()
    for await (const permission of context.table.permissionsOfRole.all({ roleId: id }, consistent))
      for (const each of allowedBy(permission)) allowed.set(permissionWords(each), each)
    const asRead: BasisItem = { kind: 'definition', name: `content of role ${id}`, check: checking(Role, { id }, { version }) }
    return { allowed, asRead }
  })

const rolesOfGroup = ({ table }: PlatformContext, groupId: string) =>
  collected(table.rolesOfGroup.all({ groupId }, consistent), ({ roleId }) => roleId)

const groupsOfUser = ({ table }: PlatformContext, userId: string) =>
  collected(table.groupsOfUser.all({ userId }, consistent), ({ groupId: id }) => ({ id }))

interface Grant {
  readonly groupId: string
  readonly roleId: string
}

/** The roles of a user's groups, each by one of the groups: those that are there and stay. */
async function rolesOfUser(context: PlatformContext, userId: string): Promise<readonly Grant[]> {
  const { table } = context
  const groups = await table.Group.getMany(await groupsOfUser(context, userId), consistent)
  const grants = await parallelMap(
    groups.flatMap((group) => (group === undefined || group.deleting !== undefined ? [] : [group.id])),
    async (groupId) => (await rolesOfGroup(context, groupId)).map((roleId): Grant => ({ groupId, roleId })),
  )
  const byRole = new Map(grants.flat().map((grant) => [grant.roleId, grant]))
  const roleIds = [...byRole.keys()].map((id) => ({ id }))
  const roles = await table.Role.getMany(roleIds, consistent)
  return roles.flatMap((role) => (role === undefined || role.deleting !== undefined ? [] : (byRole.get(role.id) ?? [])))
}

/**
 * The permissions that the calling user has in its own account, by their words, each with the items by which it has it. The design's own decisions say so,
 * which read everything.
 */
async function heldBy(context: PlatformContext, { id: userId, accountId: account }: NonNullable<PlatformContext['user']>) {
  const taken = await context.decider().access?.({ user: userId, account }, { consistency: 'strong', evidence: true })
  // Every decider tells access as this design does; with one that cannot tell it, nothing is held.
  const { grants = [], reason } = (taken?.toJSON() ?? {}) as Partial<AccessData>
  const held = new Map<string, readonly BasisItem[]>()
  for (const { menuKey, evidence = [] } of grants)
    for (const { groupId, roleId, ...flags } of evidence)
      for (const { menu, action } of allowedBy({ menuKey, ...flags })) {
        const of = (entity: Entity, id: Readonly<Record<string, string>>, as?: Evidence['as']) =>
          basisOf({ entity: entity.name, id, state: 'found', ...(as && { as }) }) ?? []
        const chain = [
          of(UserGroup, { userId, groupId }),
          of(Group, { id: groupId }),
          of(GroupRole, { groupId, roleId }),
          of(Role, { id: roleId }),
          of(RolePermission, { roleId, menuKey: menu }, { [flagOf[action]]: true }),
        ]
        const words = permissionWords({ menu, action })
        if (!held.has(words)) held.set(words, chain.flat())
      }
  return { held, fault: reason?.kind === 'fault' ? reason : undefined }
}

const heldOnce = (context: PlatformContext, user: NonNullable<PlatformContext['user']>) =>
  onceFor(context, 'held', () => heldBy(context, user))

/** Reads what a calling user has, and what these roles allow, side by side with the decision on the permission of its flow. */
export const readHeld = (context: PlatformContext, roleIds: readonly string[] = []): Promise<unknown> => {
  const { user } = context
  if (user === undefined) return Promise.resolve()
  return parallel(
    () => heldOnce(context, user),
    () => parallelMap(roleIds, (id) => contentOf(context, id)),
  )
}

/** The same for the roles of a group. */
export const readHeldOfGroup = (context: PlatformContext, groupId: string): Promise<unknown> =>
  parallel(
    () => readHeld(context),
    async () => readHeld(context, (await groupWithRoles(context, groupId)).roleIds),
  )

/** A caller that is a user grants nothing in a menu that it may not do there itself (spec rule 23). Throws `Denied`. */
export async function checkHeld(context: PlatformContext, granted: Iterable<MenuPermission>): Promise<void> {
  const wanted = [...new Set([...granted].map(permissionWords))]
  const { user, flow, basis } = context
  if (user === undefined || wanted.length === 0) return
  const { held, fault } = await heldOnce(context, user)
  const missing = wanted.filter((each) => !held.has(each))
  // A record that was not read may be the grant.
  if (missing.length > 0 && fault !== undefined) throw undecided(flow, fault)
  if (missing.length > 0) throw notHeld(flow, 'may not', missing)
  for (const each of wanted) basis?.add(held.get(each) ?? [])
}

/** The same of all that these roles allow. They join the permission basis as they were read. Throws `Denied`. */
export async function checkHeldRoles(context: PlatformContext, roleIds: readonly string[]): Promise<void> {
  if (context.user === undefined) return
  const contents = await parallelMap(roleIds, (id) => contentOf(context, id))
  context.basis?.add(contents.map(({ asRead }) => asRead))
  const granted = contents.flatMap(({ allowed }) => [...allowed.values()])
  await checkHeld(context, granted)
}

/** A group with its roles, which are read after it, since each change of them counts as a write of the group. Throws `NotFound`, `BeingDeleted`. */
const groupWithRoles = (context: PlatformContext, id: string) =>
  onceFor(context, `roles of group ${id}`, async () => {
    const { version } = await liveItem(context, Group, { id })
    return { version, roleIds: await rolesOfGroup(context, id) }
  })

/** A new member gets the group's roles. Throws `Denied`, `NotFound`, `BeingDeleted`. */
export async function checkHeldOfGroup(context: PlatformContext, id: string): Promise<void> {
  if (context.user === undefined) return
  const { version, roleIds } = await groupWithRoles(context, id)
  context.basis?.add([{ kind: 'definition', name: `roles of group ${id}`, check: checking(Group, { id }, { version }) }])
  await checkHeldRoles(context, roleIds)
}

/**
 * A caller that lets another user act again, or for longer, or could then act as that user, holds all that the user has. A grant that the user gets meanwhile is
 * by somebody who holds it. Throws `Denied`.
 */
export async function checkHeldOfUser(context: PlatformContext, userId: string): Promise<void> {
  if (context.user === undefined || context.user.id === userId) return
  const roleIds = (await rolesOfUser(context, userId)).map(({ roleId }) => roleId)
  await checkHeldRoles(context, roleIds)
}
