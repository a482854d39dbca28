import { type AnyDesign, without } from '@freehold/table'
import { prove } from '@freehold/table/prove'
import { describe, expect, test } from 'vitest'
import { accountManagement } from './design.ts'

const proof = prove(accountManagement)
const shown = ({ patterns }: typeof proof, isAddition: boolean) =>
  patterns
    .filter(({ addition }) => (addition !== undefined) === isAddition)
    .map(({ name, request, returns }) => [name, request, returns.join(' ')])

describe('the design', () => {
  test('is proven, without a finding', () => {
    expect(proof).toMatchObject({ design: 'account-management', isProven: true, findings: [] })
  })

  test('has the 31 access patterns of the documents, each one request to the key or index that they name', () => {
    const client = 'GSI1PK = CLIENT#{client_id}'
    const inTime = (kind: string) => `GSI4PK = CLIENT#{client_id} AND GSI4SK BETWEEN ${kind}#{from} AND ${kind}#{to}`
    expect(shown(proof, false)).toEqual([
      ['userByEmail', 'Query GSI3 GSI3PK = EMAIL#{email}', 'User'],
      [
        'accessOfUserAtScope',
        'Query GSI2 GSI2PK = USER#{user_id} AND GSI2SK BEGINS WITH ACCESS#{scope_type}#{scope_id}#',
        'UserRoleAssignment',
      ],
      ['entitiesOfClient', `Query GSI1 ${client}`, 'Client Project Building User Role Device Zone'],
      ['client', 'GetItem table PK = CLIENT#{id} AND SK = METADATA', 'Client'],
      ['projectsOfClient', `Query GSI1 ${client} AND GSI1SK BEGINS WITH PROJECT#`, 'Project'],
      ['buildingsOfProject', 'Query table PK = PROJECT#{project_id} AND SK BEGINS WITH BUILDING#', 'Building'],
      ['devicesOfBuilding', 'Query table PK = BUILDING#{building_id} AND SK BEGINS WITH DEVICE#', 'Device'],
      ['zonesOfBuilding', 'Query table PK = BUILDING#{building_id} AND SK BEGINS WITH ZONE#', 'Zone'],
      [
        'subscriptionsOfScope',
        'Query table PK = SCOPE#{scope_type}#{scope_id} AND SK BEGINS WITH SUBSCRIPTION#, keeping status = {status}',
        'ServiceSubscription',
      ],
      ['subscriptionsOfModule', 'Query GSI5 GSI5PK = MODULE#{module_id}', 'ServiceSubscription'],
      ['auditOfClient', `Query GSI4 ${inTime('AUDIT')}, last first`, 'AuditLog'],
      [
        'activityOfUser',
        'Query GSI4 GSI4PK = CLIENT#{client_id} AND GSI4SK BEGINS WITH AUDIT#, keeping user_id = {user_id}, last first',
        'AuditLog',
      ],
      ['rolesOfClient', 'Query table PK = CLIENT#{client_id} AND SK BEGINS WITH ROLE#', 'Role'],
      ['role', 'GetItem table PK = CLIENT#{client_id}|SYSTEM AND SK = ROLE#{id}', 'Role'],
      ['linksOfRole', 'Query table PK = ROLE#{role_id}', 'RolePermissionLink'],
      ['rolesOfUser', 'Query table PK = USER#{user_id} AND SK BEGINS WITH ROLE#', 'UserRoleAssignment'],
      ['scopesOfUser', 'Query GSI2 GSI2PK = USER#{user_id}', 'User UserRoleAssignment'],
      ['permissions', 'Query table PK = SYSTEM AND SK BEGINS WITH PERMISSION#', 'Permission'],
      ['settingsOfScope', 'Query table PK = SCOPE#{scope_type}#{scope_id} AND SK BEGINS WITH SETTING#', 'Setting'],
      ['tokensOfUser', 'Query table PK = USER#{user_id} AND SK BEGINS WITH TOKEN#', 'AuthToken'],
      ['sessionsOfUser', 'Query table PK = USER#{user_id} AND SK BEGINS WITH SESSION#, last first', 'LoginSession'],
      ['buildingsOfClient', `Query GSI1 ${client} AND GSI1SK BEGINS WITH BUILDING#`, 'Building'],
      ['usersOfClient', `Query GSI1 ${client} AND GSI1SK BEGINS WITH USER#`, 'User'],
      ['rolesOfClientInIndex', `Query GSI1 ${client} AND GSI1SK BEGINS WITH ROLE#`, 'Role'],
      ['devicesOfClient', `Query GSI1 ${client} AND GSI1SK BEGINS WITH DEVICE#`, 'Device'],
      ['zonesOfClient', `Query GSI1 ${client} AND GSI1SK BEGINS WITH ZONE#`, 'Zone'],
      ['clientByTime', `Query GSI4 ${inTime('CLIENT')}`, 'Client'],
      ['projectsByTime', `Query GSI4 ${inTime('PROJECT')}`, 'Project'],
      ['buildingsByTime', `Query GSI4 ${inTime('BUILDING')}`, 'Building'],
      ['usersByTime', `Query GSI4 ${inTime('USER')}`, 'User'],
      ['rolesByTime', `Query GSI4 ${inTime('ROLE')}`, 'Role'],
    ])
  })

  test('has additions that are reads of the table alone, which may be consistent, but for one by an index of the documents, each with its reason', () => {
    const added = proof.patterns.filter(({ addition }) => addition !== undefined)
    expect(added.map(({ name }) => name)).toEqual(Object.keys(accountManagement.patterns).slice(31))
    for (const { name, request, addition } of added) {
      expect([name, request]).toEqual([name, expect.stringMatching(/^(GetItem|Query) table /)])
      expect(addition).toMatch(/\w+ \w+/)
    }
  })

  test('has hot partitions where the documents have the whole system in one, and where all clients, internal users or system roles are listed', () => {
    const hot = proof.partitions.filter(({ heat }) => heat === 'hot')
    expect(hot.map(({ partition, entities }) => [partition, entities])).toEqual([
      ['SYSTEM', ['Role', 'Permission', 'AuditLog']],
      ['CLIENT_USERS#SYSTEM', ['ClientUser']],
      ['ROLE_PARENTS#SYSTEM', ['RoleParent']],
      ['DIRECTORY#CLIENT', ['ClientEntry']],
    ])
  })
})

