import type { NeededPermission } from '../../flow/flow.ts'
import { permissionTable } from '../../flow/permission-table.ts'
import { type Action, actions } from '../deciding/menu-flags.ts'
import { RolePermission } from '../design.ts'

export interface MenuPermission {
  readonly menu: string
  readonly action: Action
}

const on = (menu: string, action: Action): MenuPermission => ({ menu, action })

/**
 * The permission in a menu that a calling user needs in its own account, by flow; all other flows are for operators. A deployer may name other menus and
 * actions.
 */
export const flowMenus = Object.freeze({
  updateAccount: on('account', 'edit'),
  exportAccount: on('account-export', 'view'),
  addAddress: on('addresses', 'create'),
  updateAddress: on('addresses', 'edit'),
  setPrimaryAddress: on('addresses', 'edit'),
  removeAddress: on('addresses', 'delete'),
  setTechnicalUser: on('technical-user', 'create'),
  replaceTechnicalUser: on('technical-user', 'edit'),
  licensesExpiring: on('licenses', 'view'),
  expiredLicenses: on('licenses', 'view'),
  licenseCapacity: on('licenses', 'view'),
  assignSeat: on('license-seats', 'create'),
  releaseSeat: on('license-seats', 'delete'),
  seatHolders: on('license-seats', 'view'),
  createWorkstream: on('workstreams', 'create'),
  ensureDefaultWorkstream: on('workstreams', 'create'),
  updateWorkstream: on('workstreams', 'edit'),
  deleteWorkstream: on('workstreams', 'delete'),
  addTool: on('workstream-tools', 'create'),
  updateTool: on('workstream-tools', 'edit'),
  removeTool: on('workstream-tools', 'delete'),
  addToWorkstream: on('workstream-members', 'create'),
  removeFromWorkstream: on('workstream-members', 'delete'),
  membersOfWorkstream: on('workstream-members', 'view'),
  workstreamsOfMember: on('workstream-members', 'view'),
  createUser: on('users', 'create'),
  updateUser: on('users', 'edit'),
  setEndDate: on('users', 'edit'),
  deactivateUser: on('users', 'edit'),
  reactivateUser: on('users', 'edit'),
  deleteUser: on('users', 'delete'),
  inactiveUsers: on('users', 'view'),
  createRole: on('roles', 'create'),
  copyRole: on('roles', 'create'),
  updateRole: on('roles', 'edit'),
  deleteRole: on('roles', 'delete'),
  setMenuPermission: on('role-permissions', 'edit'),
  removeMenuPermission: on('role-permissions', 'edit'),
  replaceMenuPermissions: on('role-permissions', 'edit'),
  createGroup: on('groups', 'create'),
  updateGroup: on('groups', 'edit'),
  deleteGroup: on('groups', 'delete'),
  addToGroup: on('group-members', 'create'),
  removeFromGroup: on('group-members', 'delete'),
  giveRole: on('group-roles', 'create'),
  takeRole: on('group-roles', 'delete'),
  sendCredentials: on('notifications', 'create'),
  resendNotification: on('notifications', 'create'),
  notifications: on('notifications', 'view'),
  notificationSummary: on('notifications', 'view'),
})

export type FlowMenus = Readonly<Record<keyof typeof flowMenus, MenuPermission>>

const menuKey = RolePermission.attributes.menuKey.schema

function readPermission(given: unknown): { readonly value: MenuPermission } | { readonly problem: string } {
  const { menu, action }: { readonly menu?: unknown; readonly action?: unknown } = typeof given === 'object' && given !== null ? given : {}
  const read = menuKey.safeParse(menu)
  if (!read.success || read.data === '') return { problem: `: its menu ${read.error?.issues[0]?.message ?? 'is empty'}` }
  const known = actions.find((each) => each === action)
  return known === undefined ? { problem: `: its action is none of ${actions.join(', ')}` } : { value: on(read.data, known) }
}

/** The table of menus with a deployer's own. Throws `InvalidInput` for a flow that needs no menu, and for what is no menu or action. */
export const flowMenusWith = (own: Partial<FlowMenus> = {}): FlowMenus => permissionTable(flowMenus, own, 'menu', readPermission)

/** That a calling user is allowed an action in a menu of the account. */
export const allows = ({ menu, action }: MenuPermission): NeededPermission =>
  Object.freeze({ module: 'platform', action, resource: menu, at: 'account' })
