import type { PeopleOutline } from '@freehold/frame'

/** Users have the roles of their groups in their account; a role opens menus. */
export const people: PeopleOutline = {
  person: 'User',
  places: [{ entity: 'Account' }],
  group: 'Group',
  grants: [{ entity: 'GroupRole' }, { entity: 'UserGroup' }],
  role: {
    entity: 'Role',
    permissions: {
      entity: 'RolePermission',
      rows: ['menuKey'],
      flags: { canView: 'view', canCreate: 'create', canEdit: 'edit', canDelete: 'delete' },
    },
  },
}
