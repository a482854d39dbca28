import {
  type ConnectOptions,
  count,
  design,
  edge,
  email,
  entity,
  flag,
  instant,
  list,
  map,
  mirror,
  number,
  text,
  ulid,
  unique,
} from '@freehold/table'
import { numberSet, textSet } from '@freehold/table/atomic'
import { beforeEach, describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { itemsOfCells } from '../../../frame/src/exchange/cells.ts'
import { type ExportedItem, exportItems, inImportOrder } from '../../../frame/src/exchange/export-items.ts'
import { importItems } from '../../../frame/src/exchange/import-items.ts'
import { readCsv } from '../../../frame/src/exchange/read-csv.ts'
import type { SourceRow } from '../../../frame/src/exchange/source-row.ts'
import { accountManagement } from '../../src/account-management/design.ts'
import { joinGroup } from '../../src/rebac/flows/membership.ts'
import { signIn } from '../../src/rebac/flows/sign-in.ts'
import type { RebacTable } from '../../src/rebac/rebac-table.ts'
import { ownTable, ownTableOf } from '../own-table.ts'
import { wholeTable } from '../whole-table.ts'

const consistent = { consistent: true }
const [userId, locationId, groupId] = ['01ARZ3NDEKTSV4RRFFQ69G5FA1', '01ARZ3NDEKTSV4RRFFQ69G5FA2', '01ARZ3NDEKTSV4RRFFQ69G5FA3']

async function* rowsOf(items: Iterable<Readonly<Record<string, unknown>>>): AsyncGenerator<SourceRow> {
  let line = 0
  for (const values of items) yield { line: ++line, values }
}
async function exported(table: Pick<RebacTable, 'runtime'>, options?: Parameters<typeof exportItems>[1]): Promise<ExportedItem[]> {
  const items: ExportedItem[] = []
  for await (const item of exportItems(table.runtime, options)) items.push(item)
  return items
}
const user = { Type: 'User', userId, displayName: 'Ada' }
const location = { Type: 'Location', locationId, locationCode: 'BER001', name: 'Berlin' }
const group = { Type: 'UserGroup', groupId, locationId, name: 'one' }

let table: RebacTable
beforeEach(async () => {
  table = await ownTable()
})
const imported = (...items: Readonly<Record<string, unknown>>[]) => importItems(table.runtime, rowsOf(items))

describe('a row that refers to one that failed', () => {
  const uuid = (digit: number) => `${digit}`.repeat(8).concat('-0000-4000-8000-000000000000')
  const client = { Type: 'Client', id: uuid(1), name: 'Acme' }
  const other = { Type: 'Client', id: uuid(2), name: 'Other' }
  const ada = { Type: 'User', id: uuid(5), client_id: uuid(1), email: 'ada@example.org', user_type: 'client_admin' }
  const role = { Type: 'Role', id: uuid(4), client_id: uuid(1), name: 'guest', permissions: [] }
  const owner = { ...role, permissions: [{ module: '*', action: '*', resource: '*' }] }
  const project = { Type: 'Project', id: uuid(3), client_id: uuid(1), name: 'Harbour' }
  const grant = { Type: 'UserRoleAssignment', id: uuid(6), user_id: uuid(5), role_id: uuid(4), role_owner: uuid(1) }
  const atClient = { ...grant, scope_type: 'client', scope_id: uuid(1) }
  const atProject = { ...grant, scope_type: 'project', scope_id: uuid(3) }
  const system = { ...owner, client_id: undefined, name: 'root', is_system: true }
  const ofSystem = { ...atClient, role_owner: 'SYSTEM' }
  const fillers = Array.from({ length: 1000 }, (_, index) => ({ ...client, id: uuid(8).slice(0, -4) + String(1000 + index) }))
  type Rows = readonly Readonly<Record<string, unknown>>[]

  test.each<[string, { there: Rows; rows: Rows; line: number; of: string }]>([
    ['a clash', { there: [client, ada, owner], rows: [role, atClient], line: 1, of: 'Role' }],
    ['a clash that comes after it', { there: [client, ada, owner], rows: [atClient, role], line: 2, of: 'Role' }],
    ['a clash a thousand rows before it', { there: [client, ada, owner], rows: [role, ...fillers, atClient], line: 1, of: 'Role' }],
    ['what is no such item', { there: [client, ada, owner], rows: [{ ...role, colour: 'red' }, atClient], line: 1, of: 'Role' }],
    [
      'a clash of what is of no client',
      { there: [client, ada, system], rows: [{ ...system, name: 'guest' }, ofSystem], line: 1, of: 'Role' },
    ],
    [
      "another client's place of the same id",
      { there: [other, client, ada, role, { ...project, client_id: uuid(2) }], rows: [project, atProject], line: 1, of: 'Project' },
    ],
    [
      'a row that refers to a third that failed',
      { there: [client, ada, role], rows: [{ ...client, name: 'Else' }, project, atProject], line: 2, of: 'Project' },
    ],
  ])('fails, too, and gives nothing: %s', async (_, { there, rows, line, of }) => {
    const accounts = await ownTableOf(accountManagement)
    expect(await importItems(accounts.runtime, rowsOf(there))).toMatchObject({ written: there.length, failed: 0 })
    const { failures } = await importItems(accounts.runtime, rowsOf(rows))
    const assigned = rows.findIndex(({ Type }) => Type === 'UserRoleAssignment') + 1
    const { error } = failures.find((failed) => failed.line === assigned) ?? {}
    expect(error).toMatchObject({
      code: 'MissingEnd',
      message: expect.stringContaining(`refers to the ${of} of line ${line}, which was not written.`),
    })
    expect(failures.map((failed) => failed.line)).toContain(line)
    expect((await accounts.rolesOfUser({ user_id: uuid(5) }, consistent)).items).toEqual([])
  })

  test('is written when its item is there as the file says', async () => {
    const accounts = await ownTableOf(accountManagement)
    await importItems(accounts.runtime, rowsOf([client, ada, role, project]))
    expect(await importItems(accounts.runtime, rowsOf([client, role, project, atProject]))).toMatchObject({ written: 1, unchanged: 3 })
  })
})

describe('an import', () => {
  test('creates items with all that is derived from them, and changes nothing when it is run again', async () => {
    const rows = [user, location, group, { Type: 'UserLocationEdge', userId, locationId }, { Type: 'GroupUserEdge', userId, groupId }]
    expect(await imported(...rows)).toMatchObject({ rows: 5, written: 5, failed: 0 })
    expect(await table.locationIdOfCode({ locationCode: 'ber001' }, consistent)).toMatchObject({ locationId })
    expect(await table.UserGroupEdge.get({ userId, groupId }, consistent)).toMatchObject({ groupName: 'one', locationId })
    const before = await wholeTable(table)
    expect(await imported(...rows)).toMatchObject({ rows: 5, written: 0, unchanged: 5, failed: 0 })
    expect(await wholeTable(table)).toEqual(before)
  })

  test('keeps stamps that it is given, and takes neither versions nor copies over', async () => {
    const createdAt = '2020-02-02T02:02:02.000Z'
    const edge = { Type: 'UserLocationEdge', userId, locationId, joinedAt: '2020-02-03T00:00:00+01:00', locationName: 'a lie', version: 7 }
    await imported({ ...user, createdAt, version: 9 }, location, edge)
    expect(await table.user({ userId }, consistent)).toMatchObject({ createdAt, version: 1 })
    expect(await table.UserLocationEdge.get({ userId, locationId }, consistent)).toMatchObject({
      joinedAt: '2020-02-02T23:00:00.000Z',
      locationName: 'Berlin',
      version: 1,
    })
  })

  test('reports each row that fails with its line, and carries on', async () => {
    await imported(user)
    const report = await imported(
      { ...user, displayName: 'Eve' },
      { Type: 'Nobody' },
      { displayName: 'nameless' },
      { ...location, colour: 'red' },
      { Type: 'User', displayName: 'without an id' },
      { Type: 'Role', roleName: '' },
      location,
      { ...location, locationId: groupId },
      { Type: 'UserGroupEdge', userId, groupId },
    )
    expect(report.failures.map(({ line, error }) => [line, error.code])).toEqual([
      [1, 'AlreadyExists'],
      [2, 'UnknownName'],
      [3, 'InvalidInput'],
      [4, 'InvalidInput'],
      [5, 'InvalidInput'],
      [6, 'InvalidKey'],
      [8, 'AlreadyExists'],
      [9, 'MissingEnd'],
    ])
    expect(report).toMatchObject({ rows: 9, written: 1, failed: 8 })
    expect(await table.user({ userId }, consistent)).toMatchObject({ displayName: 'Ada', version: 1 })
  })

  test('skips guards and mirrors, and takes either item of an edge, or both', async () => {
    const report = await imported(
      user,
      location,
      { Type: 'LocationCodeLookup', locationCode: 'BER001', locationId },
      { Type: 'UserEntry', userId, displayName: 'Ada' },
      { Type: 'LocationUserEdge', userId, locationId },
      { Type: 'UserLocationEdge', userId, locationId },
    )
    expect(report).toMatchObject({ written: 4, skipped: 2, failed: 0 })
    expect((await table.locationsOfUser({ userId }, consistent)).items).toHaveLength(1)
  })

  test('finds ends that come later in the file, however far down the chain', async () => {
    const rows = [{ Type: 'UserGroupEdge', userId, groupId }, { Type: 'UserLocationEdge', userId, locationId }, group, location, user]
    expect(await imported(...rows)).toMatchObject({ written: 5, failed: 0 })
    const pages = Array.from({ length: 2500 }, (_, index) => ({
      Type: 'RolePagePermission',
      roleName: 'late',
      pageName: `p${index}`,
      permission: 'ALLOW',
    }))
    const late = await imported(...pages, ...pages.map(({ pageName }) => ({ Type: 'Page', pageName })), { Type: 'Role', roleName: 'late' })
    expect(late).toMatchObject({ written: 5001, failed: 0 })
  })

  test('finds an item without its id by its guards, so that it is not made twice', async () => {
    const { locationId: _, ...nameless } = location
    expect(await imported(nameless)).toMatchObject({ written: 1 })
    expect(await imported(nameless)).toMatchObject({ written: 0, unchanged: 1 })
    expect((await imported({ ...nameless, name: 'Another' })).failures).toMatchObject([{ error: { code: 'AlreadyExists' } }])
    expect((await table.locations({}, consistent)).items).toHaveLength(1)
  })

  test('does not revive what is being deleted', async () => {
    await imported({ Type: 'Role', roleName: 'going' })
    await table.Role.remove({ roleName: 'going' }, { wait: false })
    expect((await imported({ Type: 'Role', roleName: 'going' })).failures).toMatchObject([{ error: { code: 'BeingDeleted' } }])
  })

  test('goes on while the table is throttled, waiting between attempts, and gives up in the end', async () => {
    let throttled = 5
    const waits: number[] = []
    const sender = senderAfter((operation) => {
      if (operation === 'TransactWriteItems' && throttled-- > 0)
        throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' })
    })
    const sleep = async (ms: number) => {
      waits.push(ms)
    }
    const busy = await ownTable({ table: table.runtime.table, sender, sleep, patience_ms: 0, random: () => 0.5 })
    expect(await importItems(busy.runtime, rowsOf([user]))).toMatchObject({ written: 1, failed: 0 })
    expect(waits).toEqual([1000, 2000, 3000, 4000, 5000])
    throttled = 100
    await expect(importItems(busy.runtime, rowsOf([location]))).rejects.toMatchObject({ code: 'Busy' })
  })

  test('takes no more of a file into memory than it works on', async () => {
    let pulled = 0
    let ahead_max = 0
    // Node's streams hold up to 64 KiB each, of these lines some 600.
    async function* file() {
      for (let piece = 0; piece < 60; piece++) {
        let lines = piece === 0 ? 'Type,pageName\n' : ''
        for (let index = 0; index < 100; index++) lines += `Page,p${pulled++}${'-'.repeat(90)}\n`
        yield lines
      }
    }
    const onProgress = ({ rows }: { rows: number }) => {
      ahead_max = Math.max(ahead_max, pulled - rows)
    }
    await importItems(table.runtime, itemsOfCells(table.design, readCsv(file())), { onProgress })
    expect(pulled).toBe(6000)
    expect(ahead_max).toBeLessThan(2500)
  })

  test('reads CSV by the kinds of its attributes', async () => {
    async function* csv() {
      yield `Type,userId,displayName,isAdmin,roleName,description\nUser,${userId},"Lovelace, Ada",TRUE,,\nRole,,,,true,"{""a"":1}"\nUser,${groupId},Bo,maybe,,\n`
    }
    const report = await importItems(table.runtime, itemsOfCells(table.design, readCsv(csv())))
    expect(await table.user({ userId }, consistent)).toMatchObject({ displayName: 'Lovelace, Ada', isAdmin: true })
    expect(await table.role({ roleName: 'true' }, consistent)).toMatchObject({ description: '{"a":1}' })
    expect(report.failures.map(({ line, error }) => [line, error.message])).toEqual([[4, 'User: isAdmin is not true or false.']])
  })
})

describe('an export', () => {
  test('is in an order in which it can be imported', () => {
    expect(inImportOrder(table.design).map((entities) => entities.map(({ name }) => name))).toEqual([
      ['User', 'Location', 'Role', 'Page', 'Change'],
      ['EmailIdentity', 'UserGroup', 'UserLocationEdge', 'RolePagePermission', 'SignInIdentity'],
      ['UserGroupEdge', 'GroupRole'],
    ])
  })

  test('imported into an empty table gives the same items, but for their versions', async () => {
    await imported(user, location, group, { Type: 'Role', roleName: 'r' }, { Type: 'Page', pageName: 'p', description: 'a page' })
    const ada = await signIn(table, { provider: 'google', subject: 'g#1', email: 'ada@example.org', isEmailVerified: true })
    await joinGroup(table, { userId: ada.user.userId, groupId })
    await table.GroupRole.create({ groupId, roleName: 'r' })
    await table.RolePagePermission.create({ roleName: 'r', pageName: 'p', permission: 'DENY' })
    await table.Location.update({ locationId }, { address: 'Unter den Linden 1' })
    const items = await exported(table)
    expect(items.map(({ Type }) => Type)).toHaveLength(12)
    const copy = await ownTable()
    expect(await importItems(copy.runtime, rowsOf(items))).toMatchObject({ written: 12, failed: 0, skipped: 0 })
    const unversioned = async (of: RebacTable) =>
      (await wholeTable(of)).map(({ version: _, ...item }) => item).sort((a, b) => (`${a.PK} ${a.SK}` < `${b.PK} ${b.SK}` ? -1 : 1))
    expect(await unversioned(copy)).toEqual(await unversioned(table))
    expect(await exported(copy)).toEqual(expect.arrayContaining(items))
  })

  test('leaves out what is being deleted, jobs and all that is derived', async () => {
    await imported(user, location, { Type: 'UserLocationEdge', userId, locationId })
    await table.Location.remove({ locationId }, { wait: false })
    expect((await exported(table)).map(({ Type }) => Type)).toEqual(['User', 'UserLocationEdge'])
  })

  test('reports an item that is none of the design, or does not fit it', async () => {
    await table.runtime.sender.send('PutItem', {
      TableName: table.runtime.table,
      Item: { PK: { S: 'X' }, SK: { S: 'Y' }, Type: { S: 'Alien' } },
    })
    await table.runtime.sender.send('PutItem', {
      TableName: table.runtime.table,
      Item: { PK: { S: 'ROLE#r' }, SK: { S: 'META' }, Type: { S: 'Role' }, createdAt: { S: 'once' } },
    })
    await imported(user)
    await expect(exported(table)).rejects.toMatchObject({ code: 'MalformedItem' })
    const reported: string[] = []
    expect(await exported(table, { onMalformed: ({ key }) => reported.push(key.PK) })).toMatchObject([user])
    expect(reported.sort()).toEqual(['ROLE#r', 'X'])
  })
})

describe('of another design', () => {
  const Person = entity('Person', {
    attributes: {
      id: ulid().made(),
      mail: email(),
      nick: text().optional(),
      score: number(),
      logins: count().made(0),
      active: flag(),
      tags: list(text()),
      names: textSet(),
      ranks: numberSet().optional(),
      extra: map().optional(),
      token: text().secret().optional(),
      endsAt: instant().optional(),
    },
    key: ['PERSON#{id}', 'META'],
    indexes: { GSI1: ['NICKS', '{nick}'] },
    expires: 'endsAt',
  })
  const PersonMail = unique('PersonMail', Person, ['MAIL#{mail}', 'META'])
  const PersonEntry = mirror('PersonEntry', Person, ['PEOPLE', '{id}'], ['nick'])
  const { TeamsOfPerson, PeopleOfTeam } = edge({
    ends: { id: Person },
    attributes: { id: ulid(), team: text(), titles: textSet() },
    items: { TeamsOfPerson: ['PERSON#{id}', 'TEAM#{team}'], PeopleOfTeam: ['TEAM#{team}', 'PERSON#{id}'] },
  })
  const entities = { Person, PersonMail, PersonEntry, TeamsOfPerson, PeopleOfTeam }
  const people = design({ name: 'people', table: 'people', entities, patterns: {} })
  const ownPeople = (options: ConnectOptions = {}) => ownTableOf(people, options)
  async function* csv() {
    yield 'Type,id,mail,nick,score,logins,active,tags,names,extra,token,endsAt\n'
    yield `Person,${userId},a@example.org,ann,-1.5e3,12,true,"[""x"",""y""]","[""n""]","{""deep"":[1,null]}",hush,\n`
    yield `Person,${groupId},b@example.org,,0,,false,[],[],{},,2001-01-01T00:00:00Z\n`
    yield `Person,${locationId},c@example.org,,1,1.5,true,[],[],{},,\n`
  }

  test('cells become numbers, flags, lists and maps; secrets stay in the table unless asked for; what is over is left out', async () => {
    const own = await ownPeople()
    const report = await importItems(own.runtime, itemsOfCells(people, readCsv(csv())))
    expect(report.failures.map(({ line }) => line)).toEqual([4])
    expect(await own.Person.get({ id: userId }, consistent)).toMatchObject({
      score: -1500,
      logins: 12,
      active: true,
      tags: ['x', 'y'],
      names: ['n'],
      extra: { deep: [1, null] },
    })
    const [open, ...others] = await exported(own)
    expect(others).toEqual([])
    expect(open).toMatchObject({ Type: 'Person', mail: 'a@example.org' })
    expect(open).not.toHaveProperty('token')
    expect(await exported(own, { withSecrets: true })).toMatchObject([{ token: 'hush' }])
  })

  test.each([
    ['sets', { names: ['b', 'a', 'b'], ranks: [2, 1] }],
    ['empty sets', { names: [], ranks: [] }],
    ['null for what is optional', { names: ['a'], ranks: null, nick: null, extra: null }],
    ['an instant with an offset', { names: [], endsAt: '2999-01-01T01:00:00+01:00' }],
    ['a number in another form', { names: [], score: -0 }],
  ])('an item with %s is unchanged when it is imported again, and an edge that was left is written', async (_, more) => {
    const own = await ownPeople()
    const person = { Type: 'Person', id: userId, mail: 'A@example.org', score: 1, active: true, tags: ['y', 'x'], ...more }
    const ofTeam = { Type: 'TeamsOfPerson', id: userId, team: 'one', titles: ['z', 'y'] }
    const again = (...rows: object[]) => importItems(own.runtime, rowsOf(rows.map((row) => ({ ...row }))))
    expect(await again(person)).toMatchObject({ written: 1, failed: 0 })
    // The first import was interrupted here.
    expect(await again(person, ofTeam)).toMatchObject({ unchanged: 1, written: 1, failed: 0, failures: [] })
    expect(await again(person, ofTeam, ...(await exported(own, { withSecrets: true })))).toMatchObject({ unchanged: 4, failures: [] })
    const { failures } = await again({ ...person, names: ['other'] })
    expect(failures).toMatchObject([{ error: { code: 'AlreadyExists', details: { different: ['names'] } } }])
  })
})
