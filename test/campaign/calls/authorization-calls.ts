import { type AuthorizationFlows, type AuthorizationTable, authorization, authorizationModule } from '@freehold/designs/authorization'
import { operator } from '@freehold/frame/flow'
import { randomOf, ulidOf } from '../random.ts'
import type { Touch } from '../record.ts'
import { flowSteps } from './account-calls.ts'
import { type Choice, callOf, type Lane, type Plan, touch } from './plan.ts'

const { Policy, Role, Tenant, TenantGrant, User } = authorization.entities

const fixed = randomOf(11)
const ids = (count: number) => Array.from({ length: count }, () => ulidOf(fixed))

/** Contended by all lanes: fewer names and addresses than tenants and users. */
const pool = {
  tenants: ids(4),
  tenantNames: ['one', 'two', 'three'],
  users: ids(4),
  emails: ['a1@example.org', 'a2@example.org', 'a3@example.org'],
  policies: ['p-1', 'p-2'],
  policyNames: ['stay', 'roles'],
} as const

/** Items that are there before the load begins. The roles stay. */
export const authorizationFixtures = { tenant: ids(1)[0] ?? '', user: ids(1)[0] ?? '', roles: ids(2), globalRole: ids(1)[0] ?? '' } as const
const { roles, globalRole } = authorizationFixtures

export async function prepareAuthorization(table: AuthorizationTable): Promise<void> {
  for (const [index, roleId] of roles.entries()) await table.Role.create({ roleId, name: `role ${index}`, scope: 'tenant' })
  await table.Role.create({ roleId: globalRole, name: 'global', scope: 'global' })
  await table.Tenant.create({ tenantId: authorizationFixtures.tenant, name: 'stays' })
  await table.User.create({ userId: authorizationFixtures.user, email: 'stays@example.org' })
}

/** A transaction that nothing stands in the way of. */
export const firstAuthorizationCall = (table: AuthorizationTable) => (marker: string) => {
  const values = { name: marker, scope: 'tenant' as const }
  return callOf('authorization', 'Role.create', touch(Role, 'create', values, true), values, () => table.Role.create(values))
}

/** The calls of a lane by flows of authorization, each of which leaves a record. */
export function authorizationCalls(table: AuthorizationTable, { random, marker }: Lane): readonly Choice[] {
  const one = random.one
  const flows = (): AuthorizationFlows => authorizationModule.flows.of(table, { actor: operator, user_agent: marker() })

  /** A flow that may find nothing to do, and then writes nothing, unless it is audited. */
  const flow = (name: keyof AuthorizationFlows, touched: Touch, input: object, isAudited = false): Plan => {
    // Each flow validates its input itself.
    const run = () => (flows()[name] as (input: object) => Promise<unknown>)(input)
    return callOf('authorization', name, touched, input, run, { steps: flowSteps, ...(isAudited ? { audited: { action: name } } : {}) })
  }

  const tenants = (): Plan => {
    const tenantId = one(pool.tenants)
    const id = { tenantId }
    switch (one(['create', 'create', 'create', 'rename', 'rename', 'suspend', 'activate', 'delete'] as const)) {
      case 'create': {
        const values = { tenantId, name: one(pool.tenantNames) }
        return flow('createTenant', touch(Tenant, 'create', values), values, true)
      }
      case 'rename':
        return flow('renameTenant', touch(Tenant, 'update', id), { ...id, name: random.percent(50) ? one(pool.tenantNames) : marker() })
      case 'suspend':
        return flow('suspendTenant', touch(Tenant, 'may-update', id), id)
      case 'activate':
        return flow('activateTenant', touch(Tenant, 'may-update', id), id)
      case 'delete':
        return flow('deleteTenant', touch(Tenant, 'remove', id), id)
    }
  }

  const users = (): Plan => {
    const userId = one(pool.users)
    const id = { userId }
    switch (one(['create', 'create', 'create', 'name', 'name', 'address', 'address', 'give', 'take', 'delete'] as const)) {
      case 'create': {
        const values = { userId, email: one(pool.emails), givenName: marker() }
        return flow('createUser', touch(User, 'create', values), values, true)
      }
      case 'name':
        return flow('updateUser', touch(User, 'update', id), { ...id, givenName: marker() }, true)
      case 'address':
        return flow('changeEmail', touch(User, 'may-update', id), { ...id, email: one(pool.emails) })
      case 'give':
        return flow('giveGlobalRole', touch(User, 'may-update', id), { ...id, roleId: globalRole })
      case 'take':
        return flow('takeGlobalRole', touch(User, 'may-update', id), { ...id, roleId: globalRole })
      case 'delete':
        return flow('deleteUser', touch(User, 'remove', id), id)
    }
  }

  const grants = (): Plan => {
    const id = { tenantId: one(pool.tenants), userId: one(pool.users) }
    switch (one(['create', 'create', 'create', 'change', 'change', 'change', 'remove'] as const)) {
      case 'create': {
        const values = { ...id, roles: random.percent(60) ? [one(roles)] : [] }
        return flow('createGrant', touch(TenantGrant, 'create', values), values, true)
      }
      case 'change': {
        const [add, take] = random.shuffled(roles)
        return flow('changeGrantRoles', touch(TenantGrant, 'may-update', id), { ...id, add: [add], take: [take] })
      }
      case 'remove':
        return flow('removeGrant', touch(TenantGrant, 'remove', id), id, true)
    }
  }

  /** Fewer names than there are policies: they compete for them. A policy is removed by its id, whatever its name is by then. */
  const policies = (): Plan => {
    const [policyId, name] = [one(pool.policies), one(pool.policyNames)]
    if (random.percent(60)) return flow('registerPolicy', touch(Policy, 'create', { policyId, name }), { policyId, name }, true)
    const touches = pool.policyNames.map((each) => touch(Policy, 'may-remove', { name: each }))
    const plan = flow('removePolicy', touch(Policy, 'may-remove', { name }), { policyId }, true)
    return { ...plan, touches }
  }

  return [
    { weight: 22, plan: tenants },
    { weight: 26, plan: users },
    { weight: 34, plan: grants },
    { weight: 18, plan: policies },
  ]
}
