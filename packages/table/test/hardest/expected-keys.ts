import type { Entity } from '../../src/language.ts'
import * as am from './account-management.ts'
import * as az from './authorization.ts'
import * as re from './edges.ts'
import * as pf from './platform.ts'

// The keys of these items by their documents, written by hand.

const client = '11111111-1111-4111-8111-111111111111'
const user = '22222222-2222-4222-8222-222222222222'
const role = '33333333-3333-4333-8333-333333333333'
const building = '44444444-4444-4444-8444-444444444444'
const project = '55555555-5555-4555-8555-555555555555'
const log = '66666666-6666-4666-8666-666666666666'
const at = '2026-01-31T09:30:00.000Z'

export interface Case {
  readonly entity: Entity
  readonly when: string
  readonly values: Readonly<Record<string, string>>
  readonly keys: Readonly<Record<string, string>>
}

export const accountManagement: readonly Case[] = [
  {
    entity: am.Client,
    when: 'a tenant',
    values: { id: client, created_at: at },
    keys: {
      PK: `CLIENT#${client}`,
      SK: 'METADATA',
      GSI1PK: `CLIENT#${client}`,
      GSI1SK: `CLIENT#${client}`,
      GSI4PK: `CLIENT#${client}`,
      GSI4SK: `CLIENT#${at}`,
    },
  },
  {
    entity: am.Building,
    when: 'with the client of its project',
    values: { id: building, project_id: project, client_id: client, created_at: at },
    keys: {
      PK: `PROJECT#${project}`,
      SK: `BUILDING#${building}`,
      GSI1PK: `CLIENT#${client}`,
      GSI1SK: `BUILDING#${building}`,
      GSI4PK: `CLIENT#${client}`,
      GSI4SK: `BUILDING#${at}`,
    },
  },
  {
    entity: am.BuildingPlace,
    when: 'from a bare id',
    values: { id: building },
    keys: { PK: `BUILDING#${building}`, SK: 'METADATA' },
  },
  {
    entity: am.Device,
    when: 'in a building',
    values: { id: log, building_id: building, client_id: client },
    keys: { PK: `BUILDING#${building}`, SK: `DEVICE#${log}`, GSI1PK: `CLIENT#${client}`, GSI1SK: `DEVICE#${log}` },
  },
  {
    entity: am.User,
    when: 'of a client',
    values: { id: user, client_id: client, email: 'ada@example.com', created_at: at },
    keys: {
      PK: `USER#${user}`,
      SK: 'METADATA',
      GSI1PK: `CLIENT#${client}`,
      GSI1SK: `USER#${user}`,
      GSI2PK: `USER#${user}`,
      GSI2SK: `USER#${user}`,
      GSI3PK: 'EMAIL#ada@example.com',
      GSI3SK: `USER#${user}`,
      GSI4PK: `CLIENT#${client}`,
      GSI4SK: `USER#${at}`,
    },
  },
  {
    entity: am.User,
    when: 'without a client has no GSI1 and GSI4',
    values: { id: user, email: 'ada+x#y@example.com', created_at: at },
    keys: {
      PK: `USER#${user}`,
      SK: 'METADATA',
      GSI2PK: `USER#${user}`,
      GSI2SK: `USER#${user}`,
      GSI3PK: 'EMAIL#ada+x#y@example.com',
      GSI3SK: `USER#${user}`,
    },
  },
  {
    entity: am.Role,
    when: 'of a client',
    values: { id: role, client_id: client, created_at: at },
    keys: {
      PK: `CLIENT#${client}`,
      SK: `ROLE#${role}`,
      GSI1PK: `CLIENT#${client}`,
      GSI1SK: `ROLE#${role}`,
      GSI4PK: `CLIENT#${client}`,
      GSI4SK: `ROLE#${at}`,
    },
  },
  {
    entity: am.Role,
    when: 'of the system has no indexes',
    values: { id: role, created_at: at },
    keys: { PK: 'SYSTEM', SK: `ROLE#${role}` },
  },
  {
    entity: am.RoleName,
    when: 'of a client',
    values: { client_id: client, name: 'Facility # manager' },
    keys: { PK: `ROLE_NAME#${client}#Facility # manager`, SK: `ROLE_NAME#${client}#Facility # manager` },
  },
  {
    entity: am.RoleName,
    when: 'of the system',
    values: { name: 'auditor' },
    keys: { PK: 'ROLE_NAME#SYSTEM#auditor', SK: 'ROLE_NAME#SYSTEM#auditor' },
  },
  {
    entity: am.UserRoleAssignment,
    when: 'at a building',
    values: { user_id: user, role_id: role, scope_type: 'building', scope_id: building },
    keys: {
      PK: `USER#${user}`,
      SK: `ROLE#building#${building}#${role}`,
      GSI2PK: `USER#${user}`,
      GSI2SK: `ACCESS#building#${building}#${role}`,
    },
  },
  {
    entity: am.ScopeAssignment,
    when: 'from its scope',
    values: { user_id: user, role_id: role, scope_type: 'building', scope_id: building },
    keys: { PK: `SCOPE#building#${building}`, SK: `ASSIGNMENT#${role}#${user}` },
  },
  {
    entity: am.RoleHolder,
    when: 'from its role',
    values: { user_id: user, role_id: role, scope_type: 'building', scope_id: building },
    keys: { PK: `ROLE_HOLDERS#${role}`, SK: `building#${building}#${user}` },
  },
  {
    entity: am.ServiceSubscription,
    when: 'of a project',
    values: { scope_type: 'project', scope_id: project, module_id: log },
    keys: {
      PK: `SCOPE#project#${project}`,
      SK: `SUBSCRIPTION#${log}`,
      GSI5PK: `MODULE#${log}`,
      GSI5SK: `SUBSCRIPTION#project#${project}`,
    },
  },
  {
    entity: am.Setting,
    when: 'whose key holds the delimiter',
    values: { scope_type: 'user', scope_id: user, key: 'theme#dark' },
    keys: { PK: `SCOPE#user#${user}`, SK: 'SETTING#theme#dark' },
  },
  {
    entity: am.AuditLog,
    when: 'of a client',
    values: { id: log, client_id: client, timestamp: at },
    keys: { PK: `CLIENT#${client}`, SK: `AUDIT#${at}#${log}`, GSI4PK: `CLIENT#${client}`, GSI4SK: `AUDIT#${at}` },
  },
  {
    entity: am.AuditLog,
    when: 'of no client has no index',
    values: { id: log, timestamp: at },
    keys: { PK: 'SYSTEM', SK: `AUDIT#${at}#${log}` },
  },
  {
    entity: am.LoginSession,
    when: 'of a user',
    values: { id: log, user_id: user, session_start: at },
    keys: { PK: `USER#${user}`, SK: `SESSION#${at}#${log}` },
  },
  { entity: am.SessionById, when: 'by its id alone', values: { id: log }, keys: { PK: `SESSION_ID#${log}`, SK: `SESSION_ID#${log}` } },
]

