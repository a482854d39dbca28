import type { Entity } from '@freehold/table'
import { expect, test } from 'vitest'
import { platform } from './design.ts'

/** The items that hang on an item, their fate when that goes, and under which sort-key prefix of which items it is found. */
const dependants = (target: Entity) =>
  platform.form.dependantsOf(target).map(({ entity, onRemove, enumeration }) => {
    return `${entity.name} ${onRemove}: ${enumeration?.side.name} ${enumeration?.sortPrefix}`
  })

const expected: Readonly<Record<string, readonly string[]>> = {
  Account: [
    'AccountAddress cascade: AccountAddress ADDRESS#',
    'TechnicalUser cascade: TechnicalUser TECH_USER#',
    'License cascade: License LICENSE#',
    'NotificationIntent cascade: NotificationIntent ',
    'Provisioning cascade: Provisioning METADATA',
    'Workstream cascade: Workstream WORKSTREAM#',
    'User cascade: AccountUser USER#',
    'Role cascade: AccountRole ROLE#',
    'Group cascade: AccountGroup GROUP#',
  ],
  Enterprise: [
    'EnterpriseProduct cascade: EnterpriseProduct PRODUCT#',
    'EnterpriseService cascade: EnterpriseService SERVICE#',
    'License refuse: EnterpriseLicense LICENSE#',
    'Workstream refuse: EnterpriseWorkstream WORKSTREAM#',
  ],
  Product: ['EnterpriseProduct refuse: ProductUse ENTERPRISE#'],
  Service: ['EnterpriseService refuse: ServiceUse ENTERPRISE#'],
  EnterpriseProduct: ['License refuse: EnterpriseLicense LICENSE#'],
  ProductUse: ['License refuse: EnterpriseLicense LICENSE#'],
  EnterpriseService: ['License refuse: EnterpriseLicense LICENSE#'],
  ServiceUse: ['License refuse: EnterpriseLicense LICENSE#'],
  License: ['LicenseSeat cascade: LicenseSeat USER#'],
  Workstream: ['UserWorkstream cascade: WorkstreamUser USER#', 'WorkstreamTool cascade: WorkstreamTool TOOL#'],
  User: [
    'UserWorkstream cascade: UserWorkstream WORKSTREAM#',
    'GroupMember cascade: UserGroup GROUP#',
    'LicenseSeat cascade: UserSeat LICENSE#',
    'SignInIdentity cascade: UserSignInEdge IDENTITY#',
    'TechnicalUser cascade: UserContact ACCOUNT#',
  ],
  Role: ['GroupRole cascade: RoleGroup GROUP#', 'RolePermission cascade: RolePermission PERMISSION#'],
  Group: ['GroupMember cascade: GroupMember USER#', 'GroupRole cascade: GroupRole ROLE#'],
}

test.each([...platform.form.entities.values()])('items that hang on a $name are found in one collection of the table', (target) => {
  expect(dependants(target).sort()).toEqual([...(expected[target.name] ?? [])].sort())
})

test('only what never changes is copied: which account something is of', () => {
  for (const target of platform.form.entities.values()) {
    for (const { copies } of platform.form.followersOf(target)) {
      expect(copies.map(({ from }) => from)).toEqual(['accountId'])
      expect(target.form.fixed).toEqual(['accountId'])
    }
  }
})
