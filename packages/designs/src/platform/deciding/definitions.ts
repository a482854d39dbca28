import {
  type DefinitionReader,
  definitionReader,
  type LoadResult,
  nodeReader,
  parseRecords,
  placeOf,
  rangeReader,
  readRange,
  type Sources,
  takeParts,
  wanted,
} from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import type { Awaitable } from '@freehold/table/runtime'
import { AccountGroup, Group, GroupRole, MenuRole, Role, RoleGroup, RolePermission } from '../design.ts'
import { flagsOf } from './menu-flags.ts'

// Definitions in the sense of spec rule 18: what `bounded` may take from memory. Lookup items and the other sides of edges (MenuRole, RoleGroup,
// AccountGroup) only say where to look: decisions rest on the document's own items and on GroupRole.

/** True for an item that is of the account or says nothing of one. */
export function isOf(account: string): (item: { readonly accountId?: string | undefined }) => boolean {
  return ({ accountId }) => accountId === undefined || accountId === account
}

/** Groups with their edges to roles. */
export const groups = nodeReader(
  Group,
  GroupRole,
  (id) => ({ id, groupId: id }),
  (edges) => ({ roles: edges.map(({ roleId, accountId }) => ({ roleId, accountId })) }),
)

/** Roles with their permissions in all menus. */
export const roles = nodeReader(
  Role,
  RolePermission,
  (id) => ({ id, roleId: id }),
  (edges) => ({
    permissions: edges.map((edge) => ({ menuKey: edge.menuKey, accountId: edge.accountId, flags: flagsOf(edge) })),
  }),
)

/** The roles of all accounts that have a permission in a menu. */
export const rolesOfMenu = rangeReader(
  MenuRole,
  (menuKey) => ({ menuKey }),
  (items) => ({
    roles: items.map((item) => ({ roleId: item.roleId, accountId: item.accountId, flags: flagsOf(item) })),
  }),
)

/** The groups of all accounts that have a role: those of one account, unless the role is unscoped. */
export const groupsOfRole = rangeReader(
  RoleGroup,
  (roleId) => ({ roleId }),
  (items) => ({ groups: items.map(({ groupId, accountId }) => ({ groupId, accountId })) }),
)

type Definition<R> = R extends DefinitionReader<string, infer V> ? V : never
export type GroupDefinition = Definition<typeof groups>
export type Groups = ReadonlyMap<string, GroupDefinition>
export type RoleDefinition = Definition<typeof roles>
export type Roles = ReadonlyMap<string, RoleDefinition>

/** A role, and its permission in one menu. */
export interface RoleOnMenu {
  readonly role: LoadResult<Item<typeof Role>>
  readonly permission: LoadResult<Item<typeof RolePermission>>
}
/** By the ids of the roles. */
export type RolesOnMenu = ReadonlyMap<string, RoleOnMenu>

/** The permissions of these roles in one menu. */
export const rolesOnMenu = (sources: Sources, roleIds: readonly string[], menuKey: string): Awaitable<RolesOnMenu> =>
  takeParts(sources, roleIds, {
    role: (id) => wanted(Role, { id }),
    permission: (roleId) => wanted(RolePermission, { roleId, menuKey }),
  })

/** Groups that are read before it is known which of them the user is in. Of more, the requests would cost more than the round trip that they save. */
const groupsAheadMax = 250

/** The ids of an account's groups; none if it has more than are read ahead. */
export const groupsOfAccount = definitionReader(
  (account: string) => `${AccountGroup.name} ${account}`,
  async ({ runtime }, account): Promise<readonly string[]> => {
    const { partition, range } = placeOf(AccountGroup, { accountId: account })
    const { items, isLast } = await readRange(runtime, partition, range, { limit: groupsAheadMax })
    return isLast ? parseRecords(AccountGroup, items).found.map(({ id }) => id) : []
  },
)

/** Reads the groups of an account into memory, unless there are many: side by side with what hangs on a user that was just found. */
export async function readGroupsAhead(sources: Sources, account: string): Promise<void> {
  await groups.takeAll(sources, await groupsOfAccount.take(sources, account))
}
