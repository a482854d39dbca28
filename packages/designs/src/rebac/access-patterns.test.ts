import { isFreeholdError, type Page } from '@freehold/table'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { idOf } from '../../test/literal-items.ts'
import { ownTable } from '../../test/own-table.ts'
import { rebac } from './design.ts'

const at = '2026-01-01T00:00:00.000Z'
const stamps = { createdAt: at, updatedAt: at }
const [u1, u2, u3] = [idOf('user', 1), idOf('user', 2), idOf('user', 3)]
const [l1, l2] = [idOf('location', 1), idOf('location', 2)]
const [g1, g2] = [idOf('group', 1), idOf('group', 2)]

type Literal = Readonly<Record<string, string | number | boolean>>
const item = (Type: string, PK: string, SK: string, attributes: Literal): Literal => ({ PK, SK, Type, version: 1, ...attributes })

const user = (userId: string) =>
  item('User', `USER#${userId}`, 'META', { userId, displayName: 'Ada', userType: 'LEAD', isAdmin: false, ...stamps })
const place = (locationId: string, locationCode: string) =>
  item('Location', `LOCATION#${locationId}`, 'META', { locationId, locationCode, name: 'Hall', ...stamps })
const group = (groupId: string, locationId: string) =>
  item('UserGroup', `GROUP#${groupId}`, 'META', { groupId, locationId, groupType: 'TEACHER', name: 'Band', ...stamps })
const identity = (email: string, userId: string) => ({ email, userId, provider: 'google', ...stamps })
const atLocation = (userId: string, locationId: string) => ({ userId, locationId, joinedAt: at })
const inGroup = (userId: string, groupId: string) => ({ userId, groupId, joinedAt: at })
const assigned = (groupId: string, roleName: string) => ({ groupId, roleName, assignedAt: at })
const expiry = { expiresAt: '2199-01-01T00:00:00.000Z', ttl: Date.parse('2199-01-01T00:00:00.000Z') / 1000 }
const told = { changedAt: at, flow: 'joinGroup', actor: u1, severity: 'info', status: 'success' }
const changed = (changeId: string) => ({ changeId, ...told, ...expiry })
const permitted = (roleName: string, pageName: string) => ({ roleName, pageName, permission: 'ALLOW', ...stamps })

/**
 * Every item is spelled out, not written by the code under test. Beside what each pattern must find lie its decoys: ids and names that are
 * prefixes of others, other case, other locations, the node beside its edges, keys without their delimiter.
 */
