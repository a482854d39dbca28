import type { Entity } from '@freehold/table'
import { Change, Policy, Resource, Role, Tenant, TenantGrant, User } from '../src/authorization/design.ts'
import type { AuthorizationScene, AuthorizationWork } from './authorization-flows.ts'
import type { FlowRow } from './conformance/flow-scene.ts'
import { toldBy } from './conformance/told-by-change.ts'

/** One row for each flow of authorization that writes, and more. The lead of the scene is an admin of `ours`. */
export function authorizationRows({ flows }: Pick<AuthorizationWork, 'flows'>, scene: AuthorizationScene): readonly FlowRow[] {
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
  const atOurs = { told: () => ({ scope: tenantId }) }
  const row = (flow: string, entity: Entity, input: FlowRow['input'], more: Partial<FlowRow> = {}): FlowRow => ({
    flow,
    entity,
    input,
    ...more,
  })
  const renames: FlowRow['renames'] = ({ name }) => ({ name: { before: String(name).replace(', renamed', ''), after: name } })
  return [
    row('createTenant', Tenant, () => ({ name: name('tenant') })),
    row('renameTenant', Tenant, () => ({ tenantId, name: name('ours') }), atOurs),
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
    row('createRole', Role, () => ({ name: name('role'), scope: 'tenant' })),
    row(
      'renameRole',
      Role,
      async () => {
        const before = name('role')
        return { roleId: await role(before), name: `${before}, renamed` }
      },
      { renames },
    ),
    row('deleteRole', Role, async () => {
      const roleId = await role(name('role'))
      await flows.changeGrantRoles({ ...(await member()), add: [roleId] })
      return { roleId }
    }),
    row('createGrant', TenantGrant, async () => ({ tenantId, userId: await newUser(), roles: [viewer] }), atOurs),
    row('changeGrantRoles', TenantGrant, async () => ({ ...(await member()), take: [viewer], add: [] }), atOurs),
    row('changeGrantRoles', TenantGrant, async () => ({ ...(await member()), add: [editor] }), { ...atOurs, by: 'operator' }),
    row('removeGrant', TenantGrant, member, atOurs),
    row('createResource', Resource, () => ({ tenantId, type: 'Shop::Order', id: name('#1'), attributes: { total: 3 } }), atOurs),
    row('updateResource', Resource, async () => ({ ...(await newResource()), attributes: { total: 4 } }), atOurs),
    row('removeResource', Resource, newResource, atOurs),
    row('registerPolicy', Policy, () => ({ policyId: `p-${++count}-${scened}`, name: name('policy') })),
    row(
      'renamePolicy',
      Policy,
      async () => {
        const before = name('policy')
        const { policyId } = await flows.registerPolicy({ policyId: `p-${++count}-${scened}`, name: before })
        return { policyId, name: `${before}, renamed` }
      },
      { renames },
    ),
    row('removePolicy', Policy, async () => ({ policyId: await newPolicy() })),
  ]
}

export const toldByAuthorization = toldBy(Change, 'tenantId')
