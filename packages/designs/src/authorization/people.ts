import type { PeopleOutline } from '@freehold/frame'

/** Users have roles in tenants by grants, and roles everywhere; policies say what a role may do. */
export const people: PeopleOutline = {
  person: 'User',
  places: [{ entity: 'Tenant' }],
  grants: [{ entity: 'TenantGrant', role: 'roles' }],
  role: { entity: 'Role' },
}
