import { type FlowSamples, operator, sampleOf as row } from '@freehold/frame/flow'
import type { ConnectedTable } from '@freehold/table'
import type { AuthorizationTable } from '../authorization-table.ts'
import { Policy, Resource, Role, SignInIdentity, Tenant, TenantGrant, User } from '../design.ts'
import { type AuthorizationFlows, offeredAuthorizationFlows } from './flows.ts'

export interface AuthorizationWork {
  readonly table: AuthorizationTable
  /** An operator's. */
  readonly flows: AuthorizationFlows
}

export type AuthorizationScene = Awaited<ReturnType<typeof authorizationScene>>

/** Two tenants. Lead is an admin of `ours` and a viewer; friend is a member without roles; stranger is an admin of `theirs`. */
export async function authorizationScene({ flows, table }: AuthorizationWork, name = 'one') {
  const user = async (word: string) => (await flows.createUser({ email: `${word}-${name}@example.org` })).userId
  const role = async (word: string, scope: 'tenant' | 'global' = 'tenant') => (await flows.createRole({ name: word, scope })).roleId
  const { tenantId: ours } = await flows.createTenant({ name: `ours ${name}` })
  const { tenantId: theirs } = await flows.createTenant({ name: `theirs ${name}` })
  const [lead, friend, stranger] = [await user('lead'), await user('friend'), await user('stranger')]
  const known = await table.Role.get({ scope: 'tenant', name: 'admin' }, { consistent: true })
  const admin = known?.roleId ?? (await role('admin'))
  const viewer = await role(`viewer ${name}`)
  const editor = await role(`editor ${name}`)
  const staff = await role(`staff ${name}`, 'global')
  await flows.createGrant({ tenantId: ours, userId: lead, roles: [admin, viewer] })
  await flows.createGrant({ tenantId: ours, userId: friend })
  await flows.createGrant({ tenantId: theirs, userId: stranger, roles: [admin, viewer] })
  return { name, ours, theirs, lead, friend, stranger, admin, viewer, editor, staff, user, role }
}