export const platform: readonly Case[] = [
  {
    entity: pf.License,
    when: 'with status and end',
    values: { id: 'lic-1', accountId: 'acc-001', enterpriseId: 'ent-7', status: 'active', endDate: '2025-03-15' },
    keys: {
      PK: 'ACCOUNT#acc-001',
      SK: 'LICENSE#lic-1',
      GSI1PK: 'ENTITY#LICENSE',
      GSI1SK: 'LICENSE#lic-1',
      GSI2PK: 'ENTERPRISE#ent-7',
      GSI2SK: 'LICENSE#lic-1',
      GSI3PK: 'LICENSE#STATUS#active',
      GSI3SK: '2025-03-15#lic-1',
    },
  },
  {
    entity: pf.User,
    when: 'with an end',
    values: { id: 'abc123', accountId: 'acc-001', status: 'inactive', endDate: '2025-01-01' },
    keys: {
      PK: 'USER#abc123',
      SK: 'METADATA',
      GSI1PK: 'ENTITY#USER',
      GSI1SK: 'USER#abc123',
      GSI2PK: 'ACCOUNT#acc-001#USERS',
      GSI2SK: 'USER#abc123',
      GSI3PK: 'USER#STATUS#inactive',
      GSI3SK: '2025-01-01#abc123',
    },
  },
  {
    entity: pf.User,
    when: 'without an end sorts last',
    values: { id: 'abc123', accountId: 'acc-001', status: 'active' },
    keys: {
      PK: 'USER#abc123',
      SK: 'METADATA',
      GSI1PK: 'ENTITY#USER',
      GSI1SK: 'USER#abc123',
      GSI2PK: 'ACCOUNT#acc-001#USERS',
      GSI2SK: 'USER#abc123',
      GSI3PK: 'USER#STATUS#active',
      GSI3SK: '9999-12-31#abc123',
    },
  },
  {
    entity: pf.Role,
    when: 'unscoped is in no account',
    values: { id: 'r1' },
    keys: { PK: 'ROLE#r1', SK: 'METADATA', GSI1PK: 'ENTITY#ROLE', GSI1SK: 'ROLE#r1' },
  },
  {
    entity: pf.UserWorkstream,
    when: 'from the user',
    values: { userId: 'u1', workstreamId: 'w1' },
    keys: { PK: 'USER#u1', SK: 'WORKSTREAM#w1' },
  },
  {
    entity: pf.WorkstreamUser,
    when: 'from the workstream',
    values: { userId: 'u1', workstreamId: 'w1' },
    keys: { PK: 'WORKSTREAM_USERS#w1', SK: 'USER#u1' },
  },
  {
    entity: pf.NotificationAudit,
    when: 'of an account',
    values: { id: 'n1', accountId: 'acc-001', deliveryStatus: 'skipped', sentAt: at },
    keys: {
      PK: 'NOTIFICATION_AUDIT#n1',
      SK: 'METADATA',
      GSI1PK: 'ENTITY#NOTIFICATION_AUDIT',
      GSI1SK: 'NOTIFICATION_AUDIT#n1',
      GSI2PK: 'ACCOUNT#acc-001#NOTIFICATIONS',
      GSI2SK: `${at}#n1`,
      GSI3PK: 'NOTIFICATION#STATUS#skipped',
      GSI3SK: `${at}#n1`,
    },
  },
]

