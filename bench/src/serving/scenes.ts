import { accountManagement, accountManagementModule } from '@freehold/designs/account-management'
import { authorization, authorizationModuleWith } from '@freehold/designs/authorization'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { platform, platformModule } from '@freehold/designs/platform'
import { rebac, rebacModule } from '@freehold/designs/rebac'
import type { DesignModule } from '@freehold/frame'
import { localEngine } from '@freehold/frame/cedar'
import { type ConnectOptions, connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { accountQuestion } from '../../../packages/cli/dist/sample/account.js'
import { loadAccount } from '../../../packages/cli/dist/sample/load-account.js'
import { loadOrganisation } from '../../../packages/cli/dist/sample/load-organisation.js'
import { sampleQuestion } from '../../../packages/cli/dist/sample/organisation.js'

/** A design with a small sample. */
export interface Scene {
  /** The same in every process. */
  module(): Promise<DesignModule>
  /** Writes the sample. Returns a question about it that is allowed, by names. */
  fill(options: ConnectOptions): Promise<object>
}

/** A user with a role at a building, which is asked for by the user's e-mail address. */
async function fillAccounts(options: ConnectOptions): Promise<object> {
  const table = connect(accountManagement, options)
  await ensureTable(table.runtime)
  const door = { module: 'devices', action: 'operate', resource: 'door' }
  await table.Permission.create(door)
  const { id: client_id } = await table.Client.create({ name: 'Acme' })
  const { id: project_id } = await table.Project.create({ client_id, name: 'Harbour' })
  const { id: building } = await table.Building.create({ project_id, name: 'North' })
  const { id: role_id } = await table.Role.create({ client_id, name: 'keeper', permissions: [door] })
  const email = 'ada@example.org'
  const { id: user_id } = await table.User.create({ client_id, email, user_type: 'external_tenant', status: 'active' })
  await table.UserRoleAssignment.create({ user_id, role_id, role_owner: client_id, scope_type: 'building', scope_id: building })
  return { user: email, building, permission: 'devices:operate:door' }
}

/** An owner of a tenant, who is named by an id. */
async function fillTenants(options: ConnectOptions): Promise<object> {
  const table = connect(authorization, options)
  await ensureTable(table.runtime)
  const { roleId } = await table.Role.create({ name: 'owner', scope: 'tenant' })
  const { tenantId } = await table.Tenant.create({ name: 'acme' })
  const { userId } = await table.User.create({ email: 'ada@example.org', roles: [] })
  await table.TenantGrant.create({ userId, tenantId, roles: [roleId] })
  return { user: userId, tenant: tenantId, action: 'renameTenant', resource: { type: 'Tenant', id: tenantId } }
}

async function policies() {
  const cedar = Object.entries(starterFiles).filter(([name]) => name.endsWith('.cedar'))
  return localEngine({ policies: new Map(cedar), schema: starterFiles['schema.cedarschema'] ?? '' })
}

export const scenes: Readonly<Record<string, Scene>> = {
  rebac: {
    module: async () => rebacModule,
    fill: async (options) => {
      const table = connect(rebac, options)
      await ensureTable(table.runtime)
      await loadOrganisation(table)
      return sampleQuestion
    },
  },
  'account-management': { module: async () => accountManagementModule, fill: fillAccounts },
  platform: {
    module: async () => platformModule,
    fill: async (options) => {
      const table = connect(platform, options)
      await ensureTable(table.runtime)
      await loadAccount(table)
      return accountQuestion
    },
  },
  authorization: { module: async () => authorizationModuleWith({ policies: await policies() }), fill: fillTenants },
}

/** The name under which the service has the same design with a decider that answers at once: what is left is HTTP. */
export const atOnceName = 'at-once'

export function sceneOf(design: string): Scene {
  const scene = scenes[design]
  if (scene === undefined) throw new Error(`There is no scene of ${design}: there are ${Object.keys(scenes).join(', ')}.`)
  return scene
}
