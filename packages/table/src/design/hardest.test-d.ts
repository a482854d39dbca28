import { describe, expectTypeOf, test } from 'vitest'
import type * as am from '../../test/hardest/account-management.ts'
import type * as az from '../../test/hardest/authorization.ts'
import type * as re from '../../test/hardest/edges.ts'
import type * as pf from '../../test/hardest/platform.ts'
import type { Change, Id, Item, Json, New, Pattern } from '../language.ts'

type ParametersOf<P> = P extends Pattern<infer A, unknown> ? A : never
type ResultOf<P> = P extends Pattern<never, infer R> ? R : never
type OperationOf<P> = P extends Pattern<never, unknown, infer O> ? O : never
type Am = (typeof am.accountManagement)['patterns']
type Pf = (typeof pf.platform)['patterns']
type Az = (typeof az.authorization)['patterns']
type Re = (typeof re.edges)['patterns']
type Absent<V> = V | null | undefined
type JsonObject = Readonly<Record<string, Json>>
interface Stored<N extends string> {
  Type: N
  version: number
  deleting?: string
}
type Show<T> = { [K in keyof T]: T[K] } & {}
type Severity = 'info' | 'warning' | 'critical'
type Scope = 'client' | 'project' | 'building'

describe('account-management', () => {
  test('AuditLog: its client may be absent, its id, timestamp and end are made', () => {
    expectTypeOf<Item<typeof am.AuditLog>>().toEqualTypeOf<
      Show<
        Stored<'AuditLog'> & {
          id: string
          client_id?: string
          user_id?: string
          action: string
          timestamp: string
          metadata?: JsonObject
          severity: Severity
          expires_at: string
        }
      >
    >()
    expectTypeOf<New<typeof am.AuditLog>>().toEqualTypeOf<{
      action: string
      client_id?: Absent<string>
      user_id?: Absent<string>
      metadata?: Absent<JsonObject>
      id?: string | undefined
      timestamp?: string | undefined
      severity?: Severity | undefined
      expires_at?: string | undefined
    }>()
    expectTypeOf<Id<typeof am.AuditLog>>().toEqualTypeOf<{ id: string; timestamp: string; client_id?: Absent<string> }>()
  })

  test('User: a client may be absent; secrets are optional attributes like others', () => {
    expectTypeOf<Id<typeof am.User>>().toEqualTypeOf<{ id: string }>()
    expectTypeOf<Item<typeof am.User>['client_id']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<New<typeof am.User>['client_id']>().toEqualTypeOf<Absent<string>>()
    expectTypeOf<Change<typeof am.User>>().toEqualTypeOf<{
      id?: string | undefined
      email?: string | undefined
      status?: 'active' | 'disabled' | undefined
      user_type?: 'internal' | 'client_admin' | 'external_customer' | 'external_tenant' | undefined
      mfa_enabled?: boolean | undefined
      created_at?: string | undefined
      updated_at?: string | undefined
      client_id?: Absent<string>
      phone?: Absent<string>
      password_hash?: Absent<string>
      mfa_secret?: Absent<string>
    }>()
    expectTypeOf<Item<typeof am.UserEmail>>().toEqualTypeOf<Show<Stored<'UserEmail'> & { id: string; email: string }>>()
    expectTypeOf<Id<typeof am.UserEmail>>().toEqualTypeOf<{ email: string }>()
  })

  test('Role: of a client or of the system, and so is the guard of its name', () => {
    expectTypeOf<Id<typeof am.Role>>().toEqualTypeOf<{ id: string; client_id?: Absent<string> }>()
    expectTypeOf<Id<typeof am.RoleName>>().toEqualTypeOf<{ name: string; client_id?: Absent<string> }>()
    expectTypeOf<Item<typeof am.Role>['permissions']>().toEqualTypeOf<{ module: string; action: string; resource: string }[]>()
    expectTypeOf<ParametersOf<Am['role']>>().toEqualTypeOf<{ id: string; client_id?: Absent<string> }>()
    expectTypeOf<ParametersOf<Am['rolesOfClient']>>().toEqualTypeOf<{ client_id: string }>()
    expectTypeOf<ParametersOf<Am['systemRoles']>>().toEqualTypeOf<Record<never, never>>()
  })

  test('UserRoleAssignment: its mirrors carry what their keys and its key name, and what they ask for', () => {
    expectTypeOf<Id<typeof am.UserRoleAssignment>>().toEqualTypeOf<{
      user_id: string
      role_id: string
      scope_type: Scope
      scope_id: string
    }>()
    expectTypeOf<Item<typeof am.ScopeAssignment>>().toEqualTypeOf<
      Show<
        Stored<'ScopeAssignment'> & {
          user_id: string
          role_id: string
          scope_type: Scope
          scope_id: string
          role_owner: string
          start_at?: string
          expires_at?: string
        }
      >
    >()
    expectTypeOf<Item<typeof am.RoleHolder>>().toEqualTypeOf<
      Show<Stored<'RoleHolder'> & { user_id: string; role_id: string; scope_type: Scope; scope_id: string; role_owner: string }>
    >()
    expectTypeOf<ParametersOf<Am['accessOfUserAtScope']>>().toEqualTypeOf<{ user_id: string; scope_type: Scope; scope_id: string }>()
    expectTypeOf<ParametersOf<Am['buildingRolesOfHolders']>>().toEqualTypeOf<{ role_id: string; scope_id: string }>()
    expectTypeOf<ResultOf<Am['scopesOfUser']>>().toEqualTypeOf<Item<typeof am.User> | Item<typeof am.UserRoleAssignment>>()
  })

  test('Building and Device: the client comes from the parent, never from the caller', () => {
    expectTypeOf<New<typeof am.Building>>().toEqualTypeOf<{
      project_id: string
      name: string
      floors?: Absent<number>
      geo_latitude?: Absent<number>
      id?: string | undefined
      created_at?: string | undefined
      updated_at?: string | undefined
    }>()
    expectTypeOf<Item<typeof am.Building>['client_id']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<'client_id' extends keyof (New<typeof am.Device> & Change<typeof am.Device>) ? true : false>().toEqualTypeOf<false>()
    expectTypeOf<Item<typeof am.BuildingPlace>>().toEqualTypeOf<
      Show<Stored<'BuildingPlace'> & { id: string; project_id: string; client_id?: string }>
    >()
    expectTypeOf<Id<typeof am.BuildingPlace>>().toEqualTypeOf<{ id: string }>()
  })

  test('Setting and ServiceSubscription share a partition, each with its own scopes', () => {
    expectTypeOf<ParametersOf<Am['settingsOfScope']>>().toEqualTypeOf<{ scope_type: Scope | 'user'; scope_id: string }>()
    expectTypeOf<ParametersOf<Am['subscriptionsOfScope']>>().toEqualTypeOf<{
      scope_type: 'building' | 'project'
      scope_id: string
      status?: 'active' | 'expired' | 'trial' | undefined
    }>()
    expectTypeOf<ResultOf<Am['subscriptionsOfModule']>>().toEqualTypeOf<Item<typeof am.ServiceSubscription>>()
  })

  test('ranges over time have their own parameters', () => {
    expectTypeOf<ParametersOf<Am['auditOfClient']>>().toEqualTypeOf<{ client_id: string; from: string; to: string }>()
    expectTypeOf<ParametersOf<Am['activityOfUser']>>().toEqualTypeOf<{ client_id: string; user_id: string }>()
    expectTypeOf<ParametersOf<Am['sessionsOfUserSince']>>().toEqualTypeOf<{ user_id: string; since: string }>()
    expectTypeOf<OperationOf<Am['auditOfClient']>>().toEqualTypeOf<'query'>()
    expectTypeOf<OperationOf<Am['sessionById']>>().toEqualTypeOf<'get'>()
    expectTypeOf<Item<typeof am.SessionById>>().toEqualTypeOf<
      Show<Stored<'SessionById'> & { id: string; user_id: string; session_start: string; expires_at: string }>
    >()
  })

  test('a pattern that is marked as an addition keeps its types', () => {
    expectTypeOf<ResultOf<Am['clients']>>().toEqualTypeOf<Item<typeof am.ClientEntry>>()
  })
})

