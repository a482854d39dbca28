import { denied, itemOf, liveItem, naming, permit, readErrors } from '@freehold/frame/flow'
import { list, type Steps, ulid, updating } from '@freehold/table'
import { consistent, parallel, parallelMap } from '@freehold/table/runtime'
import { Tenant, TenantGrant, TenantGrantById, User, UserSignInEdge, UserTenantGrant } from '../design.ts'
import { type AtTenant, type AuthorizationContext, atTenant, flow, inSystem, itemFlows, listFlow } from './authorization-host.ts'
import { checkId, grantOf } from './by-id.ts'
import { allows, type FlowActions } from './flow-actions.ts'

const grants = itemFlows(TenantGrant, { scope: atTenant })
const someRoles = list(ulid(), { max: TenantGrant.attributes.roles.kind.membersMax ?? 0 }).optional()

/**
 * A provider speaks for its users in every tenant that has granted them something: so each tenant has to allow it. Operators, who alone allow providers,
 * grant without it. The user counts on: of a grant and a first sign-in that come at once, one reads what the other wrote. Throws `Denied`.
 */
async function withProvidersAllowed(
  { unscoped, user, flow: name }: AuthorizationContext,
  { tenantId, userId }: AtTenant & { readonly userId: string },
): Promise<Steps> {
  if (user === undefined || !unscoped.runtime.design.form.entities.has(UserSignInEdge.name)) return {}
  const granted = await unscoped.User.get({ userId }, consistent)
  if (granted === undefined) return {}
  const providers = new Set<string>()
  for await (const { provider } of unscoped.signInsOfUser.all({ userId }, consistent)) providers.add(provider)
  const tenant = providers.size === 0 ? undefined : await unscoped.Tenant.get({ tenantId }, consistent)
  for (const each of tenant?.identityProviders ?? []) providers.delete(each)
  if (providers.size > 0)
    // A tenant does not learn by which provider a user of others signs in.
    throw denied(name, 'ProviderNotAllowed', 'This user signs in by a provider that the tenant has not allowed: an operator allows it.')
  return { granted: updating(User, { userId }, {}, { version: granted.version }) }
}

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
      summary:
        'Makes a user a member of a tenant, perhaps with roles there. A caller must itself be allowed to grant each of them, and the tenant must allow the providers of the user.',
      given: ['tenantId', 'userId', 'roles'],
      needs: allows(actions.createGrant),
      scope: atTenant,
      alongside: async ({ context, input, scope }) => {
        const [steps] = await parallel(
          () => withProvidersAllowed(context, input),
          () => checkMayGrant(context, scope, input.roles ?? []),
        )
        return { steps, isUnscoped: true }
      },
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
