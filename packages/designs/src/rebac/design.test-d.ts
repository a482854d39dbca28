import type { Change, Id, Item, New, Table } from '@freehold/table'
import { expectTypeOf, test } from 'vitest'
import type { ParametersOf, Stamps, Stored } from '../../test/stored-item.ts'
import type * as design from './design.ts'

type Rebac = Table<typeof design.rebac>
type Parameters<N extends keyof (typeof design.rebac)['patterns']> = ParametersOf<Rebac, N>

test('nodes have the attributes of the document', () => {
  expectTypeOf<Item<typeof design.User>>().toEqualTypeOf<
    Stored<'User', { userId: string; displayName: string; userType: 'MEMBER' | 'LEAD'; isAdmin: boolean } & Stamps>
  >()
  expectTypeOf<Item<typeof design.Location>>().toEqualTypeOf<
    Stored<'Location', { locationId: string; locationCode: string; name: string; address?: string } & Stamps>
  >()
  expectTypeOf<Item<typeof design.LocationCodeLookup>>().toEqualTypeOf<
    Stored<'LocationCodeLookup', { locationCode: string; locationId: string; createdAt?: string }>
  >()
  expectTypeOf<Item<typeof design.UserGroup>>().toEqualTypeOf<
    Stored<'UserGroup', { groupId: string; locationId: string; groupType: 'TEACHER' | 'VOLUNTEER'; name: string } & Stamps>
  >()
  expectTypeOf<Item<typeof design.Role>>().toEqualTypeOf<
    Stored<'Role', { roleName: string; description?: string; renaming?: string } & Stamps>
  >()
  expectTypeOf<Item<typeof design.Page>>().toEqualTypeOf<
    Stored<'Page', { pageName: string; description?: string; renaming?: string; createdAt?: string }>
  >()
})

test('edges have their ends, what is theirs, and copies that may be absent', () => {
  expectTypeOf<Item<typeof design.EmailIdentity>>().toEqualTypeOf<
    Stored<'EmailIdentity', { userId: string; email: string; provider: 'google' | 'github' | 'microsoft' | 'import' } & Stamps>
  >()
  expectTypeOf<Item<typeof design.UserLocationEdge>>().toEqualTypeOf<
    Stored<'UserLocationEdge', { userId: string; locationId: string; joinedAt?: string; locationCode?: string; locationName?: string }>
  >()
  expectTypeOf<Item<typeof design.LocationUserEdge>>().toEqualTypeOf<
    Stored<
      'LocationUserEdge',
      { userId: string; locationId: string; joinedAt?: string; userDisplayName?: string; userType?: 'MEMBER' | 'LEAD' }
    >
  >()
  expectTypeOf<Item<typeof design.RolePagePermission>>().toEqualTypeOf<
    Stored<'RolePagePermission', { roleName: string; pageName: string; permission: 'ALLOW' | 'DENY' } & Stamps>
  >()
  expectTypeOf<Item<typeof design.GroupRole>>().toEqualTypeOf<
    Stored<'GroupRole', { groupId: string; roleName: string; assignedAt?: string }>
  >()
})

test('the input of a caller is typed by presence', () => {
  expectTypeOf<New<typeof design.User>>().toEqualTypeOf<{
    displayName: string
    userId?: string | undefined
    userType?: 'MEMBER' | 'LEAD' | undefined
    isAdmin?: boolean | undefined
    createdAt?: string | undefined
    updatedAt?: string | undefined
  }>()
  expectTypeOf<Change<typeof design.Page>>().toEqualTypeOf<{
    pageName?: string | undefined
    renaming?: string | null | undefined
    createdAt?: string | undefined
    description?: string | null | undefined
  }>()
  expectTypeOf<Id<typeof design.RolePagePermission>>().toEqualTypeOf<{ roleName: string; pageName: string }>()
})

test('a connected table has a repository for each entity and a function for each pattern', () => {
  expectTypeOf<Rebac['User']['create']>().returns.resolves.toEqualTypeOf<Item<typeof design.User>>()
  expectTypeOf<Parameters<'groupsOfUserAtLocation'>>().toEqualTypeOf<{ userId: string; locationId: string }>()
  expectTypeOf<Parameters<'permission'>>().toEqualTypeOf<{ roleName: string; pageName: string }>()
  expectTypeOf<Parameters<'locationIdOfCode'>>().toEqualTypeOf<{ locationCode: string }>()
  expectTypeOf<Rebac['groupsOfUser']>().returns.resolves.toHaveProperty('items').items.toEqualTypeOf<Item<typeof design.UserGroupEdge>>()
  expectTypeOf<Rebac['userIdOfEmail']>().returns.resolves.toEqualTypeOf<Item<typeof design.EmailIdentity> | undefined>()
})
