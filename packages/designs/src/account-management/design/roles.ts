import { uniqueName, untold } from '@freehold/frame/attributes'
import { dependingOn, edge, entity, flag, instant, list, mirror, oneOf, record, stamp, text, unique, unless, uuid } from '@freehold/table'
import { actor, ofScope, stamps } from './attributes.ts'
import { Client, User } from './people.ts'
import { BuildingPlace, ProjectPlace } from './places.ts'

// Roles and permissions (entities 5-7; the linkage of the table design)

const permission = { module: uniqueName, action: uniqueName, resource: uniqueName }
const noPermission = 'the entry is no permission: nothing is granted by it'

/** In the catalogue, which the whole system shares. */
export const Permission = entity('Permission', {
  attributes: {
    id: uuid().made(),
    module: uniqueName.mayBeAbsent(noPermission),
    action: uniqueName.mayBeAbsent(noPermission),
    resource: uniqueName.mayBeAbsent(noPermission),
    description: text().optional(),
    is_dangerous: flag().default(false),
    ...stamps,
  },
  key: ['SYSTEM', 'PERMISSION#{id}'],
})
const permissionKey = 'PERMISSION_KEY#{module}#{action}#{resource}'
export const PermissionKey = unique('PermissionKey', Permission, [permissionKey, permissionKey], [], {
  why: 'the catalogue has one entry of a module, action and resource',
})

export const Role = entity('Role', {
  attributes: {
    id: uuid().made(),
    client_id: uuid().optional(), // none: a system role
    name: uniqueName.mayBeAbsent(untold),
    description: text().optional(),
    is_system: flag().default(false),
    custom_template_id: uuid().optional(),
    created_by: actor(),
    parent_role_id: uuid().optional(),
    permission_form: oneOf('embedded', 'linked').default('embedded').addition('which of the two forms of the table design counts'),
    permissions: list(record(permission)).default([]),
    ...stamps,
  },
  key: ['CLIENT#{client_id}|SYSTEM', 'ROLE#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'ROLE#{id}'], GSI4: ['CLIENT#{client_id}', 'ROLE#{created_at}'] },
  refers: { client_id: Client, parent_role_id: { to: 'itself', onRemove: 'refuse' } },
})
const roleName = 'ROLE_NAME#{client_id}#{name}|ROLE_NAME#SYSTEM#{name}'
export const RoleName = unique('RoleName', Role, [roleName, roleName], [], { why: 'a client, or the system, has one role of a name' })
export const RoleChild = mirror('RoleChild', Role, ['ROLE_CHILDREN#{parent_role_id}', 'ROLE#{id}'], [], {
  why: 'a role with children does not go',
})
const roleParent = ['ROLE_PARENTS#{client_id}|ROLE_PARENTS#SYSTEM', 'ROLE#{id}#{parent_role_id}'] as const
export const RoleParent = mirror('RoleParent', Role, roleParent, [], { why: 'all roles above one are known at once, to be read together' })

/** A link repeats what the catalogue says, and follows it. */
export const { RolePermissionLink, PermissionRole } = edge({
  ends: { role_id: Role, permission_id: { to: Permission, onRemove: 'refuse' } },
  attributes: {
    client_id: uuid().optional().addition('the client of the role, whose key needs it', 'it is of the one role that has the id'),
    granted_by: actor(),
    granted_at: stamp.onCreate().mayBeAbsent(untold),
  },
  items: {
    RolePermissionLink: ['ROLE#{role_id}', 'PERMISSION#{permission_id}'],
    PermissionRole: ['PERMISSION_ROLES#{permission_id}', 'ROLE#{role_id}'],
  },
  copies: { RolePermissionLink: { module: 'permission_id.module', action: 'permission_id.action', resource: 'permission_id.resource' } },
  additions: { PermissionRole: 'a permission in use does not go' },
})

export const UserRoleAssignment = entity('UserRoleAssignment', {
  attributes: {
    id: uuid().made().mayBeAbsent('user, scope and role name it'),
    user_id: uuid(),
    role_id: uuid(),
    role_owner: text().addition(
      'where the role lies: the id of its client, or SYSTEM',
      "it is the client's role of the id or, if that has none, the system's",
    ),
    scope_type: oneOf('client', 'project', 'building'),
    scope_id: uuid(),
    client_id: uuid().from('scope_id', { Client: 'id' }).addition('tenant isolation needs it', ofScope),
    start_at: instant().optional(),
    expires_at: instant().optional(),
    created_by: actor(),
    ...stamps,
  },
  key: ['USER#{user_id}', 'ROLE#{scope_type}#{scope_id}#{role_id}'],
  indexes: { GSI2: ['USER#{user_id}', 'ACCESS#{scope_type}#{scope_id}#{role_id}'] },
  refers: {
    user_id: User,
    role_id: { to: Role, onRemove: 'refuse', by: { client_id: unless('role_owner', 'SYSTEM') } },
    scope_id: dependingOn('scope_type', { client: Client, project: ProjectPlace, building: BuildingPlace }),
  },
  fixed: ['role_owner'],
})
const effective = ['role_owner', 'client_id', 'start_at', 'expires_at'] as const
export const ScopeAssignment = mirror(
  'ScopeAssignment',
  UserRoleAssignment,
  ['SCOPE#{scope_type}#{scope_id}', 'ASSIGNMENT#{role_id}#{user_id}'],
  effective,
  { why: 'who has access here; a deleted scope takes its assignments' },
)
export const RoleHolder = mirror(
  'RoleHolder',
  UserRoleAssignment,
  ['ROLE_HOLDERS#{role_id}', '{scope_type}#{scope_id}#{user_id}'],
  effective,
  { why: 'who holds a role; a role in use does not go' },
)
