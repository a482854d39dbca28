import { tableKey } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { idOf } from '../../test/literal-items.ts'
import { ownTable } from '../../test/own-table.ts'
import { rebac } from './design.ts'

const user = idOf('user', 1)
const location = idOf('location', 1)
const group = idOf('group', 1)
const changedAt = '2026-01-01T00:00:00.000Z'

/** Every entity with the keys that the document's tables give it (§1-11), and those that the additions are declared with. */
const expected: Readonly<Record<keyof typeof rebac.entities, readonly [id: Readonly<Record<string, string>>, PK: string, SK: string]>> = {
  EmailIdentity: [{ email: 'user@example.com' }, 'EMAIL#user@example.com', 'META'],
  User: [{ userId: user }, `USER#${user}`, 'META'],
  Location: [{ locationId: location }, `LOCATION#${location}`, 'META'],
  LocationCodeLookup: [{ locationCode: 'NYC001' }, 'LOCATION_CODE#NYC001', 'META'],
  UserGroup: [{ groupId: group }, `GROUP#${group}`, 'META'],
  Role: [{ roleName: 'teacher' }, 'ROLE#teacher', 'META'],
  Page: [{ pageName: 'dashboard' }, 'PAGE#dashboard', 'META'],
  UserLocationEdge: [{ userId: user, locationId: location }, `USER#${user}`, `LOCATION#${location}`],
  LocationUserEdge: [{ userId: user, locationId: location }, `LOCATION#${location}`, `USER#${user}`],
  UserGroupEdge: [{ userId: user, groupId: group }, `USER#${user}`, `GROUP#${group}`],
  GroupUserEdge: [{ userId: user, groupId: group }, `GROUP#${group}`, `USER#${user}`],
  GroupRole: [{ groupId: group, roleName: 'teacher' }, `GROUP#${group}`, 'ROLE#teacher'],
  RolePagePermission: [{ roleName: 'teacher', pageName: 'dashboard' }, 'ROLE#teacher', 'PAGE#dashboard'],
  UserEmailEdge: [{ userId: user, email: 'user@example.com' }, `USER#${user}`, 'EMAIL#user@example.com'],
  SignInIdentity: [{ provider: 'google', subject: '104#7' }, 'IDENTITY#google#104#7', 'IDENTITY#google#104#7'],
  UserSignInEdge: [{ userId: user, provider: 'google' }, `USER#${user}`, 'IDENTITY#google'],
  RoleGroupEdge: [{ groupId: group, roleName: 'teacher' }, 'ROLE#teacher', `GROUP#${group}`],
  PageRoleEdge: [{ roleName: 'teacher', pageName: 'dashboard' }, 'PAGE#dashboard', 'ROLE#teacher'],
  LocationGroup: [{ locationId: location, groupId: group }, `LOCATION#${location}`, `GROUP#${group}`],
  UserEntry: [{ userId: user }, 'DIRECTORY#USER', `USER#${user}`],
  LocationEntry: [{ locationId: location }, 'DIRECTORY#LOCATION', `LOCATION#${location}`],
  GroupEntry: [{ groupId: group }, 'DIRECTORY#GROUP', `GROUP#${group}`],
  RoleEntry: [{ roleName: 'teacher' }, 'DIRECTORY#ROLE', 'ROLE#teacher'],
  PageEntry: [{ pageName: 'dashboard' }, 'DIRECTORY#PAGE', 'PAGE#dashboard'],
  Change: [{ locationId: location, changedAt, changeId: group }, `CHANGES#LOCATION#${location}`, `CHANGE#${changedAt}#${group}`],
  ActorChange: [{ actor: 'operator', changedAt, changeId: group }, 'CHANGES#ACTOR#operator', `CHANGE#${changedAt}#${group}`],
}

describe('every entity has the keys of the document', () => {
  test.each(Object.entries(expected))('%s', (name, [id, PK, SK]) => {
    const entity = rebac.form.entities.get(name)
    expect(entity && tableKey(entity, id)).toEqual({ PK, SK })
  })

  test('no entity is left out', () => {
    expect(Object.keys(expected).sort()).toEqual([...rebac.form.entities.keys()].sort())
  })
})

test('one of each, written through the repository, lies where the document says, and nothing lies elsewhere', async () => {
  const table = await ownTable()
  await table.User.create({ userId: user, displayName: 'Ada' })
  await table.EmailIdentity.create({ userId: user, email: 'User@Example.com', provider: 'google' })
  await table.SignInIdentity.create({ userId: user, provider: 'google', subject: '104#7' })
  await table.Location.create({ locationId: location, locationCode: 'nyc001', name: 'New York' })
  await table.UserGroup.create({ groupId: group, locationId: location, name: 'Teachers' })
  await table.Role.create({ roleName: 'teacher' })
  await table.Page.create({ pageName: 'dashboard' })
  await table.UserLocationEdge.create({ userId: user, locationId: location })
  await table.UserGroupEdge.create({ userId: user, groupId: group })
  await table.GroupRole.create({ groupId: group, roleName: 'teacher' })
  await table.RolePagePermission.create({ roleName: 'teacher', pageName: 'dashboard', permission: 'ALLOW' })
  await table.Change.create({ changeId: group, changedAt, locationId: location, flow: 'joinGroup', actor: 'operator' })
  const { Items = [] } = await table.runtime.sender.send('Scan', { TableName: table.runtime.table })
  const text = (value: unknown) => (value as { S: string }).S
  const found = Items.map(({ Type, PK, SK }) => [text(Type), text(PK), text(SK)]).sort()
  expect(found).toEqual(
    Object.entries(expected)
      .map(([name, [, PK, SK]]) => [name, PK, SK])
      .sort(),
  )
})
