import type { Stored } from '@freehold/table/runtime'
import { testAccessPatterns } from '../../test/access-pattern-tests.ts'
import { authorization } from './design.ts'

const ulid = (letter: string, number: number) => `01H${letter}${String(number).padStart(22, '0')}`
const [t1, t2, t3] = [ulid('T', 1), ulid('T', 2), ulid('T', 10)]
const [u1, u2, u3] = [ulid('V', 1), ulid('V', 2), ulid('V', 10)]
const [r1, r2, r3, r4] = [ulid('R', 1), ulid('R', 2), ulid('R', 3), ulid('R', 4)]
const [g11, g12, g21] = [ulid('G', 11), ulid('G', 12), ulid('G', 21)]

const item = (Type: string, PK: string, SK: string, rest: Readonly<Record<string, unknown>> = {}): Stored => ({
  PK,
  SK,
  Type,
  version: 1,
  ...rest,
})
const alone = (Type: string, key: string, rest: Readonly<Record<string, unknown>>) => item(Type, key, key, rest)
const gsi1 = (partition: string, sort = partition) => ({ GSI1PK: partition, GSI1SK: sort })
const gsi2 = (key: string) => ({ GSI2PK: key, GSI2SK: key })

const tenant = (tenantId: string, name: string) => [
  alone('Tenant', `TENANT#${tenantId}`, { tenantId, name, status: 'active', ...gsi1(`TENANT_NAME#${name}`) }),
  alone('TenantName', `TENANT_NAME#${name}`, { tenantId, name }),
]
const role = (roleId: string, scope: string, name: string) => [
  item('Role', `ROLE_SCOPE#${scope}`, `ROLE_NAME#${name}`, { roleId, scope, name, ...gsi1(`ROLE#${roleId}`) }),
  alone('RoleById', `ROLE#${roleId}`, { roleId, scope, name }),
]
const grant = (tenantGrantId: string, tenantId: string, userId: string, ...roles: string[]) => [
  item('TenantGrant', `TENANT#${tenantId}`, `USER#${userId}`, {
    tenantGrantId,
    tenantId,
    userId,
    roles,
    ...gsi1(`USER#${userId}`, `TENANT#${tenantId}`),
    ...gsi2(`TENANT_GRANT#${tenantGrantId}`),
  }),
  item('UserTenantGrant', `USER#${userId}`, `TENANT#${tenantId}`, { tenantGrantId, tenantId, userId, roles }),
  alone('TenantGrantById', `TENANT_GRANT#${tenantGrantId}`, { tenantGrantId, tenantId, userId }),
]
const identity = (userId: string, provider: string, subject: string) => [
  alone('SignInIdentity', `IDENTITY#${provider}#${subject}`, { provider, subject, userId }),
  item('UserSignInEdge', `USER#${userId}`, `IDENTITY#${provider}`, { provider, subject, userId }),
]
const policy = (policyId: string, name: string) => [
  item('Policy', 'GLOBAL', `POLICY_NAME#${name}`, { policyId, name, ...gsi1(`POLICY#${policyId}`) }),
  alone('PolicyById', `POLICY#${policyId}`, { policyId, name }),
]

const resource = (tenantId: string, type: string, id: string) => [
  item('Resource', `RESOURCES#${tenantId}#${type}`, id, { tenantId, type, id, attributes: {} }),
  item('TenantResource', `TENANT#${tenantId}`, `RESOURCE#${type}#${id}`, { tenantId, type, id }),
]

const at = '2026-03-01T12:00:00.000Z'
const told = { changedAt: at, flow: 'createGrant', actor: u1, severity: 'info', status: 'success' }
const changed = (changeId: string) => ({ changeId, ...told })

/**
 * Every item is spelled out, not written by the code under test. Beside what each pattern must find lie its decoys: names and ids that are
 * prefixes of others, other case, the same role name in the other scope, the same user in another tenant, a user without phone number and
 * name, keys without their delimiter.
 */
