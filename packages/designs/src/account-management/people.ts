import type { PeopleOutline } from '@freehold/frame'

/** Users have roles at a client, a project or a building, for a time; a role inherits from the one above it. */
export const people: PeopleOutline = {
  person: 'User',
  places: [{ entity: 'Client' }, { entity: 'Project', within: 'client_id' }, { entity: 'Building', within: 'project_id' }],
  grants: [{ entity: 'UserRoleAssignment', role: 'role_id', from: 'start_at', until: 'expires_at' }],
  role: {
    entity: 'Role',
    parent: 'parent_role_id',
    permissions: {
      entity: 'RolePermissionLink',
      list: 'permissions',
      listed: { permission_form: 'embedded' },
      rows: ['module', 'resource'],
      column: 'action',
      catalogue: 'Permission',
      dangerous: 'is_dangerous',
    },
  },
}
