import { stamps, uniqueName, untold } from '@freehold/frame/attributes'
import { edge, entity, flag, mirror, opaqueId, stamp } from '@freehold/table'
import { Account } from './accounts.ts'
import { described, ofAccount } from './attributes.ts'
import { User } from './users.ts'

// Roles (document §6): one without an account is in no account's index

const named = { ...described, name: uniqueName.mayBeAbsent(untold) }
const tenant = 'its key names no account, so the item does: a read made for one account verifies it'

export const Role = entity('Role', {
  attributes: { id: opaqueId().made(), accountId: opaqueId().optional(), ...named },
  key: ['ROLE#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#ROLE', 'ROLE#{id}'], GSI2: ['ACCOUNT#{accountId}#ROLES', 'ROLE#{id}'] },
  refers: { accountId: Account },
  fixed: ['accountId'],
})

export const RolePermission = entity('RolePermission', {
  attributes: {
    roleId: opaqueId(),
    menuKey: uniqueName,
    accountId: opaqueId().from('roleId').addition(tenant, 'it is of the account of its role'),
    canView: flag().default(false),
    canCreate: flag().default(false),
    canEdit: flag().default(false),
    canDelete: flag().default(false),
    ...stamps,
  },
  key: ['ROLE#{roleId}', 'PERMISSION#{menuKey}'],
  refers: { roleId: Role },
})

export const MenuRole = mirror(
  'MenuRole',
  RolePermission,
  ['MENU_ROLES#{menuKey}', 'ROLE#{roleId}'],
  ['accountId', 'canView', 'canCreate', 'canEdit', 'canDelete'],
  { why: 'who may do something in a menu' },
)

// Groups (document §7); who is in them and which roles they have are additions

export const Group = entity('Group', {
  attributes: {
    id: opaqueId().made(),
    accountId: opaqueId().addition('user, group and role share one account', 'it grants nothing until an operator gives it an account'),
    ...named,
  },
  key: ['GROUP#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#GROUP', 'GROUP#{id}'], GSI2: ['ACCOUNT#{accountId}#GROUPS', 'GROUP#{id}'] },
  refers: { accountId: Account },
  fixed: ['accountId'],
})

export const { GroupMember, UserGroup } = edge({
  ends: { groupId: Group, userId: User },
  attributes: { joinedAt: stamp.onCreate() },
  items: { GroupMember: ['GROUP#{groupId}', 'USER#{userId}'], UserGroup: ['USER_GROUPS#{userId}', 'GROUP#{groupId}'] },
  copies: { GroupMember: { accountId: 'groupId.accountId' }, UserGroup: { accountId: 'groupId.accountId' } },
  additions: { GroupMember: 'a group has members', UserGroup: 'permissions: user > groups; a deleted user leaves its groups' },
})

export const { GroupRole, RoleGroup } = edge({
  ends: { groupId: Group, roleId: Role },
  attributes: { assignedAt: stamp.onCreate() },
  items: { GroupRole: ['GROUP#{groupId}', 'ROLE#{roleId}'], RoleGroup: ['ROLE_GROUPS#{roleId}', 'GROUP#{groupId}'] },
  copies: { GroupRole: { accountId: 'groupId.accountId' }, RoleGroup: { accountId: 'groupId.accountId' } },
  additions: { GroupRole: 'permissions: groups > roles', RoleGroup: 'a deleted role leaves its groups; who may do something' },
})

export const AccountRole = mirror('AccountRole', Role, ['ACCOUNT_ROLES#{accountId}', 'ROLE#{id}'], [], ofAccount)
export const AccountGroup = mirror('AccountGroup', Group, ['ACCOUNT_GROUPS#{accountId}', 'GROUP#{id}'], [], ofAccount)
