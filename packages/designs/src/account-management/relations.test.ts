import type { Entity } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import * as design from './design.ts'

const { form } = design.accountManagement

/** The items that hang on an item, in which partition and under which prefix it is found, what else must agree, and whether it keeps the item. */
const dependants = (target: Entity) =>
  form.dependantsOf(target).map(({ entity, enumeration, onRemove }) => {
    const { side, sortPrefix, filters = {} } = enumeration ?? {}
    const filtered = Object.keys(filters).map((name) => ` of the same ${name}`)
    return `${entity.name}: ${side?.key[0]} / ${sortPrefix}${filtered.join('')}${onRemove === 'refuse' ? ', refuses' : ''}`
  })
const followers = (target: Entity) =>
  form.followersOf(target).map(({ side, copies }) => `${side.name}: ${copies.map(({ attribute }) => attribute).join(', ')}`)

const hanging: Readonly<Record<string, readonly string[]>> = {
  Client: [
    'Project: CLIENT#{client_id} / PROJECT#',
    'User: CLIENT_USERS#{client_id}|CLIENT_USERS#SYSTEM / USER#',
    'Role: CLIENT#{client_id}|SYSTEM / ROLE#',
    'UserRoleAssignment: SCOPE#{scope_type}#{scope_id} / ASSIGNMENT#',
    'Setting: SCOPE#{scope_type}#{scope_id} / SETTING#',
  ],
  Project: [
    'Building: PROJECT#{project_id} / BUILDING#',
    'UserRoleAssignment: SCOPE#{scope_type}#{scope_id} / ASSIGNMENT#',
    'ServiceSubscription: SCOPE#{scope_type}#{scope_id} / SUBSCRIPTION#',
    'Setting: SCOPE#{scope_type}#{scope_id} / SETTING#',
  ],
  Building: [
    'UserRoleAssignment: SCOPE#{scope_type}#{scope_id} / ASSIGNMENT#',
    'ServiceSubscription: SCOPE#{scope_type}#{scope_id} / SUBSCRIPTION#',
    'Setting: SCOPE#{scope_type}#{scope_id} / SETTING#',
    'Device: BUILDING#{building_id} / DEVICE#',
    'Zone: BUILDING#{building_id} / ZONE#',
  ],
  User: [
    'SignInIdentity: USER#{user_id} / IDENTITY#',
    'Project: OWNED_PROJECTS#{owner_user_id} / PROJECT#, refuses',
    'UserRoleAssignment: USER#{user_id} / ROLE#',
    'Setting: SCOPE#{scope_type}#{scope_id} / SETTING#',
    'AuthToken: USER#{user_id} / TOKEN#',
    'LoginSession: USER#{user_id} / SESSION#',
  ],
  Role: [
    'RolePermissionLink: ROLE#{role_id} / PERMISSION# of the same client_id',
    'Role: ROLE_CHILDREN#{parent_role_id} / ROLE# of the same client_id, refuses',
    'UserRoleAssignment: ROLE_HOLDERS#{role_id} /  of the same role_owner, refuses',
  ],
  Permission: ['RolePermissionLink: PERMISSION_ROLES#{permission_id} / ROLE#, refuses'],
  Zone: [
    'Device: BUILDING#{building_id} / DEVICE# of the same zone_id, refuses',
    'Zone: BUILDING#{building_id} / ZONE# of the same parent_zone_id, refuses',
  ],
}

describe('in account-management', () => {
  test.each(Object.entries(hanging))('everything that hangs on a %s is found in one collection of the table', (name, expected) => {
    const target = form.entities.get(name)
    expect(target && dependants(target)).toEqual(expected)
  })

  test('nothing hangs on anything else: events outlive what they tell of', () => {
    const others = [...form.entities.values()].filter(({ name }) => hanging[name] === undefined)
    expect(others.flatMap(dependants)).toEqual([])
  })

  test.each<[string, readonly string[]]>([
    ['Client', ['UserRoleAssignment: client_id', 'Setting: client_id']],
    ['Project', ['Building: client_id', 'UserRoleAssignment: client_id', 'ServiceSubscription: client_id', 'Setting: client_id']],
    [
      'Building',
      ['UserRoleAssignment: client_id', 'ServiceSubscription: client_id', 'Setting: client_id', 'Device: client_id', 'Zone: client_id'],
    ],
    [
      'User',
      ['SignInIdentity: client_id', 'UserSignInEdge: client_id', 'Setting: client_id', 'AuthToken: client_id', 'LoginSession: client_id'],
    ],
    ['Role', []],
    ['Permission', ['RolePermissionLink: module, action, resource']],
  ])('what follows a %s', (name, expected) => {
    const target = form.entities.get(name)
    expect(target && followers(target)).toEqual(expected)
  })

  test('there are the five indexes of the table design', () => {
    expect(form.indexes).toEqual(['GSI1', 'GSI2', 'GSI3', 'GSI4', 'GSI5'])
  })

  test('an item that the documents do not have says why it is there, and is in no index', () => {
    const additions = [...form.entities.values()].filter((entity) => entity.form.addition !== undefined)
    expect(additions.map(({ name, form: { part } }) => `${name} ${part.kind}`)).toEqual([
      'ProjectPlace mirror',
      'BuildingPlace mirror',
      'ClientBuilding mirror',
      'UserEmail guard',
      'ClientUser mirror',
      'OwnedProject mirror',
      'PermissionKey guard',
      'RoleName guard',
      'RoleChild mirror',
      'RoleParent mirror',
      'PermissionRole edge',
      'ScopeAssignment mirror',
      'RoleHolder mirror',
      'TokenById mirror',
      'SessionById mirror',
      'ClientEntry mirror',
      'SignInIdentity edge',
      'UserSignInEdge edge',
    ])
    expect(additions.filter((entity) => Object.keys(entity.form.indexes).length > 0)).toEqual([])
  })
})
