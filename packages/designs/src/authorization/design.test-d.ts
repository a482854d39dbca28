import type { Change, Id, Item, New, Table } from '@freehold/table'
import { expectTypeOf, test } from 'vitest'
import type * as design from './design.ts'

type Authorization = Table<typeof design.authorization>
type Parameters<N extends keyof (typeof design.authorization)['patterns']> = Authorization[N] extends (
  parameters: infer P,
  ...rest: never
) => unknown
  ? P
  : never
type Stored<N extends string, A> = { [K in keyof Whole<N, A>]: Whole<N, A>[K] }
type Whole<N extends string, A> = { Type: N; version: number; deleting?: string } & A

test('entities have the attributes of the document', () => {
  expectTypeOf<Item<typeof design.Tenant>>().toEqualTypeOf<
    Stored<'Tenant', { tenantId: string; name: string; status: 'active' | 'suspended'; identityProviders?: string[] }>
  >()
  expectTypeOf<Item<typeof design.User>>().toEqualTypeOf<
    Stored<
      'User',
      {
        userId: string
        email: string
        phone?: string
        preferredUsername?: string
        givenName?: string
        familyName?: string
        roles: string[]
        unlinkedProviders?: string[]
      }
    >
  >()
  expectTypeOf<Item<typeof design.Role>>().toEqualTypeOf<Stored<'Role', { roleId: string; name: string; scope: 'tenant' | 'global' }>>()
  expectTypeOf<Item<typeof design.TenantGrant>>().toEqualTypeOf<
    Stored<'TenantGrant', { tenantGrantId?: string; tenantId: string; userId: string; roles: string[] }>
  >()
  expectTypeOf<Item<typeof design.Policy>>().toEqualTypeOf<Stored<'Policy', { policyId: string; name: string }>>()
})

test('a guard has what it guards and what leads to its owner, though the owner may be without', () => {
  expectTypeOf<Item<typeof design.UserPhone>>().toEqualTypeOf<Stored<'UserPhone', { phone: string; userId: string }>>()
  expectTypeOf<Item<typeof design.UserPreferredUsername>>().toEqualTypeOf<
    Stored<'UserPreferredUsername', { preferredUsername: string; userId: string }>
  >()
  expectTypeOf<Item<typeof design.RoleById>>().toEqualTypeOf<
    Stored<'RoleById', { roleId: string; name: string; scope: 'tenant' | 'global' }>
  >()
})

test('the input of a caller is typed by presence', () => {
  expectTypeOf<New<typeof design.TenantGrant>>().toEqualTypeOf<{
    tenantId: string
    userId: string
    tenantGrantId?: string | undefined
    roles?: string[] | undefined
  }>()
  expectTypeOf<Change<typeof design.Tenant>>().toEqualTypeOf<{
    tenantId?: string | undefined
    name?: string | undefined
    status?: 'active' | 'suspended' | undefined
    identityProviders?: string[] | null | undefined
  }>()
  expectTypeOf<Change<typeof design.User>['phone']>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<Id<typeof design.Role>>().toEqualTypeOf<{ scope: 'tenant' | 'global'; name: string }>()
})

test('a connected table has a repository for each entity and a function for each pattern', () => {
  expectTypeOf<Authorization['Tenant']['create']>().returns.resolves.toEqualTypeOf<Item<typeof design.Tenant>>()
  expectTypeOf<Parameters<'policiesByNamePrefix'>>().toEqualTypeOf<{ prefix: string }>()
  expectTypeOf<Parameters<'rolesOfScope'>>().toEqualTypeOf<{ scope: 'tenant' | 'global' }>()
  expectTypeOf<Parameters<'grant'>>().toEqualTypeOf<{ tenantId: string; userId: string }>()
  expectTypeOf<Authorization['grantsOfUser']>()
    .returns.resolves.toHaveProperty('items')
    .items.toEqualTypeOf<Item<typeof design.TenantGrant>>()
  expectTypeOf<Authorization['userIdOfPhone']>().returns.resolves.toEqualTypeOf<Item<typeof design.UserPhone> | undefined>()
})
