import { accountManagementModule } from '@freehold/designs/account-management'
import { authorizationModuleWith } from '@freehold/designs/authorization'
import { platformModule } from '@freehold/designs/platform'
import { rebacModule } from '@freehold/designs/rebac'
import { policiesOf } from '@freehold/frame/cedar'
import type { Stored } from '@freehold/table/runtime'
import * as accounts from '../../packages/designs/test/account-items.ts'
import * as rebac from '../../packages/designs/test/literal-items.ts'
import * as platform from '../../packages/designs/test/platform-items.ts'
import { libraryModule } from '../library/index.ts'
import { type AuthzenWorld, searchesAgree } from './agreement.ts'

const typed = (type: string, ids: readonly string[]) => ids.map((id) => ({ type, id }))
const granting = (items: readonly Stored[], permissions: readonly object[]): Stored[] =>
  items.map((item) => (item.Type === 'Role' ? { ...item, permissions } : item))

const accountWorld = (): AuthzenWorld => {
  const { idOf } = accounts
  const [acme, other] = [idOf('client', 1), idOf('client', 2)]
  const [harbour, dock] = [idOf('project', 1), idOf('project', 2)]
  const [pier, crane, shed] = [idOf('building', 1), idOf('building', 2), idOf('building', 3)]
  const [ada, bob, cleo, stranger] = [1, 2, 3, 9].map((number) => idOf('user', number)) as [string, string, string, string]
  const [reader, all, doors] = [1, 2, 3].map((number) => idOf('role', number)) as [string, string, string]
  const camera = { module: 'devices', action: 'read', resource: 'camera' }
  const gate = { module: 'doors', action: 'open', resource: 'gate:7%' }
  return {
    module: accountManagementModule,
    // What a wildcard covers beyond the catalogue has no names to list.
    always: [
      accounts.permission(idOf('permission', 1), 'devices', 'read', 'camera'),
      accounts.permission(idOf('permission', 2), 'devices', 'reboot', 'camera'),
      accounts.permission(idOf('permission', 3), 'doors', 'open', 'barn'),
      accounts.permission(idOf('permission', 4), 'doors', 'open', gate.resource),
    ].flat(),
    parts: [
      accounts.client(acme),
      accounts.client(other),
      accounts.project(acme, harbour),
      accounts.project(acme, dock),
      accounts.building(acme, harbour, pier),
      accounts.building(acme, dock, crane),
      accounts.building(acme, dock, shed),
      accounts.user(acme, ada, 'ada@example.org'),
      accounts.user(acme, bob, 'bob@example.org'),
      accounts.user(acme, cleo, 'cleo@example.org'),
      granting(accounts.role(acme, reader, 'reader'), [camera, gate]),
      granting(accounts.role(acme, all, 'all'), [{ module: 'devices', action: '*', resource: '*' }, camera]),
      granting(accounts.role(acme, doors, 'doors'), [{ module: '*', action: 'open', resource: '*' }]),
      accounts.assignment(acme, ada, reader, 'client', acme),
      accounts.assignment(acme, bob, all, 'project', dock),
      accounts.assignment(acme, bob, reader, 'building', crane),
      accounts.assignment(acme, cleo, doors, 'building', pier),
      accounts.assignment(acme, cleo, all, 'building', shed),
    ],
    subjects: typed('user', [ada, bob, cleo, stranger]),
    actions: ['devices:read:camera', 'devices:reboot:camera', 'doors:open:barn', 'doors:open:gate%3A7%25'],
    resources: [
      ...typed('client', [acme, other]),
      ...typed('project', [harbour, dock]),
      ...typed('building', [pier, crane, shed, idOf('building', 9)]),
    ],
  }
}

