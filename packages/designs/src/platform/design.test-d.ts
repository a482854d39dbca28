import type { Change, Id, Item, New, Table } from '@freehold/table'
import { expectTypeOf, test } from 'vitest'
import type { ParametersOf, Stamps, Stored } from '../../test/stored-item.ts'
import type * as design from './design.ts'

type Platform = Table<typeof design.platform>
type Parameters<N extends keyof (typeof design.platform)['patterns']> = ParametersOf<Platform, N>

test('items have the attributes of the document and those that are added, of which another program may leave some out', () => {
  expectTypeOf<Item<typeof design.Account>>().toEqualTypeOf<
    Stored<'Account', { id: string; name?: string; status: 'active' | 'suspended'; identityProviders?: string[] } & Stamps>
  >()
  expectTypeOf<Item<typeof design.License>>().toEqualTypeOf<
    Stored<
      'License',
      {
        id: string
        accountId: string
        enterpriseId?: string
        productId?: string
        serviceId?: string
        status?: 'active' | 'expired'
        startDate?: string
        endDate?: string
        seats?: number
        seatsUsed: number
      } & Stamps
    >
  >()
  expectTypeOf<Item<typeof design.User>>().toEqualTypeOf<
    Stored<
      'User',
      {
        id: string
        accountId?: string
        email?: string
        firstName?: string
        lastName?: string
        status?: 'active' | 'inactive'
        endDate?: string
        unlinkedProviders?: string[]
      } & Stamps
    >
  >()
  expectTypeOf<Item<typeof design.NotificationAudit>['deliveryStatus']>().toEqualTypeOf<'sent' | 'failed' | 'skipped' | undefined>()
  expectTypeOf<Item<typeof design.MenuRole>>().toEqualTypeOf<
    Stored<
      'MenuRole',
      {
        roleId: string
        menuKey: string
        accountId?: string
        canView: boolean
        canCreate: boolean
        canEdit: boolean
        canDelete: boolean
      }
    >
  >()
})

test('both sides of an edge carry its ends and what it has', () => {
  type Membership = { userId: string; workstreamId: string; accountId?: string; joinedAt?: string }
  expectTypeOf<Item<typeof design.UserWorkstream>>().toEqualTypeOf<Stored<'UserWorkstream', Membership>>()
  expectTypeOf<Item<typeof design.WorkstreamUser>>().toEqualTypeOf<Stored<'WorkstreamUser', Membership>>()
  expectTypeOf<New<typeof design.EnterpriseProduct>>().toEqualTypeOf<{
    enterpriseId: string
    productId: string
    assignedAt?: string | undefined
  }>()
})

test('the input of a caller is typed by presence', () => {
  expectTypeOf<New<typeof design.RolePermission>>().toEqualTypeOf<{
    roleId: string
    menuKey: string
    canView?: boolean | undefined
    canCreate?: boolean | undefined
    canEdit?: boolean | undefined
    canDelete?: boolean | undefined
    createdAt?: string | undefined
    updatedAt?: string | undefined
  }>()
  expectTypeOf<Change<typeof design.Workstream>['enterpriseId']>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<Id<typeof design.License>>().toEqualTypeOf<{ accountId: string; id: string }>()
  expectTypeOf<Id<typeof design.LicenseSeat>>().toEqualTypeOf<{ licenseId: string; userId: string }>()
})

test('a connected table has a function for each pattern, with its parameters and results', () => {
  expectTypeOf<Parameters<'accountWithAll'>>().toEqualTypeOf<{ accountId: string }>()
  expectTypeOf<Parameters<'expiringLicenses'>>().toEqualTypeOf<{ date: string }>()
  expectTypeOf<Parameters<'sentNotificationsBetween'>>().toEqualTypeOf<{ from: string; to: string }>()
  expectTypeOf<Parameters<'userIdOfEmail'>>().toEqualTypeOf<{ email: string }>()
  expectTypeOf<Platform['accountWithAll']>()
    .returns.resolves.toHaveProperty('items')
    .items.toEqualTypeOf<
      Item<
        | typeof design.Account
        | typeof design.AccountAddress
        | typeof design.TechnicalUser
        | typeof design.License
        | typeof design.Workstream
      >
    >()
  expectTypeOf<Platform['userIdOfEmail']>().returns.resolves.toEqualTypeOf<Item<typeof design.UserEmail> | undefined>()
})
