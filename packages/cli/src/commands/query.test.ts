import { rebac } from '@freehold/designs/rebac'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { folder, freehold, freshTable } from '../../test/recorded-shell.ts'

const table = freshTable()
const cwd = folder()
const names = Array.from({ length: 25 }, (_, index) => `role ${String(index).padStart(2, '0')}`)

const query = (pattern: string, parameters: object, ...flags: string[]) =>
  freehold(['query', 'rebac', pattern, JSON.stringify(parameters), '--table', table, ...flags], {
    cwd,
    env: { DYNAMODB_ENDPOINT: endpoint },
  })

interface Answer {
  readonly items: readonly { readonly roleName: string }[]
  readonly cursor?: string
}

async function page(...flags: string[]): Promise<Answer> {
  const { exit, out, err } = await query('roles', {}, '--json', ...flags)
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  return JSON.parse(out)
}

const { Role, User, runtime, close } = connect(rebac, { table, dynamo: { endpoint } })
await ensureTable(runtime)
for (const roleName of names) await Role.create({ roleName })
await User.create({ userId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', displayName: 'Ada' })
close()

describe('query', () => {
  test('prints a page; its cursor leads a later command to the next one, until the last has none', async () => {
    const first = await page('--limit', '10')
    const second = await page('--limit', '10', '--cursor', first.cursor ?? '')
    const third = await page('--limit', '10', '--cursor', second.cursor ?? '')
    expect(third).not.toHaveProperty('cursor')
    expect([first, second, third].flatMap(({ items }) => items.map(({ roleName }) => roleName))).toEqual(names)
  })

  test('prints every page with --all, as one JSON object', async () => {
    for (const limit of [[], ['--limit', '7']]) {
      const all = await page('--all', ...limit)
      expect(all.items.map(({ roleName }) => roleName)).toEqual(names)
      expect(Object.keys(all)).toEqual(['items'])
    }
  })

  test('prints a table for a person, and on stderr how to go on', async () => {
    const { out, err } = await query('roles', {}, '--limit', '2')
    expect(out).toBe('roleName  version\n────────  ───────\nrole 00   1\nrole 01   1\n')
    expect(err).toMatch(/^There may be more: continue with --cursor \S+\n$/)
    const all = await query('roles', {}, '--all')
    expect(all.err).toBe('25 items\n')
    expect(all.out.trimEnd().split('\n')).toHaveLength(27)
  })

  test('needs no parameters where its pattern has none', async () => {
    const { exit, out } = await freehold(['query', 'rebac', 'roles', '--table', table, '--limit', '1'])
    expect({ exit, out }).toEqual({ exit: 0, out: expect.stringContaining('role 00') })
  })

  test('says where there are none', async () => {
    expect(await query('groupsOfUser', { userId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })).toEqual({ exit: 0, out: '', err: 'There are none.\n' })
    const { out } = await query('groupsOfUser', { userId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, '--json')
    expect(out).toBe('{"items":[]}\n')
  })

  test('of one item prints it, or exits with 1', async () => {
    const { out } = await query('user', { userId: '01arz3ndektsv4rrffq69g5fav' }, '--json')
    expect(JSON.parse(out)).toMatchObject({ Type: 'User', displayName: 'Ada' })
    expect(await query('role', { roleName: 'none' })).toEqual({
      exit: 1,
      out: '',
      err: 'freehold: There is no Role with roleName "none". (NotFound)\n',
    })
  })

  test('reports an item that does not fit its entity, beside the others', async () => {
    const { runtime, close } = connect(rebac, { table, dynamo: { endpoint } })
    const Item = { PK: { S: 'ROLE#bad' }, SK: { S: 'PAGE#p' }, Type: { S: 'RolePagePermission' }, version: { N: '1' } }
    await runtime.sender.send('PutItem', { TableName: table, Item })
    close()
    const { exit, out } = await query('permissionsOfRole', { roleName: 'bad' }, '--json')
    expect(exit).toBe(0)
    const malformed = [{ key: { PK: 'ROLE#bad', SK: 'PAGE#p' }, reason: expect.stringContaining('is no RolePagePermission') }]
    expect(JSON.parse(out)).toEqual({ items: [], malformed })
    const all = await query('permissionsOfRole', { roleName: 'bad' }, '--json', '--all')
    expect(JSON.parse(all.out)).toEqual({ items: [], malformed })
    const person = await query('permissionsOfRole', { roleName: 'bad' })
    expect(person.err).toContain('is no RolePagePermission')
  })

  test.each([
    ['groupsOfUser', {}, [], 'userId is missing'],
    ['groupsOfUser', { userId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', colour: 'red' }, [], 'colour is not a parameter of this pattern'],
    ['roles', {}, ['--cursor', 'forged'], '(InvalidCursor)'],
    ['user', { userId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, ['--all'], 'user reads one item: leave --all out.'],
    ['user', { userId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, ['--limit', '1', '--cursor', 'c'], 'leave --limit and --cursor out.'],
  ])('%s %j %j exits with 2', async (pattern, parameters, flags, sentence) => {
    expect(await query(pattern, parameters, ...flags)).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
  })

  test('refuses a cursor of another list', async () => {
    const { cursor = '' } = await page('--limit', '1')
    expect(await query('users', {}, '--cursor', cursor)).toMatchObject({ exit: 2, err: expect.stringContaining('(InvalidCursor)') })
  })
})

describe('query --plan', () => {
  const plan = async (pattern: string, parameters: object, ...flags: string[]) => {
    const { exit, out, err } = await freehold(['query', 'rebac', pattern, JSON.stringify(parameters), '--plan', ...flags], {
      env: { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' },
      cwd,
    })
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    return JSON.parse(out)
  }
  const userId = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

  test('prints the Query that would be sent, without a database', async () => {
    expect(
      await plan('groupsOfUserAtLocation', { userId, locationId: userId.toLowerCase() }, '--json', '--table', 'mine', '--limit', '5'),
    ).toEqual({
      operation: 'Query',
      TableName: 'mine',
      KeyConditionExpression: '#p = :p AND #s BETWEEN :s0 AND :s1',
      FilterExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#p': 'PK', '#s': 'SK', '#n0': 'locationId' },
      ExpressionAttributeValues: {
        ':p': { S: `USER#${userId}` },
        ':s0': { S: 'GROUP#' },
        ':s1': { S: 'GROUP#\u{10ffff}' },
        ':v0': { S: userId },
      },
      ScanIndexForward: true,
      Limit: 100,
      ReturnConsumedCapacity: 'TOTAL',
    })
  })

  test('shows a person what no text can hold, and a program its escape', async () => {
    const printed = async (...flags: string[]) =>
      (await freehold(['query', 'rebac', 'groupsOfUser', JSON.stringify({ userId }), '--plan', ...flags], { cwd })).out
    expect(await printed()).toContain('"GROUP#\\u{10FFFF}"')
    expect(await printed('--json')).toContain('"GROUP#\\udbff\\udfff"')
  })

  test('prints the GetItem that would be sent', async () => {
    expect(await plan('roleOfGroup', { groupId: userId, roleName: 'teacher' })).toEqual({
      operation: 'GetItem',
      TableName: 'rebac',
      Key: { PK: { S: `GROUP#${userId}` }, SK: { S: 'ROLE#teacher' } },
      ConsistentRead: false,
      ReturnConsumedCapacity: 'TOTAL',
    })
  })

  test('begins where a cursor says', async () => {
    const { cursor = '' } = await page('--limit', '3')
    expect(await plan('roles', {}, '--cursor', cursor, '--table', table)).toMatchObject({
      ExclusiveStartKey: { PK: { S: 'DIRECTORY#ROLE' }, SK: { S: 'ROLE#role 02' } },
    })
  })
})