const items: readonly Stored[] = [
  ...tenant(t1, 'acme'),
  ...tenant(t2, 'Acme'),
  ...tenant(t3, 'acme 2'),
  alone('User', `USER#${u1}`, { userId: u1, email: 'ada@example.org', phone: '+4930123456', preferredUsername: 'ada', roles: [r3] }),
  alone('User', `USER#${u2}`, { userId: u2, email: 'ada@example.org.uk', phone: '+49301234567', preferredUsername: 'ada2', roles: [] }),
  alone('User', `USER#${u3}`, { userId: u3, email: 'da@example.org', roles: [] }),
  alone('UserEmail', 'USER_EMAIL#ada@example.org', { email: 'ada@example.org', userId: u1 }),
  alone('UserEmail', 'USER_EMAIL#ada@example.org.uk', { email: 'ada@example.org.uk', userId: u2 }),
  alone('UserEmail', 'USER_EMAIL#da@example.org', { email: 'da@example.org', userId: u3 }),
  alone('UserPhone', 'USER_PHONE#+4930123456', { phone: '+4930123456', userId: u1 }),
  alone('UserPhone', 'USER_PHONE#+49301234567', { phone: '+49301234567', userId: u2 }),
  alone('UserPreferredUsername', 'USER_PREFERREDUSERNAME#ada', { preferredUsername: 'ada', userId: u1 }),
  alone('UserPreferredUsername', 'USER_PREFERREDUSERNAME#ada2', { preferredUsername: 'ada2', userId: u2 }),
  ...identity(u1, 'google', 's#1'),
  ...identity(u1, 'github', 's#1'),
  ...identity(u2, 'google', 's#10'),
  ...role(r1, 'tenant', 'admin'),
  ...role(r2, 'tenant', 'Admin'),
  ...role(r3, 'global', 'admin'),
  ...role(r4, 'tenant', 'admin#2'),
  ...grant(g11, t1, u1, r1, r2),
  ...grant(g12, t1, u2, r1),
  ...grant(g21, t2, u1),
  ...policy('p-1', 'ticket'),
  ...policy('p-10', 'ticket-read'),
  ...policy('P-1', 'ticket-tenant-enforce'),
  ...policy('p-2', 'ticket#archive'),
  ...policy('p-3', 'Ticket-read'),
  ...policy('p-4', 'tickex'),
  ...policy('p-5', 'a-ticket'),
  ...resource(t1, 'Ticket', 't-1'),
  ...resource(t1, 'Ticket', 't-1#2'),
  ...resource(t1, 'Ticket', 'T-1'),
  ...resource(t1, 'Shop::Ticket', 't-1'),
  ...resource(t1, 'Tick', 't-1'),
  ...resource(t2, 'Ticket', 't-1'),
  item('Change', `CHANGES#TENANT#${t1}`, `CHANGE#${at}#${g11}`, { ...changed(g11), tenantId: t1 }),
  item('Change', `CHANGES#TENANT#${t1}`, `CHANGE#${at}#${g12}`, { ...changed(g12), tenantId: t1 }),
  item('Change', `CHANGES#TENANT#${t2}`, `CHANGE#${at}#${g11}`, { ...changed(g11), tenantId: t2 }),
  item('Change', 'CHANGES#SYSTEM', `CHANGE#${at}#${g11}`, changed(g11)),
  item('ActorChange', `CHANGES#ACTOR#${u1}`, `CHANGE#${at}#${g11}`, { ...changed(g11), tenantId: t1 }),
  item('ActorChange', `CHANGES#ACTOR#${u1}`, `CHANGE#${at}#${g12}`, changed(g12)),
  item('ActorChange', `CHANGES#ACTOR#${u2}`, `CHANGE#${at}#${g11}`, changed(g11)),
  // Items that a prefix without its delimiter, or one that ignores case, would also find.
  item('Decoy', 'GLOBAL', 'POLICY_NAME'),
  item('Decoy', 'GLOBAL', 'POLICY_NAMES#ticket'),
  item('Decoy', 'GLOBAL', 'policy_name#ticket'),
  item('Decoy', 'GLOBALS', 'POLICY_NAME#ticket'),
  item('Decoy', `TENANT#${t1}`, 'RESOURCES#Ticket'),
  item('Decoy', `RESOURCES#${t1}`, 'Ticket#t-1'),
  item('Decoy', `TENANT#${t1}`, 'USERS', gsi1('ROLE#', `ROLE#${r1}`)),
  item('Decoy', `TENANT#${t1}`, `user#${u1}`, gsi1(`user#${u1}`, `TENANT#${t1}`)),
  item('Decoy', `USER#${u1}`, 'TENANTS', gsi1('TENANT_NAME#acm')),
  item('Decoy', `USER#${u1}`, `tenant#${t1}`, gsi1('tenant_name#acme')),
  item('Decoy', 'ROLE_SCOPE#tenants', 'ROLE_NAME#admin', gsi1('policy#p-1')),
  item('Decoy', 'role_scope#tenant', 'ROLE_NAME#admin', gsi2(`tenant_grant#${g11}`)),
]