describe('platform', () => {
  test('License: status and days in keys, seats as numbers', () => {
    expectTypeOf<New<typeof pf.License>>().toEqualTypeOf<{
      accountId: string
      enterpriseId: string
      endDate: string
      seats: number
      id?: string | undefined
      status?: 'active' | 'expired' | undefined
      startDate?: string | undefined
      seatsUsed?: number | undefined
      createdAt?: string | undefined
      updatedAt?: string | undefined
    }>()
    expectTypeOf<Id<typeof pf.License>>().toEqualTypeOf<{ accountId: string; id: string }>()
    expectTypeOf<ParametersOf<Pf['expiringLicenses']>>().toEqualTypeOf<{ date: string }>()
    expectTypeOf<ParametersOf<Pf['licensesOfEnterprise']>>().toEqualTypeOf<{ enterpriseId: string }>()
  })

  test('User: an absent end sorts last, in the index alone', () => {
    expectTypeOf<Item<typeof pf.User>['endDate']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<ParametersOf<Pf['usersEndingBefore']>>().toEqualTypeOf<{ status: 'active' | 'inactive'; date: string }>()
  })

  test('Account with all related data is one query with five results, told apart by Type', () => {
    type All = ResultOf<Pf['accountWithAll']>
    expectTypeOf<ParametersOf<Pf['accountWithAll']>>().toEqualTypeOf<{ accountId: string }>()
    expectTypeOf<All['Type']>().toEqualTypeOf<'Account' | 'AccountAddress' | 'TechnicalUser' | 'License' | 'Workstream'>()
    expectTypeOf<Extract<All, { Type: 'License' }>>().toEqualTypeOf<Item<typeof pf.License>>()
    expectTypeOf<Extract<ResultOf<Pf['roleWithPermissions']>, { Type: 'RolePermission' }>['canView']>().toEqualTypeOf<boolean>()
  })

  test('a membership carries its account, and the name of its workstream as a copy', () => {
    expectTypeOf<Item<typeof pf.UserWorkstream>>().toEqualTypeOf<
      Show<
        Stored<'UserWorkstream'> & { userId: string; workstreamId: string; accountId: string; joinedAt: string; workstreamName?: string }
      >
    >()
  })

  test('NotificationAudit: by status between two instants', () => {
    expectTypeOf<ParametersOf<Pf['notificationsByStatus']>>().toEqualTypeOf<{
      deliveryStatus: 'sent' | 'failed' | 'skipped'
      from: string
      to: string
    }>()
    expectTypeOf<ParametersOf<Pf['notificationsOfAccount']>>().toEqualTypeOf<{ accountId: string }>()
  })
})

