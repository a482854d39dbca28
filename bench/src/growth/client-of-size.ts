import { type AccountFlows, type AccountTable, offeredAccountFlows } from '@freehold/designs/account-management'
import { operator } from '@freehold/frame/flow'
import type { Outcome } from '@freehold/table'
import { numbers, spread } from './asked.js'

/** How large a client is. Its roles and the catalogue are the same at any size: they do not come with people. */
export interface Size {
  readonly users: number
  readonly projects: number
  readonly buildingsOfProject: number
}

export interface ClientOfSize {
  readonly size: Size
  readonly client: string
  /** The first project and its first building. */
  readonly project: string
  readonly building: string
  /** By what they have besides the role that everyone has at the client: nothing, a role at the client, a role at that building. */
  readonly users: Readonly<Record<'plain' | 'admin' | 'building', readonly string[]>>
}

const zonesOfBuilding = 4
const adminCount = 2
const leadsOfBuilding = 3
const chunk = 1000

/** Held by everyone at the client; by all leads of a building, through the role above theirs, which is linked; by administrators; by nobody else. */
export const permissions = {
  everyone: { module: 'portal', action: 'read', resource: 'notice' },
  lead: { module: 'devices', action: 'operate', resource: 'door' },
  admin: { module: 'billing', action: 'write', resource: 'invoice' },
} as const

const actions = ['read', 'operate', 'configure'] as const
const resources = ['camera', 'door', 'fan', 'lift', 'light', 'meter', 'robot', 'sensor'] as const
const devicePermissions = resources.flatMap((resource) => actions.map((action) => ({ module: 'devices', action, resource })))
const portalPermissions = ['notice', 'event', 'menu', 'room'].map((resource) => ({ module: 'portal', action: 'read', resource }))
/** Roles that nobody asks about are read where all roles of a client are. */
const otherRoles = ['auditor', 'cleaner', 'doorkeeper', 'guest', 'planner', 'technician'] as const

/** Everything was created, or the first error is thrown. */
export function created<T>(outcomes: readonly Outcome<T>[]): readonly T[] {
  return outcomes.map((outcome) => {
    if (outcome.error !== undefined) throw outcome.error
    return outcome.item
  })
}

/** The catalogue of the system, once for a table. */
export async function fillCatalogue(table: AccountTable): Promise<void> {
  const flows = offeredAccountFlows.of(table, { actor: operator })
  for (const permission of [...devicePermissions, ...portalPermissions, permissions.admin]) await flows.createPermission(permission)
}

async function rolesOf(flows: AccountFlows, client_id: string) {
  const role = async (name: string, more: object) => (await flows.createRole({ client_id, name, ...more })).id
  const keeper = await role('keeper', { permission_form: 'linked', permissions: devicePermissions })
  for (const [index, name] of otherRoles.entries()) await role(name, { permissions: devicePermissions.slice(index, index + 6) })
  return {
    member: await role('member', { permissions: portalPermissions }),
    admin: await role('admin', { permissions: [{ module: '*', action: '*', resource: '*' }], confirm_dangerous: true }),
    lead: await role('lead', { parent_role_id: keeper, permissions: [{ module: 'reports', action: 'read', resource: 'building' }] }),
  }
}

async function placesOf(table: AccountTable, client_id: string, { projects, buildingsOfProject }: Size) {
  const made = created(
    await table.Project.createMany(numbers(projects).map((at) => ({ client_id, name: `Project ${String(at).padStart(6, '0')}` }))),
  )
  const buildings = created(
    await table.Building.createMany(
      made.flatMap(({ id }) =>
        numbers(buildingsOfProject).map((at) => ({ project_id: id, name: `Building ${String(at).padStart(6, '0')}` })),
      ),
    ),
  )
  const zones = buildings.flatMap(({ id }) =>
    numbers(zonesOfBuilding).map((at) => ({ building_id: id, name: `Floor ${at}`, type: 'office' as const })),
  )
  created(await table.Zone.createMany(zones))
  return buildings
}

/**
 * Creates a client through the runtime, with every guard, mirror and check that it would have anyway: places and zones, roles of each form, and
 * users, each of whom has one role at the client, two of them that of an administrator; three of each building are its leads, too.
 */
export async function clientOfSize(table: AccountTable, name: string, size: Size): Promise<ClientOfSize> {
  const flows = offeredAccountFlows.of(table, { actor: operator })
  const { id: client } = await flows.createClient({ name })
  const roles = await rolesOf(flows, client)
  const buildings = await placesOf(table, client, size)
  const [first] = buildings
  if (first === undefined) throw new Error('A client of the bench has a building.')
  const users = { plain: [] as string[], admin: [] as string[], building: [] as string[] }
  const atClient = { scope_type: 'client' as const, scope_id: client, role_owner: client }
  for (let from = 0; from < size.users; from += chunk) {
    const inputs = numbers(Math.min(chunk, size.users - from)).map((at) => ({
      client_id: client,
      // As long at any size, so that items are as large.
      email: `person${String(from + at).padStart(6, '0')}@${name}.example.org`,
      user_type: 'external_tenant' as const,
    }))
    const made = created(await table.User.createMany(inputs))
    const assignments = made.flatMap(({ id: user_id }, at) => {
      const number = from + at - adminCount
      const building = buildings[Math.floor(number / leadsOfBuilding)]
      if (number < 0) {
        users.admin.push(user_id)
        return [{ user_id, role_id: roles.admin, ...atClient }]
      }
      const everyone = { user_id, role_id: roles.member, ...atClient }
      if (building === undefined) {
        users.plain.push(user_id)
        return [everyone]
      }
      if (building === first) users.building.push(user_id)
      return [everyone, { user_id, role_id: roles.lead, role_owner: client, scope_type: 'building' as const, scope_id: building.id }]
    })
    created(await table.UserRoleAssignment.createMany(assignments))
  }
  return {
    size,
    client,
    project: first.project_id,
    building: first.id,
    users: { plain: spread(users.plain), admin: spread(users.admin), building: spread(users.building) },
  }
}
