import { type AnswerPage, type Listed, recordsOfNodes, type Sources } from '@freehold/frame/decision'
import { compareKeys } from '@freehold/table/runtime'
import { closedReason, recordsOf, userAtPlace } from './access.ts'
import { isOf, type RoleDefinition, type Roles, roles as roleDefinitions } from './definitions.ts'
import { distinctRoles } from './grants.ts'
import { either, type Flags, isAny, noFlags } from './menu-flags.ts'
import type { OpenMenu, WhatAsked } from './question.ts'

/** The permissions of a role that count: it is live, and of the account or unscoped. */
export function permissionsOf(account: string, { node, permissions }: RoleDefinition) {
  return node.state === 'found' && isOf(account)(node.item) ? permissions.filter(isOf(account)) : []
}

/** The menus in which any of these roles may do something, in the order of their keys, with what any of them may. */
export function openMenus(account: string, roles: Roles): readonly OpenMenu[] {
  const open = new Map<string, Flags>()
  for (const role of roles.values())
    for (const { menuKey, flags } of permissionsOf(account, role)) open.set(menuKey, either(open.get(menuKey) ?? noFlags, flags))
  return [...open]
    .filter(([, flags]) => isAny(flags))
    .sort(([a], [b]) => compareKeys(a, b))
    .map(([menuKey, flags]) => ({ menuKey, ...flags }))
}

/** The menus in which a user may do something here. The same round trips as `can`. */
export async function what(sources: Sources, asked: WhatAsked, list: Listed): Promise<AnswerPage<OpenMenu>> {
  const at = await userAtPlace(sources, asked)
  const roles = await roleDefinitions.takeAll(sources, distinctRoles(at.held))
  const { after } = list
  const ahead = openMenus(asked.account, roles).filter(({ menuKey }) => after === undefined || compareKeys(menuKey, after) > 0)
  const flaws = [...recordsOf(at), ...recordsOfNodes(roles)]
  return list.pageOf(ahead, ({ menuKey }) => menuKey, flaws, undefined, closedReason(at))
}