const platformWorld = (): AuthzenWorld => ({
  module: platformModule,
  parts: [
    [platform.account('acme')],
    [platform.account('beta')],
    ...['research', 'sales', 'vacant'].map((id) => [platform.workstream('acme', id)]),
    [platform.workstream('beta', 'research')],
    platform.user('acme', 'ada', 'ada@example.org'),
    platform.user('acme', 'ben', 'ben@example.org'),
    platform.user('acme', 'cleo', 'cleo@example.org', 'inactive'),
    platform.user('beta', 'dan', 'dan@example.org'),
    ...[
      ['ada', 'research'],
      ['ada', 'sales'],
      ['ben', 'sales'],
    ].map(([user = '', workstream = '']) => platform.inWorkstream('acme', user, workstream)),
    platform.inWorkstream('beta', 'dan', 'research'),
    [platform.group('staff', 'acme'), platform.accountGroup('staff', 'acme')],
    [platform.group('crew', 'beta'), platform.accountGroup('crew', 'beta')],
    platform.member('staff', 'ada', 'acme'),
    platform.member('staff', 'ben', 'acme'),
    platform.member('staff', 'cleo', 'acme'),
    platform.member('crew', 'dan', 'beta'),
    [platform.role('editor', 'acme')],
    [platform.role('owner')],
    platform.groupRole('staff', 'editor', 'acme'),
    platform.groupRole('crew', 'owner', 'beta'),
    platform.permission('editor', 'dashboard', { canView: true, canEdit: true, accountId: 'acme' }),
    platform.permission('editor', 'a:b', { canDelete: true, accountId: 'acme' }),
    platform.permission('owner', 'users', { canView: true, canCreate: true, canEdit: true, canDelete: true }),
  ],
  subjects: typed('user', ['ada', 'ben', 'cleo', 'dan', 'nobody']),
  actions: ['dashboard:view', 'dashboard:edit', 'a:b:delete', 'users:view', 'users:create', 'users:edit', 'users:delete'],
  resources: [
    ...typed('account', ['acme', 'beta', 'nowhere']),
    ...typed('workstream', ['acme/research', 'acme/sales', 'acme/vacant', 'beta/research', 'beta/sales', 'research']),
  ],
})

const rebacWorld = (): AuthzenWorld => {
  const { idOf } = rebac
  const [berlin, munich] = [idOf('location', 1), idOf('location', 2)]
  const [teachers, tutors] = [idOf('group', 1), idOf('group', 2)]
  const users = [1, 2, 3].map((number) => idOf('user', number))
  return {
    module: rebacModule,
    parts: [
      rebac.locationItems(berlin, 'BER01'),
      rebac.locationItems(munich, 'MUC01'),
      ...users.map((id, at) => rebac.userItems(id, `User ${at}`, { email: `user${at}@example.org` })),
      rebac.groupItems(teachers, berlin),
      rebac.groupItems(tutors, munich),
      ...['reader', 'writer'].map(rebac.roleItems),
      ...['plan', 'map', 'safe'].map(rebac.pageItems),
      ...users.map((id) => rebac.membershipItems(id, berlin)),
      rebac.membershipItems(users[0] ?? '', munich),
      ...users.slice(0, 2).map((id) => rebac.groupMembershipItems(id, teachers, berlin)),
      rebac.groupMembershipItems(users[0] ?? '', tutors, munich),
      rebac.groupRoleItems(teachers, 'reader'),
      rebac.groupRoleItems(tutors, 'writer'),
      rebac.permissionItems('reader', 'plan'),
      rebac.permissionItems('reader', 'map'),
      rebac.permissionItems('writer', 'safe'),
    ],
    subjects: typed('user', [...users, idOf('user', 9)]),
    actions: ['plan', 'map', 'safe', 'none'],
    resources: typed('location', [berlin, munich, idOf('location', 9)]),
  }
}

