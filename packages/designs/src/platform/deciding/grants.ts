import type { Item } from '@freehold/table'
import { compareKeys } from '@freehold/table/runtime'
import type { UserGroup } from '../design.ts'
import { type GroupDefinition, type Groups, isOf, type RoleOnMenu, type RolesOnMenu } from './definitions.ts'
import { type Action, flagOf } from './menu-flags.ts'

/** The group and the role through which something is granted. */
export type Grant = {
  readonly groupId: string
  readonly roleId: string
}

export const distinctRoles = (grants: readonly Grant[]): readonly string[] => [...new Set(grants.map(({ roleId }) => roleId))]

/**
 * True for a live group whose own item says that it is of the account: the copy on an edge may be a lie. A group of another program says nothing, and
 * grants nothing until it is given an account.
 */
export function isGroupOf(account: string, group: GroupDefinition | undefined): group is GroupDefinition {
  return group?.node.state === 'found' && group.node.item.accountId === account
}

/** The roles of a group, if it is of the account. */
export function rolesOfGroup(account: string, groupId: string, groups: Groups): readonly string[] {
  const group = groups.get(groupId)
  return isGroupOf(account, group) ? group.roles.filter(isOf(account)).map(({ roleId }) => roleId) : []
}

/** User > groups > roles, in the order of their ids: all that might grant. */
export function heldRoles(account: string, edges: readonly Item<typeof UserGroup>[], groups: Groups): readonly Grant[] {
  return edges
    .filter(isOf(account))
    .flatMap(({ groupId }) => rolesOfGroup(account, groupId, groups).map((roleId) => ({ groupId, roleId })))
    .sort((a, b) => compareKeys(a.groupId, b.groupId) || compareKeys(a.roleId, b.roleId))
}

/** True for a live role that is of the account or unscoped, and whose live permission in the menu has the flag of the action. */
export function allows(account: string, { role, permission }: RoleOnMenu, action: Action): boolean {
  if (role.state !== 'found' || permission.state !== 'found') return false
  return [role.item, permission.item].every(isOf(account)) && permission.item[flagOf[action]]
}

/** Those of the held roles that allow the action. */
export function grantsAmong(account: string, held: readonly Grant[], roles: RolesOnMenu, action: Action): readonly Grant[] {
  return held.filter(({ roleId }) => {
    const role = roles.get(roleId)
    return role !== undefined && allows(account, role, action)
  })
}
