import { itemOf, liveItem, naming, permit, readErrors } from '@freehold/frame/flow'
import { list, ulid } from '@freehold/table'
import { parallelMap } from '@freehold/table/runtime'
import { Tenant, TenantGrant, TenantGrantById, User, UserTenantGrant } from '../design.ts'
import { type AtTenant, type AuthorizationContext, atTenant, flow, inSystem, itemFlows, listFlow } from './authorization-host.ts'
import { checkId, grantOf } from './by-id.ts'
import { allows, type FlowActions } from './flow-actions.ts'

const grants = itemFlows(TenantGrant, { scope: atTenant })
const someRoles = list(ulid(), { max: TenantGrant.attributes.roles.kind.membersMax ?? 0 }).optional()

/** The flows of what a user is in a tenant. */
export function grantFlows(actions: FlowActions) {
  /** Nobody gives a role that it may not grant itself (spec rule 23): the decider is asked about each. Throws `Denied`. */
  const checkMayGrant = async (context: AuthorizationContext, { tenantId }: AtTenant, roleIds: readonly string[]): Promise<void> => {
    if (context.user === undefined) return
    await parallelMap(roleIds, (roleId) => permit(context, allows(actions.grantRole), { tenantId, roleId }))
  }

  return {
    createGrant: grants.create({
      name: 'createGrant',
      summary: 'Makes a user a member of a tenant, perhaps with roles there. A caller must itself be allowed to grant each of them.',
      given: ['tenantId', 'userId', 'roles'],
      needs: allows(actions.createGrant),
      scope: atTenant,
      check: ({ context, input: { roles }, scope }) => checkMayGrant(context, scope, roles ?? []),
    }),
    changeGrantRoles: grants.update({
      name: 'changeGrantRoles',
      summary: 'Adds roles to what a user is in a tenant, and takes others. A caller must itself be allowed to grant each that it adds.',
      input: { add: someRoles, take: someRoles },
      needs: allows(actions.changeGrantRoles),
      errors: ['MissingEnd'],
      change: async ({ context, input: { add, take }, scope }, { roles }) => {
        const added = [...new Set(add ?? [])].filter((each) => !roles.includes(each))
        await checkMayGrant(context, scope, added)
        return { roles: [...roles, ...added].filter((each) => take?.includes(each) !== true) }
      },
    }),
    removeGrant: grants.remove({
      name: 'removeGrant',
      summary: 'Ends the membership of a user in a tenant, with its roles there.',
      needs: allows(actions.removeGrant),
    }),
    grantsOfTenant: listFlow(TenantGrant, {
      name: 'grantsOfTenant',
      summary: 'Who is a member of a tenant, with which roles: a page at a time.',
      input: naming(Tenant, 'tenantId'),
      needs: allows(actions.grantsOfTenant),
      scope: atTenant,
      read: ({ table }, _, how, { tenantId }) => table.grantsOfTenant({ tenantId }, how),
    }),
    grantsOfUser: listFlow(UserTenantGrant, {
      name: 'grantsOfUser',
      summary: 'Of which tenants a user is a member, with which roles: a page at a time.',
      input: naming(User, 'userId'),
      needs: 'operator',
      scope: inSystem,
      read: async (context, { userId }, how) => {
        await liveItem(context, User, { userId })
        return context.table.grantsOfUserOnTable({ userId }, how)
      },
    }),
    grantById: flow({
      name: 'grantById',
      summary: 'What a user is in a tenant, by the id of the grant.',
      input: naming(TenantGrantById, 'tenantGrantId'),
      needs: 'operator',
      effect: 'read',
      returns: itemOf(TenantGrant),
      errors: readErrors,
      scope: inSystem,
      run: async (context, { tenantGrantId }) => {
        const found = await liveItem(context, TenantGrant, await grantOf(context, tenantGrantId))
        checkId(TenantGrant, tenantGrantId, found.tenantGrantId ?? '')
        return found
      },
    }),
  }
}