const authorizationWorld = async (): Promise<AuthzenWorld> => {
  const idOf = (letter: string, number: number) => `01H${letter}${String(number).padStart(22, '0')}`
  const [acme, rival] = [idOf('A', 1), idOf('A', 2)]
  const [ada, bob, cleo, stranger] = [1, 2, 3, 9].map((number) => idOf('B', number)) as [string, string, string, string]
  const [reader, writer, support] = [1, 2, 3].map((number) => idOf('C', number)) as [string, string, string]
  const item = (Type: string, PK: string, SK: string, more: object): Stored => ({ PK, SK, Type, version: 1, ...more })
  const tenant = (tenantId: string, name: string) => [
    item('Tenant', `TENANT#${tenantId}`, `TENANT#${tenantId}`, { tenantId, name, status: 'active' }),
    item('TenantName', `TENANT_NAME#${name}`, `TENANT_NAME#${name}`, { tenantId, name }),
  ]
  const user = (userId: string, name: string, roles: readonly string[] = []) => [
    item('User', `USER#${userId}`, `USER#${userId}`, { userId, email: `${name}@x.org`, preferredUsername: name, roles }),
    item('UserEmail', `USER_EMAIL#${name}@x.org`, `USER_EMAIL#${name}@x.org`, { userId, email: `${name}@x.org` }),
    item('UserPreferredUsername', `USER_PREFERREDUSERNAME#${name}`, `USER_PREFERREDUSERNAME#${name}`, { userId, preferredUsername: name }),
  ]
  const role = (roleId: string, name: string, scope: string) => [
    item('Role', `ROLE_SCOPE#${scope}`, `ROLE_NAME#${name}`, { roleId, name, scope }),
    item('RoleById', `ROLE#${roleId}`, `ROLE#${roleId}`, { roleId, name, scope }),
  ]
  const grant = (tenantId: string, userId: string, roles: readonly string[]) => {
    const tenantGrantId = `${tenantId.slice(0, 13)}${userId.slice(13, 26)}`
    return [
      item('TenantGrant', `TENANT#${tenantId}`, `USER#${userId}`, { tenantGrantId, tenantId, userId, roles }),
      item('UserTenantGrant', `USER#${userId}`, `TENANT#${tenantId}`, { tenantGrantId, tenantId, userId, roles }),
    ]
  }
  const record = (tenantId: string, id: string, attributes: object) => [
    item('Resource', `RESOURCES#${tenantId}#record`, id, { tenantId, type: 'record', id, attributes }),
    item('TenantResource', `TENANT#${tenantId}`, `RESOURCE#record#${id}`, { tenantId, type: 'record', id }),
  ]
  const policies = new Map([
    [
      'schema.cedarschema',
      `entity Tenant, Role, GlobalRole;
entity User in [Role, GlobalRole] = { preferredUsername?: String };
entity record = { owner?: String, status?: String };
action read, write appliesTo { principal: User, resource: record, context: { tenant: Tenant } };
action enter appliesTo { principal: User, resource: Tenant, context: { tenant: Tenant } };
action greet appliesTo { principal: User, resource: User, context: { tenant: Tenant } };`,
    ],
    [
      'a.cedar',
      `@id("readers") permit (principal in Role::"reader", action == Action::"read", resource) unless { resource has status && resource.status == "secret" };
@id("owners") permit (principal, action in [Action::"read", Action::"write"], resource)
when { resource has owner && principal has preferredUsername && resource.owner == principal.preferredUsername };
@id("support") permit (principal in GlobalRole::"support", action == Action::"read", resource);
@id("enter") permit (principal in Role::"writer", action == Action::"enter", resource);
@id("greet") permit (principal in Role::"reader", action == Action::"greet", resource in Role::"writer");`,
    ],
  ])
  return {
    module: authorizationModuleWith({ policies: await policiesOf(policies) }),
    serving: { authzenTenant: acme },
    // Policies may permit what is done to a record that is not kept, and no search can know that one.
    always: [
      tenant(acme, 'acme'),
      record(acme, 'a-1', { owner: 'bob' }),
      record(acme, 'a-2', { status: 'secret', owner: 'cleo' }),
      record(acme, 'a#3', { owner: 'nobody' }),
    ].flat(),
    parts: [
      tenant(rival, 'rival'),
      user(ada, 'ada', [support]),
      user(bob, 'bob'),
      user(cleo, 'cleo'),
      role(reader, 'reader', 'tenant'),
      role(writer, 'writer', 'tenant'),
      role(support, 'support', 'global'),
      grant(acme, ada, []),
      grant(acme, bob, [reader]),
      grant(acme, cleo, [writer, reader]),
      grant(rival, bob, [writer]),
      record(rival, 'r-1', { owner: 'bob' }),
    ],
    subjects: typed('user', ['ada', 'bob', 'cleo', stranger]),
    actions: ['read', 'write', 'enter', 'greet', 'none'],
    resources: [...typed('record', ['a-1', 'a-2', 'a#3']), ...typed('Tenant', [acme]), ...typed('User', [ada, bob, cleo])],
  }
}

const libraryWorld = (): AuthzenWorld => {
  const idOf = (letter: string, number: number) => `${letter.repeat(8)}-0000-4000-8000-00000000000${number}`
  const created = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }
  const item = (Type: string, PK: string, SK: string, more: object): Stored => ({ PK, SK, Type, version: 1, ...created, ...more })
  const [members, branches] = [[1, 2, 3].map((number) => idOf('a', number)), [1, 2].map((number) => idOf('b', number))]
  const post = (member_id = '', branch_id = '', role = 'clerk') => [
    item('Post', `MEMBER#${member_id}`, `POST#${branch_id}`, { member_id, branch_id, role }),
    item('BranchPost', `BRANCH#${branch_id}`, `POST#${member_id}`, { member_id, branch_id, role }),
  ]
  return {
    module: libraryModule,
    parts: [
      ...branches.map((id) => [item('Branch', `BRANCH#${id}`, 'METADATA', { id, name: 'a branch' })]),
      ...members.map((id) => [
        item('Member', `MEMBER#${id}`, 'METADATA', { id, name: 'a member', email: `${id}@x.org`, status: 'active' }),
      ]),
      post(members[0], branches[0], 'librarian'),
      post(members[0], branches[1]),
      post(members[1], branches[0]),
    ],
    subjects: typed('member', members),
    actions: ['lend', 'return', 'catalogue', 'staff'],
    resources: typed('branch', branches),
  }
}

searchesAgree('account-management', accountWorld())
searchesAgree('platform', platformWorld())
searchesAgree('authorization', await authorizationWorld())
searchesAgree('rebac', rebacWorld())
searchesAgree('a design of a program', libraryWorld())
