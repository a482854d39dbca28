import type { Access } from '@freehold/frame/access'

/** Users have roles in tenants by grants, and roles everywhere; policies say what a role may do, so that nothing else is declared. */
export const access: Pick<Access, 'findings' | 'outline'> = {
  findings: [],
  outline: {
    ...{ subject: 'User', place: 'Tenant', actions: [], needs: [] },
    ways: [{ within: {}, grants: [{ entity: 'TenantGrant', role: 'roles', roles: { entity: 'Role' } }] }],
  },
}
