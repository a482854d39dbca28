import type { Evidence } from '@freehold/frame/decision'
import { BasisChanged, type BasisItem, collected, liveItem, notHeld } from '@freehold/frame/flow'
import { checking, type Entity, type Item, isFreeholdError } from '@freehold/table'
import { parallelMap } from '@freehold/table/runtime'
import { actions, type Flags, flagOf } from '../deciding/menu-flags.ts'
import { Group, GroupRole, Role, RolePermission, UserGroup } from '../design.ts'
import type { MenuPermission } from './flow-menus.ts'
import { basisOf, type PlatformContext } from './platform-host.ts'

const consistent = { consistent: true }

/** A permission in words: `edit users`. No action holds a space, so that no two are the same. */
export const permissionWords = ({ menu, action }: MenuPermission) => `${action} ${menu}`

/** The permissions of one role in one menu. */
export function allowedBy({ menuKey, ...flags }: { readonly menuKey: string } & Partial<Flags>): readonly MenuPermission[] {
  return actions.flatMap((action) => (flags[flagOf[action]] === true ? [{ menu: menuKey, action }] : []))
}

/** A role with its permissions. Each flow that changes them counts as a write of the role, whose version is read first. */
async function contentOf(context: PlatformContext, id: string) {
  const { version } = await liveItem(context, Role, { id })
  const allowed = new Map<string, MenuPermission>()
  for await (const permission of context.table.permissionsOfRole.all({ roleId: id }, consistent))
    for (const each of allowedBy(permission)) allowed.set(permissionWords(each), each)
  const asRead: BasisItem = { kind: 'definition', name: `content of role ${id}`, check: checking(Role, { id }, { version }) }
  return { allowed, asRead }
}

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

/** The permissions that the calling user has in its own account, by their words, each with the items by which it has it. */
async function heldBy(context: PlatformContext, userId: string): Promise<ReadonlyMap<string, readonly BasisItem[]>> {
  const held = new Map<string, readonly BasisItem[]>()
  const contents = await parallelMap(await rolesOfUser(context, userId), async (grant) => {
    const content = await contentOf(context, grant.roleId).catch((error: unknown) => {
      // The role has gone since the grants were read.
      throw isFreeholdError(error) && error.category === 'missing' ? new BasisChanged(grant.roleId) : error
    })
    return { grant, content }
  })
  for (const { grant, content } of contents) {
    const { groupId, roleId } = grant
    for (const [words, { menu, action }] of content.allowed) {
      const of = (entity: Entity, id: Readonly<Record<string, string>>, as?: Evidence['as']) =>
        basisOf({ entity: entity.name, id, state: 'found', ...(as && { as }) }) ?? []
      const chain = [
        of(UserGroup, { userId, groupId }),
        of(Group, { id: groupId }),
        of(GroupRole, { groupId, roleId }),
        of(RolePermission, { roleId, menuKey: menu }, { [flagOf[action]]: true }),
      ]
      if (!held.has(words)) held.set(words, [content.asRead, ...chain.flat()])
    }
  }
  return held
}

/** A caller that is a user grants nothing in a menu that it may not do there itself (spec rule 23). Throws `Denied`. */
export async function checkHeld(context: PlatformContext, granted: Iterable<MenuPermission>): Promise<void> {
  const wanted = [...new Set([...granted].map(permissionWords))]
  const { user, flow, basis } = context
  if (user === undefined || wanted.length === 0) return
  const held = await heldBy(context, user.id)
  const missing = wanted.filter((each) => !held.has(each))
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

/** A new member gets the group's roles. They are read after the group, since each change of them counts as a write of the group. Throws `Denied`. */
export async function checkHeldOfGroup(context: PlatformContext, { id, version }: Item<typeof Group>): Promise<void> {
  if (context.user === undefined) return
  const roleIds = await rolesOfGroup(context, id)
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
