import type { AnyDesign, Entity } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { entityOf, foreignTable, itemsOf } from '../test/documents/written.ts'
import { accountManagement } from './account-management/design.ts'
import { authorization } from './authorization/design.ts'
import { platform } from './platform/design.ts'
import { rebac } from './rebac/design.ts'

// Each access pattern that a document has, over the items of that document: which of them it finds, by their names there.

type Row = readonly [pattern: string, parameters: Readonly<Record<string, unknown>>, found: readonly string[]]

const id = (letters: string) => `${letters.repeat(4)}-0000-4000-8000-000000000001`
const [client_id, project_id, building_id, user_id, role_id] = ['c1', 'd0', 'b0', 'a0', 'e0'].map(id) as [
  string,
  string,
  string,
  string,
  string,
]
const atProject = { scope_type: 'project', scope_id: project_id }
const ever = { client_id, from: '2025-01-01', to: '2099-12-31' }
const [ada, tenantId, admin] = ['01J8YZZQ3V8PZKQ0ZKX4C2M7FM', '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C', '01J8X2W3Y4Z5A6B7C8D9E0F1G2']
const [userId, locationId, groupId] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FBB', '01ARZ3NDEKTSV4RRFFQ69G5FCC']
const [accountId, enterpriseId] = ['acc-1', 'ent-1']
const year = { from: '2025-06-01', to: '2025-06-30' }
const [sent, failed] = ['NotificationAudit', 'NotificationAudit, a failed one, by its keys alone']

const rows: Readonly<Record<string, readonly Row[]>> = {
  'account-management': [
    ['userByEmail', { email: 'Ada@Example.org' }, ['User']],
    ['userByEmail', { email: 'eve@example.org' }, []],
    ['accessOfUserAtScope', { user_id, ...atProject }, ['UserRoleAssignment']],
    ['accessOfUserAtScope', { user_id, scope_type: 'client', scope_id: client_id }, []],
    ['entitiesOfClient', { client_id }, ['Building', 'Client', 'Device', 'Project', 'Role', 'User', 'Zone']],
    ['client', { id: client_id }, ['Client']],
    ['projectsOfClient', { client_id }, ['Project']],
    ['buildingsOfProject', { project_id }, ['Building']],
    ['devicesOfBuilding', { building_id }, ['Device']],
    ['zonesOfBuilding', { building_id }, ['Zone']],
    ['subscriptionsOfScope', atProject, ['ServiceSubscription']],
    ['subscriptionsOfModule', { module_id: id('fa') }, ['ServiceSubscription']],
    ['auditOfClient', ever, ['AuditLog']],
    ['auditOfClient', { ...ever, to: '2098-12-31' }, []],
    ['activityOfUser', { client_id, user_id }, ['AuditLog']],
    ['activityOfUser', { client_id, user_id: id('ee') }, []],
    ['rolesOfClient', { client_id }, ['Role']],
    ['role', { client_id, id: role_id }, ['Role']],
    ['linksOfRole', { role_id }, ['RolePermissionLink']],
    ['rolesOfUser', { user_id }, ['UserRoleAssignment']],
    ['scopesOfUser', { user_id }, ['UserRoleAssignment', 'User']],
    ['permissions', {}, ['Permission']],
    ['settingsOfScope', atProject, ['Setting']],
    ['tokensOfUser', { user_id }, ['AuthToken']],
    ['sessionsOfUser', { user_id }, ['LoginSession']],
    ['buildingsOfClient', { client_id }, ['Building']],
    ['usersOfClient', { client_id }, ['User']],
    ['rolesOfClientInIndex', { client_id }, ['Role']],
    ['devicesOfClient', { client_id }, ['Device']],
    ['zonesOfClient', { client_id }, ['Zone']],
    ['clientByTime', ever, ['Client']],
    ['projectsByTime', ever, ['Project']],
    ['buildingsByTime', ever, ['Building']],
    ['usersByTime', ever, ['User']],
    ['rolesByTime', ever, ['Role']],
    ['rolesByTime', { ...ever, to: '2025-01-14' }, []],
  ],
  platform: [
    ['accounts', {}, ['Account']],
    ['enterprises', {}, ['Enterprise']],
    ['licenses', {}, ['License', 'License, an expired one']],
    ['workstreams', {}, ['Workstream']],
    ['users', {}, ['User', 'User, an inactive one']],
    ['roles', {}, ['Role', 'Role, of no account']],
    ['groups', {}, ['Group']],
    ['products', {}, ['Product']],
    ['services', {}, ['Service']],
    ['notificationAudits', {}, [sent, failed]],
    ['usersOfAccount', { accountId }, ['User', 'User, an inactive one']],
    ['rolesOfAccount', { accountId }, ['Role']],
    ['licensesOfEnterprise', { enterpriseId }, ['License', 'License, an expired one']],
    ['workstreamsOfEnterprise', { enterpriseId }, ['Workstream']],
    ['notificationsOfAccount', { accountId }, [failed, sent]],
    ['activeLicensesByEnd', {}, ['License']],
    ['expiredLicenses', {}, ['License, an expired one']],
    ['expiringLicenses', { date: '2099-03-15' }, ['License']],
    ['expiringLicenses', { date: '2099-03-14' }, []],
    ['activeUsersByEnd', {}, ['User']],
    ['inactiveUsers', {}, ['User, an inactive one']],
    ['sentNotifications', {}, [sent]],
    ['failedNotifications', {}, [failed]],
    ['skippedNotifications', {}, []],
    ['sentNotificationsBetween', year, [sent]],
    ['sentNotificationsBetween', { ...year, from: '2025-06-02' }, []],
    ['accountWithAll', { accountId }, ['AccountAddress', 'License', 'License, an expired one', 'Account', 'TechnicalUser', 'Workstream']],
    ['enterpriseWithAll', { enterpriseId }, ['Enterprise', 'EnterpriseProduct', 'EnterpriseService']],
    ['roleWithPermissions', { roleId: 'rol-1' }, ['Role', 'RolePermission']],
    ['userWithWorkstreams', { userId: 'usr-1' }, ['User', 'UserWorkstream']],
    ['licensesOfAccount', { accountId }, ['License', 'License, an expired one']],
    ['workstreamsOfAccount', { accountId }, ['Workstream']],
    ['toolsOfWorkstream', { workstreamId: 'ws-1' }, ['WorkstreamTool']],
  ],
  authorization: [
    ['tenant', { tenantId }, ['Tenant']],
    ['tenantByName', { name: 'acme' }, ['Tenant']],
    ['user', { userId: ada }, ['User']],
    ['role', { scope: 'tenant', name: 'admin' }, ['Role']],
    ['roleById', { roleId: admin }, ['Role']],
    ['grant', { tenantId, userId: ada }, ['TenantGrant']],
    ['grantsOfUser', { userId: ada }, ['TenantGrant']],
    ['grantById', { tenantGrantId: '01J8Z3Q3TQ6T0C9J2W0G7N2B6V' }, ['TenantGrant']],
    ['policiesByNamePrefix', { prefix: 'ticket-' }, ['Policy']],
    ['policiesByNamePrefix', { prefix: 'tenant-' }, []],
    ['policy', { name: 'ticket-tenant-enforce' }, ['Policy']],
    ['policyById', { policyId: 'p-abc123' }, ['Policy']],
  ],
  rebac: [
    ['userIdOfEmail', { email: 'User@example.com' }, ['EmailIdentity']],
    ['user', { userId }, ['User']],
    ['location', { locationId }, ['Location']],
    ['locationIdOfCode', { locationCode: 'nyc001' }, ['LocationCodeLookup']],
    ['group', { groupId }, ['UserGroup']],
    ['role', { roleName: 'teacher' }, ['Role']],
    ['page', { pageName: 'dashboard' }, ['Page']],
    ['locationsOfUser', { userId }, ['UserLocationEdge']],
    ['usersOfLocation', { locationId }, ['LocationUserEdge']],
    ['usersOfLocationByType', { locationId, userType: 'LEAD' }, []],
    ['locationOfUser', { userId, locationId }, ['UserLocationEdge']],
    ['groupsOfUser', { userId }, ['UserGroupEdge']],
    ['groupsOfUserAtLocation', { userId, locationId }, ['UserGroupEdge']],
    ['groupOfUser', { userId, groupId }, ['UserGroupEdge']],
    ['usersOfGroup', { groupId }, ['GroupUserEdge']],
    ['rolesOfGroup', { groupId }, ['GroupRole']],
    ['roleOfGroup', { groupId, roleName: 'teacher' }, ['GroupRole']],
    ['permissionsOfRole', { roleName: 'teacher' }, ['RolePagePermission', 'RolePagePermission, a denial']],
    ['permission', { roleName: 'teacher', pageName: 'dashboard' }, ['RolePagePermission']],
  ],
}