const items: readonly Literal[] = [
  user(u1),
  user(u2),
  item('EmailIdentity', 'EMAIL#ada@example.org', 'META', identity('ada@example.org', u1)),
  item('EmailIdentity', 'EMAIL#ada@example.org.uk', 'META', identity('ada@example.org.uk', u2)),
  item('UserEmailEdge', `USER#${u1}`, 'EMAIL#ada@example.org', identity('ada@example.org', u1)),
  item('UserEmailEdge', `USER#${u2}`, 'EMAIL#ada@example.org.uk', identity('ada@example.org.uk', u2)),
  item('SignInIdentity', 'IDENTITY#google#1', 'IDENTITY#google#1', { provider: 'google', subject: '1', userId: u1, createdAt: at }),
  item('SignInIdentity', 'IDENTITY#google#10', 'IDENTITY#google#10', { provider: 'google', subject: '10', userId: u2, createdAt: at }),
  item('UserSignInEdge', `USER#${u1}`, 'IDENTITY#google', { provider: 'google', subject: '1', userId: u1, createdAt: at }),
  item('UserSignInEdge', `USER#${u2}`, 'IDENTITY#google', { provider: 'google', subject: '10', userId: u2, createdAt: at }),
  place(l1, 'NYC001'),
  place(l2, 'NYC0010'),
  item('LocationCodeLookup', 'LOCATION_CODE#NYC001', 'META', { locationCode: 'NYC001', locationId: l1, createdAt: at }),
  item('LocationCodeLookup', 'LOCATION_CODE#NYC0010', 'META', { locationCode: 'NYC0010', locationId: l2, createdAt: at }),
  item('LocationCodeLookup', 'LOCATION_CODE#nyc001', 'META', { locationCode: 'nyc001', locationId: l2, createdAt: at }),
  group(g1, l1),
  group(g2, l2),
  item('UserLocationEdge', `USER#${u1}`, `LOCATION#${l1}`, atLocation(u1, l1)),
  item('UserLocationEdge', `USER#${u1}`, `LOCATION#${l2}`, atLocation(u1, l2)),
  item('UserLocationEdge', `USER#${u2}`, `LOCATION#${l1}`, atLocation(u2, l1)),
  item('LocationUserEdge', `LOCATION#${l1}`, `USER#${u1}`, { ...atLocation(u1, l1), userType: 'LEAD' }),
  item('LocationUserEdge', `LOCATION#${l1}`, `USER#${u2}`, { ...atLocation(u2, l1), userType: 'MEMBER' }),
  // A copy may be absent: this edge was written by other means.
  item('LocationUserEdge', `LOCATION#${l1}`, `USER#${u3}`, atLocation(u3, l1)),
  item('LocationUserEdge', `LOCATION#${l2}`, `USER#${u1}`, { ...atLocation(u1, l2), userType: 'LEAD' }),
  item('UserGroupEdge', `USER#${u1}`, `GROUP#${g1}`, { ...inGroup(u1, g1), locationId: l1, groupType: 'TEACHER', groupName: 'Band' }),
  item('UserGroupEdge', `USER#${u1}`, `GROUP#${g2}`, { ...inGroup(u1, g2), locationId: l2, groupType: 'TEACHER', groupName: 'Band' }),
  item('UserGroupEdge', `USER#${u2}`, `GROUP#${g1}`, { ...inGroup(u2, g1), locationId: l1, groupType: 'TEACHER', groupName: 'Band' }),
  item('GroupUserEdge', `GROUP#${g1}`, `USER#${u1}`, inGroup(u1, g1)),
  item('GroupUserEdge', `GROUP#${g1}`, `USER#${u2}`, inGroup(u2, g1)),
  item('GroupUserEdge', `GROUP#${g2}`, `USER#${u1}`, inGroup(u1, g2)),
  ...['teacher', 'teacher2', 'Teacher'].flatMap((roleName) => [
    item('Role', `ROLE#${roleName}`, 'META', { roleName, ...stamps }),
    item('RoleEntry', 'DIRECTORY#ROLE', `ROLE#${roleName}`, { roleName }),
  ]),
  ...['dash', 'dashboard', 'Dash'].flatMap((pageName) => [
    item('Page', `PAGE#${pageName}`, 'META', { pageName, createdAt: at }),
    item('PageEntry', 'DIRECTORY#PAGE', `PAGE#${pageName}`, { pageName }),
  ]),
  item('GroupRole', `GROUP#${g1}`, 'ROLE#teacher', assigned(g1, 'teacher')),
  item('GroupRole', `GROUP#${g1}`, 'ROLE#teacher2', assigned(g1, 'teacher2')),
  item('GroupRole', `GROUP#${g2}`, 'ROLE#teacher', assigned(g2, 'teacher')),
  item('RoleGroupEdge', 'ROLE#teacher', `GROUP#${g1}`, assigned(g1, 'teacher')),
  item('RoleGroupEdge', 'ROLE#teacher2', `GROUP#${g1}`, assigned(g1, 'teacher2')),
  item('RoleGroupEdge', 'ROLE#teacher', `GROUP#${g2}`, assigned(g2, 'teacher')),
  item('RolePagePermission', 'ROLE#teacher', 'PAGE#dash', permitted('teacher', 'dash')),
  item('RolePagePermission', 'ROLE#teacher', 'PAGE#dashboard', permitted('teacher', 'dashboard')),
  item('RolePagePermission', 'ROLE#Teacher', 'PAGE#dash', permitted('Teacher', 'dash')),
  item('PageRoleEdge', 'PAGE#dash', 'ROLE#teacher', permitted('teacher', 'dash')),
  item('PageRoleEdge', 'PAGE#dashboard', 'ROLE#teacher', permitted('teacher', 'dashboard')),
  item('PageRoleEdge', 'PAGE#dash', 'ROLE#Teacher', permitted('Teacher', 'dash')),
  item('LocationGroup', `LOCATION#${l1}`, `GROUP#${g1}`, { locationId: l1, groupId: g1, name: 'Band', groupType: 'TEACHER' }),
  item('LocationGroup', `LOCATION#${l2}`, `GROUP#${g2}`, { locationId: l2, groupId: g2, name: 'Band', groupType: 'TEACHER' }),
  item('UserEntry', 'DIRECTORY#USER', `USER#${u1}`, { userId: u1, displayName: 'Ada' }),
  item('LocationEntry', 'DIRECTORY#LOCATION', `LOCATION#${l1}`, { locationId: l1, locationCode: 'NYC001', name: 'Hall' }),
  item('GroupEntry', 'DIRECTORY#GROUP', `GROUP#${g1}`, { groupId: g1, locationId: l1, name: 'Band' }),
  // Items that a prefix without its delimiter, or one that ignores case, would also find.
  item('Decoy', `USER#${u1}`, `LOCATIONS#${l1}`, {}),
  item('Decoy', `USER#${u1}`, `location#${l1}`, {}),
  item('Decoy', `USER#${u1}`, `GROUPS#${g1}`, {}),
  item('Decoy', `USER#${u1}`, `group#${g1}`, {}),
  item('Decoy', `USER#${u1}`, 'EMAIL', {}),
  item('Decoy', `USER#${u1}`, 'email#ada@example.org', {}),
  item('Decoy', `USER#${u1}`, 'IDENTITYX', {}),
  item('Decoy', `LOCATION#${l1}`, 'USERS', {}),
  item('Decoy', `LOCATION#${l1}`, `user#${u1}`, {}),
  item('Decoy', `LOCATION#${l1}`, 'GROUP', {}),
  item('Decoy', `GROUP#${g1}`, 'ROLES#teacher', {}),
  item('Decoy', `GROUP#${g1}`, 'role#teacher', {}),
  item('Decoy', `GROUP#${g1}`, 'USER', {}),
  item('Decoy', 'ROLE#teacher', 'PAGES', {}),
  item('Decoy', 'ROLE#teacher', 'page#dash', {}),
  item('Decoy', 'ROLE#teacher', 'GROUP', {}),
  item('Decoy', 'PAGE#dash', 'ROLES', {}),
  item('Decoy', 'PAGE#dash', 'role#teacher', {}),
  item('Decoy', 'DIRECTORY#USERS', `USER#${u1}`, {}),
  item('Decoy', 'directory#USER', `USER#${u1}`, {}),
  item('Change', `CHANGES#LOCATION#${l1}`, `CHANGE#${at}#${g1}`, { ...changed(g1), locationId: l1 }),
  item('Change', `CHANGES#LOCATION#${l1}`, `CHANGE#${at}#${g2}`, { ...changed(g2), locationId: l1 }),
  item('Change', `CHANGES#LOCATION#${l2}`, `CHANGE#${at}#${g1}`, { ...changed(g1), locationId: l2 }),
  item('Change', 'CHANGES#SYSTEM', `CHANGE#${at}#${g1}`, changed(g1)),
  item('ActorChange', `CHANGES#ACTOR#${u1}`, `CHANGE#${at}#${g1}`, { ...changed(g1), locationId: l1 }),
  item('ActorChange', `CHANGES#ACTOR#${u1}`, `CHANGE#${at}#${g2}`, changed(g2)),
  item('ActorChange', `CHANGES#ACTOR#${u2}`, `CHANGE#${at}#${g1}`, changed(g1)),
]

