import { scopedAccessOf, through } from '@freehold/frame/access'
import { accountManagement, Building, Client, Project, Role, RolePermissionLink, User, UserEmail, UserRoleAssignment } from './design.ts'
import { moduleNeed } from './modules.ts'
import { taking } from './take-access.ts'

/**
 * Scope chain: building > project > client. An assignment at a scope counts for everything beneath it, from `start_at` until just before `expires_at`. User,
 * scope and role are of one client, except roles of the system and internal users. A role has its own permissions, embedded or linked, and its parent's.
 */
export const access = scopedAccessOf(accountManagement, {
  subject: User,
  names: [UserEmail],
  scopes: { client_id: Client, project_id: Project, building_id: Building },
  permission: { module: 'The module', action: 'What is done', resource: 'With what it is done' },
  where: { User: { status: 'active' }, Client: { status: 'active' } },
  unless: { user_type: 'internal' },
  grants: through(UserRoleAssignment)
    .at('scope_type', 'scope_id')
    .from('start_at')
    .until('expires_at')
    .byRole('role_id', Role, 'permissions', {
      owner: 'role_owner',
      above: 'parent_role_id',
      links: RolePermissionLink,
      where: { permission_form: 'linked' },
      dangerous: 'is_dangerous',
    }),
  needs: moduleNeed,
  snapshots: taking,
  words: {
    User: {
      code: 'UserDisabled',
      // A user who was disabled after accepting the invitation has no invitation that ends.
      inactive: ({ invitation_expires_at }) =>
        invitation_expires_at === undefined ? undefined : 'The user has not accepted the invitation.',
    },
    Client: { code: 'ClientSuspended' },
    UserRoleAssignment: { is: 'assignment' },
  },
  shows: { user_id: 'id', email: 'email', user_type: 'user_type', first_name: 'first_name', last_name: 'last_name' },
})

/** Whose the roles of no client are. */
export const systemOwner = 'SYSTEM'