/** A call of each flow that writes. The lead of the scene is an admin of `ours`. */
export function authorizationSamples({ flows }: Pick<AuthorizationWork, 'flows'>, scene: AuthorizationScene): FlowSamples {
  const { name: scened, ours: tenantId, viewer, editor, staff, user, role } = scene
  let count = 0
  const name = (word: string) => `${word} ${++count} ${scened}`
  const newTenant = async () => (await flows.createTenant({ name: name('tenant') })).tenantId
  const newUser = () => user(`user-${++count}`)
  const member = async () => {
    const pair = { tenantId, userId: await newUser() }
    await flows.createGrant({ ...pair, roles: [viewer] })
    return pair
  }
  const subject = () => ({ provider: 'google', subject: name('subject') })
  const person = () => ({ ...subject(), address: `p-${++count}-${scened}@example.org` })
  const withStaff = async () => {
    const given = { userId: await newUser(), roleId: staff }
    await flows.giveGlobalRole(given)
    return given
  }
  const newPolicy = async () => (await flows.registerPolicy({ policyId: `p-${++count}-${scened}`, name: name('policy') })).policyId
  const newResource = async () => {
    const key = { tenantId, type: 'Ticket', id: name('ticket') }
    await flows.createResource({ ...key, attributes: { status: 'open' } })
    return key
  }
  return {
    user: scene.lead,
    samples: [
      row('createTenant', Tenant, () => ({ name: name('tenant') })),
      row('renameTenant', Tenant, () => ({ tenantId, name: name('ours') })),
      row('suspendTenant', Tenant, async () => ({ tenantId: await newTenant() })),
      row('activateTenant', Tenant, async () => {
        const suspended = { tenantId: await newTenant() }
        await flows.suspendTenant(suspended)
        return suspended
      }),
      row('deleteTenant', Tenant, async () => {
        const deleted = { tenantId: await newTenant() }
        await flows.createGrant({ ...deleted, userId: await newUser(), roles: [viewer] })
        return deleted
      }),
      row('createUser', User, () => ({
        email: `New-${++count}-${scened}@Example.org`,
        phone: `+49 30 ${100_000 + count}`,
        preferredUsername: `New-${count}-${scened}`,
        givenName: 'Ada',
        familyName: 'Byron',
      })),
      row('updateUser', User, async () => ({ userId: await newUser(), givenName: 'Ada' })),
      row('changeEmail', User, async () => ({ userId: await newUser(), email: `changed-${++count}-${scened}@example.org` })),
      row('changePhone', User, async () => ({ userId: await newUser(), phone: `+4940${100_000 + ++count}` })),
      row('changePreferredUsername', User, async () => ({ userId: await newUser(), preferredUsername: `name-${++count}-${scened}` })),
      row('giveGlobalRole', User, async () => ({ userId: await newUser(), roleId: staff })),
      row('takeGlobalRole', User, withStaff),
      row('deleteUser', User, async () => ({ userId: (await member()).userId })),
      row('eraseUser', User, async () => ({ userId: await newUser() })),
      row('signIn', SignInIdentity, async () => {
        const [one, tenant] = [person(), await newTenant()]
        await flows.setIdentityProviders({ tenantId: tenant, identityProviders: ['google'] })
        const { userId } = await flows.createUser({ email: one.address })
        await flows.createGrant({ tenantId: tenant, userId, roles: [] })
        return { ...one, unknown: 'link' }
      }),
      row('signIn', User, async () => {
        const tenant = await newTenant()
        await flows.setIdentityProviders({ tenantId: tenant, identityProviders: ['google'] })
        return { ...person(), tenant, unknown: 'make' }
      }),
      row('linkIdentity', SignInIdentity, async () => ({ ...subject(), userId: await newUser() })),
      row('unlinkIdentity', SignInIdentity, async () => {
        const identity = subject()
        await flows.linkIdentity({ ...identity, userId: await newUser() })
        return identity
      }),
      row('setIdentityProviders', Tenant, async () => ({ tenantId: await newTenant(), identityProviders: ['google'] })),
      row('createRole', Role, () => ({ name: name('role'), scope: 'tenant' })),
      row('renameRole', Role, async () => {
        const before = name('role')
        return { roleId: await role(before), name: `${before}, renamed` }
      }),
      row('deleteRole', Role, async () => {
        const roleId = await role(name('role'))
        await flows.changeGrantRoles({ ...(await member()), add: [roleId] })
        return { roleId }
      }),
      row('createGrant', TenantGrant, async () => ({ tenantId, userId: await newUser(), roles: [viewer] })),
      row('changeGrantRoles', TenantGrant, async () => ({ ...(await member()), take: [viewer], add: [] })),
      row('changeGrantRoles', TenantGrant, async () => ({ ...(await member()), add: [editor] }), 'operator'),
      row('removeGrant', TenantGrant, member),
      row('createResource', Resource, () => ({ tenantId, type: 'Shop::Order', id: name('#1'), attributes: { total: 3 } })),
      row('updateResource', Resource, async () => ({ ...(await newResource()), attributes: { total: 4 } })),
      row('removeResource', Resource, newResource),
      row('registerPolicy', Policy, () => ({ policyId: `p-${++count}-${scened}`, name: name('policy') })),
      row('renamePolicy', Policy, async () => {
        const before = name('policy')
        const { policyId } = await flows.registerPolicy({ policyId: `p-${++count}-${scened}`, name: before })
        return { policyId, name: `${before}, renamed` }
      }),
      row('removePolicy', Policy, async () => ({ policyId: await newPolicy() })),
    ],
  }
}

/** The same on an empty table, by an operator. */
export async function samplesOn(table: ConnectedTable): Promise<FlowSamples> {
  // The table is of this design.
  const work: AuthorizationWork = {
    table: table as unknown as AuthorizationTable,
    flows: offeredAuthorizationFlows().of(table, { actor: operator }),
  }
  // Policies, which a deployer keeps, decide what users may do.
  return { ...authorizationSamples(work, await authorizationScene(work)), user: undefined }
}