/** A tenant reads what is its own as an operator does, also where the item does not tell whose it is. */
const tenants: Readonly<Record<string, string>> = { 'account-management': client_id, platform: accountId, authorization: tenantId }

/** The name that an item has in the file, by its table key. */
function namesOf(design: AnyDesign, file: string): (item: Readonly<Record<string, unknown>>) => string {
  const placed = new Map(Object.entries(itemsOf(file)).map(([name, { PK, SK }]) => [`${PK} ${SK}`, name]))
  return (item) => {
    const { key } = design.entities[String(item.Type)] as unknown as Entity
    const filled = key.map((template) => {
      const [one = '', none] = template.split('|')
      const isWhole = [...one.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => item[name] !== undefined)
      return (isWhole ? one : (none ?? '')).replace(/\{(\w+)\}/g, (_, name: string) => String(item[name]))
    })
    return placed.get(filled.join(' ')) ?? `an unknown ${String(item.Type)} at ${filled.join(' ')}`
  }
}

describe.each([accountManagement, platform, authorization, rebac] as readonly AnyDesign[])('$name', (design) => {
  const own = rows[design.name] ?? []
  test.each(own.map(([pattern, parameters, found]) => [pattern, JSON.stringify(parameters), { parameters, found }] as const))(
    '%s of %s',
    async (pattern, _, { parameters, found }) => {
      const foreign = await foreignTable(design, Object.values(itemsOf(design.name)))
      const tenant = tenants[design.name]
      for (const table of tenant === undefined || design.tenants?.crossing?.includes(pattern)
        ? [foreign]
        : [foreign, foreign.forTenant(tenant)]) {
        const read = (await (table.patternNamed(pattern) as (of: unknown) => Promise<unknown>)(parameters)) as Readonly<
          Record<string, unknown>
        >
        expect(read.malformed).toBeUndefined()
        const items = 'items' in read ? (read.items as readonly Readonly<Record<string, unknown>>[]) : [read]
        expect(items.map(namesOf(design, design.name))).toEqual(found)
        for (const name of found) expect(design.entities).toHaveProperty(entityOf(name))
      }
    },
  )

  test('each pattern of the document is asked', () => {
    const documented = [...design.form.patterns.values()].filter(({ addition }) => addition === undefined).map(({ name }) => name)
    expect([...new Set(own.map(([pattern]) => pattern))].sort()).toEqual(documented.sort())
  })
})