const tenantId = '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C'
const userId = '01J8YZZQ3V8PZKQ0ZKX4C2M7FM'
const grantId = '01J8Z3Q3TQ6T0C9J2W0G7N2B6V'

export const authorization: readonly Case[] = [
  {
    entity: az.Tenant,
    when: 'as in the document',
    values: { tenantId, name: 'acme' },
    keys: { PK: `TENANT#${tenantId}`, SK: `TENANT#${tenantId}`, GSI1PK: 'TENANT_NAME#acme', GSI1SK: 'TENANT_NAME#acme' },
  },
  {
    entity: az.TenantGrant,
    when: 'as in the document',
    values: { tenantId, userId, tenantGrantId: grantId },
    keys: {
      PK: 'TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
      SK: 'USER#01J8YZZQ3V8PZKQ0ZKX4C2M7FM',
      GSI1PK: 'USER#01J8YZZQ3V8PZKQ0ZKX4C2M7FM',
      GSI1SK: 'TENANT#01J8Z0E2Z8D2A3J7A7Y2H9GQ9C',
      GSI2PK: 'TENANT_GRANT#01J8Z3Q3TQ6T0C9J2W0G7N2B6V',
      GSI2SK: 'TENANT_GRANT#01J8Z3Q3TQ6T0C9J2W0G7N2B6V',
    },
  },
  {
    entity: az.UserTenantGrant,
    when: 'from the user',
    values: { tenantId, userId },
    keys: { PK: `USER#${userId}`, SK: `TENANT#${tenantId}` },
  },
  {
    entity: az.Policy,
    when: 'as in the document',
    values: { name: 'ticket-tenant-enforce', policyId: 'p-abc123' },
    keys: { PK: 'GLOBAL', SK: 'POLICY_NAME#ticket-tenant-enforce', GSI1PK: 'POLICY#p-abc123', GSI1SK: 'POLICY#p-abc123' },
  },
  { entity: az.UserPhone, when: 'of an absent number is not there', values: { userId }, keys: {} },
  {
    entity: az.UserPhone,
    when: 'of a number',
    values: { phone: '+4930123456' },
    keys: { PK: 'USER_PHONE#+4930123456', SK: 'USER_PHONE#+4930123456' },
  },
]

export const rebac: readonly Case[] = [
  {
    entity: re.EmailIdentity,
    when: 'as in the document',
    values: { email: 'user@example.com' },
    keys: { PK: 'EMAIL#user@example.com', SK: 'META' },
  },
  {
    entity: re.UserGroupEdge,
    when: 'from the user',
    values: { userId, groupId: grantId },
    keys: { PK: `USER#${userId}`, SK: `GROUP#${grantId}` },
  },
  {
    entity: re.GroupUserEdge,
    when: 'from the group',
    values: { userId, groupId: grantId },
    keys: { PK: `GROUP#${grantId}`, SK: `USER#${userId}` },
  },
]