type Name = keyof typeof rebac.patterns
/** For each pattern: its parameters, spelled otherwise than stored where the kind allows, and the keys of exactly what it finds. */
const cases: Readonly<Record<Name, readonly [parameters: Readonly<Record<string, string>>, ...keys: readonly string[]]>> = {
  userIdOfEmail: [{ email: ' Ada@Example.ORG ' }, 'EMAIL#ada@example.org META'],
  user: [{ userId: u1.toLowerCase() }, `USER#${u1} META`],
  location: [{ locationId: l1 }, `LOCATION#${l1} META`],
  locationIdOfCode: [{ locationCode: 'nyc001' }, 'LOCATION_CODE#NYC001 META'],
  group: [{ groupId: g1 }, `GROUP#${g1} META`],
  role: [{ roleName: ' teacher ' }, 'ROLE#teacher META'],
  page: [{ pageName: 'dash' }, 'PAGE#dash META'],
  locationsOfUser: [{ userId: u1 }, `USER#${u1} LOCATION#${l1}`, `USER#${u1} LOCATION#${l2}`],
  usersOfLocation: [{ locationId: l1 }, `LOCATION#${l1} USER#${u1}`, `LOCATION#${l1} USER#${u2}`, `LOCATION#${l1} USER#${u3}`],
  usersOfLocationByType: [{ locationId: l1, userType: 'LEAD' }, `LOCATION#${l1} USER#${u1}`],
  locationOfUser: [{ userId: u1, locationId: l2 }, `USER#${u1} LOCATION#${l2}`],
  groupsOfUser: [{ userId: u1 }, `USER#${u1} GROUP#${g1}`, `USER#${u1} GROUP#${g2}`],
  groupsOfUserAtLocation: [{ userId: u1, locationId: l2 }, `USER#${u1} GROUP#${g2}`],
  groupOfUser: [{ userId: u1, groupId: g2 }, `USER#${u1} GROUP#${g2}`],
  usersOfGroup: [{ groupId: g1 }, `GROUP#${g1} USER#${u1}`, `GROUP#${g1} USER#${u2}`],
  rolesOfGroup: [{ groupId: g1 }, `GROUP#${g1} ROLE#teacher`, `GROUP#${g1} ROLE#teacher2`],
  roleOfGroup: [{ groupId: g1, roleName: 'teacher' }, `GROUP#${g1} ROLE#teacher`],
  permissionsOfRole: [{ roleName: 'teacher' }, 'ROLE#teacher PAGE#dash', 'ROLE#teacher PAGE#dashboard'],
  permission: [{ roleName: 'teacher', pageName: 'dash' }, 'ROLE#teacher PAGE#dash'],
  emailsOfUser: [{ userId: u1 }, `USER#${u1} EMAIL#ada@example.org`],
  signIn: [{ provider: 'google', subject: '1' }, 'IDENTITY#google#1 IDENTITY#google#1'],
  signInsOfUser: [{ userId: u1 }, `USER#${u1} IDENTITY#google`],
  groupsOfRole: [{ roleName: 'teacher' }, `ROLE#teacher GROUP#${g1}`, `ROLE#teacher GROUP#${g2}`],
  rolesOfPage: [{ pageName: 'dash' }, 'PAGE#dash ROLE#Teacher', 'PAGE#dash ROLE#teacher'],
  groupsOfLocation: [{ locationId: l1 }, `LOCATION#${l1} GROUP#${g1}`],
  users: [{}, `DIRECTORY#USER USER#${u1}`],
  locations: [{}, `DIRECTORY#LOCATION LOCATION#${l1}`],
  groups: [{}, `DIRECTORY#GROUP GROUP#${g1}`],
  roles: [{}, 'DIRECTORY#ROLE ROLE#Teacher', 'DIRECTORY#ROLE ROLE#teacher', 'DIRECTORY#ROLE ROLE#teacher2'],
  pages: [{}, 'DIRECTORY#PAGE PAGE#Dash', 'DIRECTORY#PAGE PAGE#dash', 'DIRECTORY#PAGE PAGE#dashboard'],
  changesOfLocation: [{ locationId: l1 }, `CHANGES#LOCATION#${l1} CHANGE#${at}#${g2}`, `CHANGES#LOCATION#${l1} CHANGE#${at}#${g1}`],
  changesOfSystem: [{}, `CHANGES#SYSTEM CHANGE#${at}#${g1}`],
  changesOfActor: [{ actor: u1 }, `CHANGES#ACTOR#${u1} CHANGE#${at}#${g2}`, `CHANGES#ACTOR#${u1} CHANGE#${at}#${g1}`],
}

