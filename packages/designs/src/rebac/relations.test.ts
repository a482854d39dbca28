import type { Entity } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import * as design from './design.ts'

const { form } = design.rebac

/** The items that hang on an item, and under which sort-key prefix of which item's partition it is found. */
const dependants = (target: Entity) =>
  form.dependantsOf(target).map(({ entity, enumeration }) => {
    const filters = Object.keys(enumeration?.filters ?? {}).map((name) => ` of the same ${name}`)
    return `${entity.name}: ${enumeration?.side.name} ${enumeration?.sortPrefix}${filters.join('')}`
  })
const followers = (target: Entity) =>
  form.followersOf(target).map(({ side, copies }) => `${side.name}: ${copies.map(({ attribute }) => attribute).join(', ')}`)

describe('in rebac', () => {
  test.each([
    {
      target: design.User,
      expected: [
        'EmailIdentity: UserEmailEdge EMAIL#',
        'UserLocationEdge: UserLocationEdge LOCATION#',
        'UserGroupEdge: UserGroupEdge GROUP#',
        'SignInIdentity: UserSignInEdge IDENTITY#',
      ],
    },
    { target: design.Location, expected: ['UserLocationEdge: LocationUserEdge USER#', 'UserGroup: LocationGroup GROUP#'] },
    { target: design.UserGroup, expected: ['UserGroupEdge: GroupUserEdge USER#', 'GroupRole: GroupRole ROLE#'] },
    { target: design.Role, expected: ['GroupRole: RoleGroupEdge GROUP#', 'RolePagePermission: RolePagePermission PAGE#'] },
    { target: design.Page, expected: ['RolePagePermission: PageRoleEdge ROLE#'] },
    { target: design.UserLocationEdge, expected: ['UserGroupEdge: UserGroupEdge GROUP# of the same locationId'] },
  ])('everything that hangs on a $target.name is found in one collection of the table', ({ target, expected }) => {
    expect(dependants(target)).toEqual(expected)
  })

  test('nothing else has dependants', () => {
    const nodes = [
      design.User,
      design.Location,
      design.UserGroup,
      design.Role,
      design.Page,
      design.UserLocationEdge,
      design.LocationUserEdge,
    ]
    const others = Object.values<Entity>(design.rebac.entities).filter((entity) => !nodes.some(({ name }) => name === entity.name))
    expect(others.flatMap(dependants)).toEqual([])
  })

  test.each([
    { target: design.User, expected: ['LocationUserEdge: userDisplayName, userType', 'GroupUserEdge: userDisplayName'] },
    { target: design.Location, expected: ['UserLocationEdge: locationCode, locationName'] },
    { target: design.UserGroup, expected: ['UserGroupEdge: locationId, groupType, groupName'] },
    { target: design.Role, expected: [] },
  ])('the copies that follow a $target.name are those of the document', ({ target, expected }) => {
    expect(followers(target)).toEqual(expected)
  })

  test('there is no index, and what the document does not have says why it is there', () => {
    expect(form.indexes).toEqual([])
    const additions = [...form.entities.values()].filter((entity) => entity.form.addition !== undefined).map(({ name }) => name)
    expect(additions).toEqual([
      'UserEmailEdge',
      'SignInIdentity',
      'UserSignInEdge',
      'RoleGroupEdge',
      'PageRoleEdge',
      'LocationGroup',
      'UserEntry',
      'LocationEntry',
      'GroupEntry',
      'RoleEntry',
      'PageEntry',
      'Change',
      'ActorChange',
    ])
  })
})