describe('features that a deployer may leave out', () => {
  const names = (design: AnyDesign) => [...design.form.entities.keys(), ...design.form.patterns.keys()]
  const all = names(accountManagement)

  test.each([
    ['devices', ['Device', 'Zone', 'devicesOfBuilding', 'zonesOfBuilding', 'devicesOfClient', 'zonesOfClient']],
    ['audit', ['AuditLog', 'auditOfClient', 'activityOfUser', 'systemAudit']],
    ['tokens', ['AuthToken', 'TokenById', 'tokensOfUser', 'tokenById']],
    ['sessions', ['LoginSession', 'SessionById', 'sessionsOfUser', 'sessionById']],
    ['identities', ['SignInIdentity', 'UserSignInEdge', 'signIn', 'signInsOfUser']],
  ] as const)('%s: with all that belongs to it, and the rest is as proven', (feature, gone) => {
    const rest = without(accountManagement, feature)
    expect(all.filter((name) => !names(rest).includes(name))).toEqual(gone)
    expect(prove(rest)).toMatchObject({ isProven: true, findings: [] })
    expect(rest.form.indexes).toEqual(['GSI1', 'GSI2', 'GSI3', 'GSI4', 'GSI5'])
  })

  test('all of it, one after the other or at once', () => {
    const rest = without(without(accountManagement, 'devices', 'audit'), 'sessions', 'tokens', 'identities')
    const once = without(accountManagement, 'devices', 'audit', 'tokens', 'sessions', 'identities')
    expect(names(rest)).toEqual(names(once))
    expect(prove(rest)).toMatchObject({ isProven: true, findings: [] })
    expect(rest.features).toEqual({})
    expect([rest.form.expires, accountManagement.form.expires]).toEqual([false, true])
  })

  test('devices: a client is still read with what it has', () => {
    const entities = without(accountManagement, 'devices').form.patterns.get('entitiesOfClient')?.entities
    expect(entities?.map(({ name }) => name)).toEqual(['Client', 'Project', 'Building', 'User', 'Role'])
  })

  test('nothing else', () => {
    expect(Object.keys(accountManagement.features)).toEqual(['devices', 'audit', 'tokens', 'sessions', 'identities'])
    expect(() => without<AnyDesign['entities'], AnyDesign['patterns'], AnyDesign['features'], string>(accountManagement, 'zones')).toThrow(
      expect.objectContaining({ code: 'InvalidDesign', details: { design: 'account-management', feature: 'zones' } }),
    )
  })
})