/** An item as a caller sees it: without its keys. A pattern's result is compared with the literal items under the expected keys. */
function seen(keys: readonly string[]): readonly Literal[] {
  return keys.map((key) => {
    const found = items.find(({ PK, SK }) => `${PK} ${SK}` === key)
    const { PK: _, SK: __, ttl: ___, ...rest } = found ?? {}
    return rest
  })
}

type Ask = (parameters: unknown, how?: { consistent: boolean }) => Promise<Literal | Page<Literal> | undefined>

const table = await ownTable()
await restoreItems(table.runtime, items)
// Every pattern of the table is a function of its parameters.
const ask = table as unknown as Readonly<Record<Name, Ask>>

describe('each access pattern finds exactly its items among decoys', () => {
  test.each(Object.entries(cases))('%s', async (name, [parameters, ...keys]) => {
    const found = await ask[name as Name](parameters, { consistent: true })
    if (rebac.form.patterns.get(name)?.operation === 'get') expect(found).toEqual(seen(keys)[0])
    // No cursor, and nothing malformed: no decoy was even read.
    else expect(found).toEqual({ items: seen(keys) })
  })

  test('no pattern is left out', () => {
    expect(Object.keys(cases).sort()).toEqual([...rebac.form.patterns.keys()].sort())
  })

  test.each(Object.entries(cases))('%s refuses parameters that are not its own', async (name, [parameters]) => {
    const wrong = { ...parameters, tenant: 'other' }
    await expect(ask[name as Name](wrong)).rejects.toSatisfy((error) => isFreeholdError(error, 'InvalidInput'))
  })
})