describe('authorization', () => {
  test('the guard of an optional value always has the value', () => {
    expectTypeOf<Item<typeof az.User>['phone']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Item<typeof az.UserPhone>>().toEqualTypeOf<Show<Stored<'UserPhone'> & { userId: string; phone: string }>>()
    expectTypeOf<Id<typeof az.UserPhone>>().toEqualTypeOf<{ phone: string }>()
    expectTypeOf<Id<typeof az.UserPreferredUsername>>().toEqualTypeOf<{ preferredUsername: string }>()
  })

  test('TenantGrant: by tenant and user, by user, by id', () => {
    type Grant = Show<Stored<'TenantGrant'> & { tenantGrantId: string; tenantId: string; userId: string; roles: string[] }>
    expectTypeOf<Item<typeof az.TenantGrant>>().toEqualTypeOf<Grant>()
    expectTypeOf<ParametersOf<Az['grant']>>().toEqualTypeOf<{ tenantId: string; userId: string }>()
    expectTypeOf<ParametersOf<Az['grantById']>>().toEqualTypeOf<{ tenantGrantId: string }>()
    expectTypeOf<Item<typeof az.TenantGrantById>>().toEqualTypeOf<
      Show<Stored<'TenantGrantById'> & { tenantGrantId: string; tenantId: string; userId: string }>
    >()
  })

  test('Policy and Role: by a beginning of the name, by scope and name', () => {
    expectTypeOf<ParametersOf<Az['policiesByNamePrefix']>>().toEqualTypeOf<{ prefix: string }>()
    expectTypeOf<ParametersOf<Az['policy']>>().toEqualTypeOf<{ name: string }>()
    expectTypeOf<ParametersOf<Az['role']>>().toEqualTypeOf<{ scope: 'tenant' | 'global'; name: string }>()
  })
})

describe('rebac', () => {
  test('an edge has its ends, its own attributes and the copies of its side', () => {
    expectTypeOf<Item<typeof re.UserGroupEdge>>().toEqualTypeOf<
      Show<
        Stored<'UserGroupEdge'> & {
          userId: string
          groupId: string
          joinedAt: string
          locationId?: string
          groupType?: 'TEACHER' | 'VOLUNTEER'
          groupName?: string
        }
      >
    >()
    expectTypeOf<Item<typeof re.LocationUserEdge>>().toEqualTypeOf<
      Show<
        Stored<'LocationUserEdge'> & {
          userId: string
          locationId: string
          joinedAt: string
          userDisplayName?: string
          userType?: 'MEMBER' | 'LEAD'
        }
      >
    >()
    expectTypeOf<New<typeof re.UserGroupEdge>>().toEqualTypeOf<{ userId: string; groupId: string; joinedAt?: string | undefined }>()
    expectTypeOf<Id<typeof re.EmailIdentity>>().toEqualTypeOf<{ email: string }>()
    expectTypeOf<Id<typeof re.UserEmailEdge>>().toEqualTypeOf<{ userId: string; email: string }>()
  })

  test('a filter is a parameter with the type of its attribute, a copy too', () => {
    expectTypeOf<ParametersOf<Re['groupsOfUserAtLocation']>>().toEqualTypeOf<{ userId: string; locationId: string }>()
    expectTypeOf<ParametersOf<Re['leadsOfLocation']>>().toEqualTypeOf<{ locationId: string; userType: 'MEMBER' | 'LEAD' }>()
    expectTypeOf<ParametersOf<Re['isInGroup']>>().toEqualTypeOf<{ userId: string; groupId: string }>()
  })

  test('a mirror of a reference carries what it asks for', () => {
    expectTypeOf<Item<typeof re.LocationGroup>>().toEqualTypeOf<
      Show<Stored<'LocationGroup'> & { locationId: string; groupId: string; name: string; groupType: 'TEACHER' | 'VOLUNTEER' }>
    >()
  })
})
