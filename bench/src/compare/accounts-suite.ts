import type { AccountTable } from '@freehold/designs/account-management'
import { accountFlowsOf } from './account-flows.js'
import { allowed, created, maxStalenessMs, numbers, type Suite, turn } from './operation.js'
import type { Packages } from './packages.js'

const operations = [
  'can',
  'can, strong',
  'why',
  'access snapshot',
  'createRole',
  'assignRole',
  'revokeRole',
  'consumeQuota',
  'createDevice',
  'createDevice, operator',
] as const

const users = 200
const assignedRoles = 100
/** Flows take turns on these, which are far more than are under way at once. */
const subscriptions = 256
const quota = 1_000_000_000
const notice = { module: 'portal', action: 'read', resource: 'notice' }
const door = { module: 'devices', action: 'operate', resource: 'door' }
const catalogue = ['read', 'operate', 'configure'].flatMap((action) =>
  ['camera', 'door', 'fan', 'lift', 'light', 'meter'].map((resource) => ({ module: 'devices', action, resource })),
)

/** A client with a project and two buildings, an administrator, and users who each have a role at the client, and one at a building. */
async function newClient(table: AccountTable, packages: Packages, name: string) {
  const flows = accountFlowsOf(packages).of(table, { actor: packages.designs.operator })
  const { id: client } = await flows.createClient({ name })
  const role = async (roleName: string, more: object) => (await flows.createRole({ client_id: client, name: roleName, ...more })).id
  const keeper = await role('keeper', { permissions: [door] })
  const member = await role('member', { permissions: [notice] })
  const lead = await role('lead', { parent_role_id: keeper, permissions: [{ module: 'reports', action: 'read', resource: 'building' }] })
  const admin = await role('admin', { permissions: [{ module: '*', action: '*', resource: '*' }], confirm_dangerous: true })
  const { id: project } = await table.Project.create({ client_id: client, name: 'Project' })
  const [building, other] = await created(
    table.Building.createMany(['North', 'South'].map((each) => ({ project_id: project, name: `Building ${each}` }))),
  )
  if (building === undefined || other === undefined) throw new Error('A client of the bench has two buildings.')
  const people = await created(
    table.User.createMany(
      numbers(users + 1).map((each) => ({
        client_id: client,
        email: `person${String(each).padStart(6, '0')}@${name}.example.org`,
        user_type: 'external_tenant' as const,
      })),
    ),
  )
  const [administrator, ...others] = people.map(({ id }) => id)
  if (administrator === undefined) throw new Error('A client of the bench has an administrator.')
  const atClient = { role_owner: client, scope_type: 'client' as const, scope_id: client }
  const assignments = others.flatMap((user_id) => [
    { user_id, role_id: member, ...atClient },
    { user_id, role_id: lead, role_owner: client, scope_type: 'building' as const, scope_id: building.id },
  ])
  await created(table.UserRoleAssignment.createMany([{ user_id: administrator, role_id: admin, ...atClient }, ...assignments]))
  return { client, project, building: building.id, otherBuilding: other.id, administrator, users: others }
}

/** Accounts: questions about one client, and flows at another by its administrator, so that what flows write is in no answer. */
export const accountsSuite: Suite<(typeof operations)[number]> = {
  name: 'accounts',
  operations,
  open: async (packages, { endpoint, table: name }) => {
    const { connect, ensureTable } = packages.table
    const { accountManagement, decideAccountManagement, operator } = packages.designs
    const { of: flowsOf, jobHandlers } = accountFlowsOf(packages)
    const table = connect(accountManagement, { dynamo: { endpoint }, table: name, jobHandlers })
    await ensureTable(table.runtime)
    const byOperator = flowsOf(table, { actor: operator })
    for (const permission of [...catalogue, notice]) await byOperator.createPermission(permission)
    const asked = await newClient(table, packages, 'asked')
    const busy = await newClient(table, packages, 'busy')
    const flows = flowsOf(table, { actor: { kind: 'user', user_id: busy.administrator } })

    const roleIds = (
      await created(
        table.Role.createMany(
          numbers(assignedRoles).map((each) => ({ client_id: busy.client, name: `given ${each}`, permissions: [notice] })),
        ),
      )
    ).map(({ id }) => id)
    const given = (index: number) => ({ user_id: turn(busy.users, index), role_id: turn(roleIds, Math.floor(index / users)) })
    const atProject = { scope_type: 'project' as const, scope_id: busy.project }
    const subscribed = await created(
      table.ServiceSubscription.createMany(
        numbers(subscriptions).map((each) => ({
          scope_type: 'building' as const,
          scope_id: busy.building,
          module_id: `00000000-0000-4000-8000-${String(each).padStart(12, '0')}`,
          usage_quota: { calls: quota },
        })),
      ),
    )
    const device = (index: number) => ({
      building_id: busy.otherBuilding,
      name: `Camera ${String(index).padStart(9, '0')}`,
      type: 'camera' as const,
    })

    const decider = decideAccountManagement(table.runtime, { maxStalenessMs })
    const place = { client: asked.client, project: asked.project, building: asked.building }
    const question = (index: number) => ({ user: turn(asked.users, index), ...place, permission: door })
    const round = users
    return {
      can: { round, run: (index) => allowed(decider.can(question(index))) },
      'can, strong': { round, run: (index) => allowed(decider.can(question(index), { consistency: 'strong' })) },
      why: { round, run: (index) => allowed(decider.why(question(index))) },
      'access snapshot': { round, run: (index) => decider.access({ user: turn(asked.users, index), ...place }) },
      createRole: {
        run: (index) =>
          flows.createRole({ client_id: busy.client, name: `new ${String(index).padStart(9, '0')}`, permissions: catalogue.slice(0, 6) }),
      },
      assignRole: { run: (index) => flows.assignRole({ ...given(index), scope_type: 'building', scope_id: busy.otherBuilding }) },
      revokeRole: {
        prepare: (from, count) =>
          created(
            table.UserRoleAssignment.createMany(
              numbers(count, from).map((index) => ({ ...given(index), ...atProject, role_owner: busy.client })),
            ),
          ),
        run: (index) => flows.revokeRole({ ...given(index), ...atProject }),
      },
      consumeQuota: {
        run: (index) => {
          const { scope_type, scope_id, module_id } = turn(subscribed, index)
          return flows.consumeQuota({ scope_type, scope_id, module_id, counter: 'calls' })
        },
      },
      createDevice: { run: (index) => flows.createDevice(device(index)) },
      'createDevice, operator': { run: (index) => byOperator.createDevice(device(index)) },
    }
  },
}