/** Ids and e-mail addresses in another spelling than stored, where their kind allows it. */
testAccessPatterns(authorization, items, [
  ['tenant', { tenantId: t1.toLowerCase() }, `TENANT#${t1} TENANT#${t1}`],
  ['tenantByName', { name: ' acme ' }, `TENANT#${t1} TENANT#${t1}`],
  ['tenantByName', { name: 'Acme' }, `TENANT#${t2} TENANT#${t2}`],
  ['user', { userId: u1.toLowerCase() }, `USER#${u1} USER#${u1}`],
  ['role', { scope: 'tenant', name: 'admin' }, 'ROLE_SCOPE#tenant ROLE_NAME#admin'],
  ['role', { scope: 'global', name: ' admin' }, 'ROLE_SCOPE#global ROLE_NAME#admin'],
  ['roleById', { roleId: r3.toLowerCase() }, 'ROLE_SCOPE#global ROLE_NAME#admin'],
  ['grant', { tenantId: t1, userId: u1 }, `TENANT#${t1} USER#${u1}`],
  ['grant', { tenantId: t2.toLowerCase(), userId: u1 }, `TENANT#${t2} USER#${u1}`],
  ['grant', { tenantId: t2, userId: u2 }],
  ['grantsOfUser', { userId: u1 }, `TENANT#${t1} USER#${u1}`, `TENANT#${t2} USER#${u1}`],
  ['grantsOfUser', { userId: u3 }],
  ['grantById', { tenantGrantId: g11 }, `TENANT#${t1} USER#${u1}`],
  [
    'policiesByNamePrefix',
    { prefix: 'ticket' },
    'GLOBAL POLICY_NAME#ticket',
    'GLOBAL POLICY_NAME#ticket#archive',
    'GLOBAL POLICY_NAME#ticket-read',
    'GLOBAL POLICY_NAME#ticket-tenant-enforce',
  ],
  ['policiesByNamePrefix', { prefix: 'ticket-' }, 'GLOBAL POLICY_NAME#ticket-read', 'GLOBAL POLICY_NAME#ticket-tenant-enforce'],
  ['policiesByNamePrefix', { prefix: 'Tick' }, 'GLOBAL POLICY_NAME#Ticket-read'],
  ['policy', { name: 'ticket' }, 'GLOBAL POLICY_NAME#ticket'],
  ['policyById', { policyId: 'p-1' }, 'GLOBAL POLICY_NAME#ticket'],
  ['policyById', { policyId: 'P-1' }, 'GLOBAL POLICY_NAME#ticket-tenant-enforce'],
  ['tenantIdOfName', { name: 'acme' }, 'TENANT_NAME#acme TENANT_NAME#acme'],
  ['userIdOfEmail', { email: ' Ada@Example.ORG ' }, 'USER_EMAIL#ada@example.org USER_EMAIL#ada@example.org'],
  ['userIdOfPhone', { phone: '+49 (30) 123-456' }, 'USER_PHONE#+4930123456 USER_PHONE#+4930123456'],
  ['userIdOfPhone', { phone: '+493012345' }],
  ['userIdOfPreferredUsername', { preferredUsername: 'ADA' }, 'USER_PREFERREDUSERNAME#ada USER_PREFERREDUSERNAME#ada'],
  ['roleOfId', { roleId: r1 }, `ROLE#${r1} ROLE#${r1}`],
  ['grantOfId', { tenantGrantId: g21 }, `TENANT_GRANT#${g21} TENANT_GRANT#${g21}`],
  ['policyOfId', { policyId: 'p-1' }, 'POLICY#p-1 POLICY#p-1'],
  ['signIn', { provider: 'google', subject: 's#1' }, 'IDENTITY#google#s#1 IDENTITY#google#s#1'],
  ['signInsOfUser', { userId: u1 }, `USER#${u1} IDENTITY#github`, `USER#${u1} IDENTITY#google`],
  ['grantsOfUserOnTable', { userId: u1 }, `USER#${u1} TENANT#${t1}`, `USER#${u1} TENANT#${t2}`],
  ['grantsOfTenant', { tenantId: t1 }, `TENANT#${t1} USER#${u1}`, `TENANT#${t1} USER#${u2}`],
  [
    'rolesOfScope',
    { scope: 'tenant' },
    'ROLE_SCOPE#tenant ROLE_NAME#Admin',
    'ROLE_SCOPE#tenant ROLE_NAME#admin',
    'ROLE_SCOPE#tenant ROLE_NAME#admin#2',
  ],
  ['resource', { tenantId: t1.toLowerCase(), type: ' Ticket', id: 't-1' }, `RESOURCES#${t1}#Ticket t-1`],
  ['resource', { tenantId: t2, type: 'Ticket', id: 'T-1' }],
  ['resourcesOfType', { tenantId: t1, type: 'Ticket' }, ...['T-1', 't-1', 't-1#2'].map((id) => `RESOURCES#${t1}#Ticket ${id}`)],
  ['resourcesOfType', { tenantId: t2, type: 'Shop::Ticket' }],
  [
    'resourcesOfTenant',
    { tenantId: t1 },
    ...['Shop::Ticket#t-1', 'Tick#t-1', 'Ticket#T-1', 'Ticket#t-1', 'Ticket#t-1#2'].map((key) => `TENANT#${t1} RESOURCE#${key}`),
  ],
  ['changesOfTenant', { tenantId: t1 }, `CHANGES#TENANT#${t1} CHANGE#${at}#${g12}`, `CHANGES#TENANT#${t1} CHANGE#${at}#${g11}`],
  ['changesOfSystem', {}, `CHANGES#SYSTEM CHANGE#${at}#${g11}`],
  ['changesOfActor', { actor: u1 }, `CHANGES#ACTOR#${u1} CHANGE#${at}#${g12}`, `CHANGES#ACTOR#${u1} CHANGE#${at}#${g11}`],
])
