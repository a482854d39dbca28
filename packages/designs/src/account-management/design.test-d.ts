import { type Change, type Id, type Item, type New, type Table, without } from '@freehold/table'
import { expectTypeOf, test } from 'vitest'
import * as design from './design.ts'

type AccountManagement = Table<typeof design.accountManagement>
type Parameters<N extends keyof (typeof design.accountManagement)['patterns']> = AccountManagement[N] extends (
  parameters: infer P,
  ...rest: never
) => unknown
  ? P
  : never
type ScopeType = 'client' | 'project' | 'building'

test('an id has the attributes of its key; a system role has no client', () => {
  expectTypeOf<Id<typeof design.Client>>().toEqualTypeOf<{ id: string }>()
  expectTypeOf<Id<typeof design.Building>>().toEqualTypeOf<{ project_id: string; id: string }>()
  expectTypeOf<Id<typeof design.Role>>().toEqualTypeOf<{ id: string; client_id?: string | null | undefined }>()
  expectTypeOf<Id<typeof design.AuditLog>>().toEqualTypeOf<{ timestamp: string; id: string; client_id?: string | null | undefined }>()
  expectTypeOf<Id<typeof design.UserRoleAssignment>>().toEqualTypeOf<{
    user_id: string
    scope_type: ScopeType
    scope_id: string
    role_id: string
  }>()
  expectTypeOf<AccountManagement['role']>().toBeCallableWith({ id: '' })
  expectTypeOf<AccountManagement['Role']['get']>().toBeCallableWith({ client_id: null, id: '' })
})

test('parameters are those of the templates, with the values of their attributes', () => {
  expectTypeOf<Parameters<'userByEmail'>>().toEqualTypeOf<{ email: string }>()
  expectTypeOf<Parameters<'accessOfUserAtScope'>>().toEqualTypeOf<{ user_id: string; scope_type: ScopeType; scope_id: string }>()
  expectTypeOf<Parameters<'entitiesOfClient'>>().toEqualTypeOf<{ client_id: string }>()
  expectTypeOf<Parameters<'subscriptionsOfScope'>>().toEqualTypeOf<{
    scope_type: 'building' | 'project'
    scope_id: string
    status?: 'active' | 'expired' | 'trial' | undefined
  }>()
  expectTypeOf<Parameters<'settingsOfScope'>>().toEqualTypeOf<{ scope_type: ScopeType | 'user'; scope_id: string }>()
  expectTypeOf<Parameters<'auditOfClient'>>().toEqualTypeOf<{ client_id: string; from: string; to: string }>()
  expectTypeOf<Parameters<'activityOfUser'>>().toEqualTypeOf<{ client_id: string; user_id: string }>()
  expectTypeOf<Parameters<'role'>>().toEqualTypeOf<{ id: string; client_id?: string | null | undefined }>()
  expectTypeOf<Parameters<'permissionOfKey'>>().toEqualTypeOf<{ module: string; action: string; resource: string }>()
  expectTypeOf<keyof Parameters<'permissions'>>().toEqualTypeOf<never>()
})

test('a caller gives no copy and needs no stamp; everything else goes by presence', () => {
  expectTypeOf<New<typeof design.Building>>().not.toHaveProperty('client_id')
  expectTypeOf<New<typeof design.Device>>().not.toHaveProperty('client_id')
  expectTypeOf<New<typeof design.Setting>>().not.toHaveProperty('client_id')
  expectTypeOf<New<typeof design.RolePermissionLink>>().not.toHaveProperty('module')
  expectTypeOf<New<typeof design.Role>>().toEqualTypeOf<{
    name: string
    client_id?: string | null | undefined
    description?: string | null | undefined
    custom_template_id?: string | null | undefined
    created_by?: string | null | undefined
    parent_role_id?: string | null | undefined
    id?: string | undefined
    is_system?: boolean | undefined
    permission_form?: 'embedded' | 'linked' | undefined
    permissions?: { module: string; action: string; resource: string }[] | undefined
    created_at?: string | undefined
    updated_at?: string | undefined
  }>()
  expectTypeOf<Change<typeof design.Zone>['type']>().toEqualTypeOf<'office' | 'lobby' | 'utility' | undefined>()
  expectTypeOf<Change<typeof design.User>['client_id']>().toEqualTypeOf<string | null | undefined>()
})

test('an item that is read may lack its optional attributes, its secrets and its copies', () => {
  expectTypeOf<Item<typeof design.Client>['timezone']>().toEqualTypeOf<string>()
  expectTypeOf<Item<typeof design.User>['client_id']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Item<typeof design.User>['password_hash']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Item<typeof design.Building>['client_id']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Item<typeof design.RolePermissionLink>['action']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Item<typeof design.ClientUser>['client_id']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Item<typeof design.RoleName>['client_id']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<AccountManagement['scopesOfUser']>()
    .returns.resolves.toHaveProperty('items')
    .items.toEqualTypeOf<Item<typeof design.User> | Item<typeof design.UserRoleAssignment>>()
})

test('a feature that is left out leaves no repository and no access pattern, and one that there is not is refused', () => {
  const rest = without(design.accountManagement, 'devices', 'tokens')
  type Rest = Table<typeof rest>
  expectTypeOf<Rest>().not.toHaveProperty('Device')
  expectTypeOf<Rest>().not.toHaveProperty('Zone')
  expectTypeOf<Rest>().not.toHaveProperty('TokenById')
  expectTypeOf<Rest>().not.toHaveProperty('devicesOfBuilding')
  expectTypeOf<Rest>().not.toHaveProperty('tokenById')
  expectTypeOf<Rest>().toHaveProperty('entitiesOfClient')
  expectTypeOf<Rest['Building']>().toEqualTypeOf<AccountManagement['Building']>()
  expectTypeOf<keyof (typeof rest)['features']>().toEqualTypeOf<'audit' | 'sessions' | 'identities'>()
  // @ts-expect-error it is left out already
  expectTypeOf(without(rest, 'devices')).toBeObject()
  // @ts-expect-error the design has no such feature
  expectTypeOf(without(design.accountManagement, 'zones')).toBeObject()
})
