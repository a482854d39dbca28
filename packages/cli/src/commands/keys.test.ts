import { randomUUID } from 'node:crypto'
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountManagementModule } from '@freehold/designs/account-management'
import { openDataKeys, withNewDataKey } from '@freehold/frame/credentials'
import { connect, email, entity, instant, phone, text, unique } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { describe, expect, test, vi } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { folder, freehold } from '../../test/recorded-shell.ts'
import { dataKeysIn } from '../serving/data-key-file.ts'
import { keysOf } from './keys.ts'

const noDatabase = { env: { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' } }
const ulid = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const other = '01BX5ZZKBKACTAV9WEVGEMMVRZ'

async function keys(entity: string, attributes: object): Promise<unknown> {
  const { exit, out, err } = await freehold(['keys', 'rebac', entity, JSON.stringify(attributes), '--json'], noDatabase)
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  return JSON.parse(out)
}

describe('keys', () => {
  test.each([
    ['EmailIdentity', { email: ' Ada@Example.ORG ' }, { PK: 'EMAIL#ada@example.org', SK: 'META' }],
    ['User', { userId: ulid.toLowerCase() }, { PK: `USER#${ulid}`, SK: 'META' }],
    ['Location', { locationId: ulid }, { PK: `LOCATION#${ulid}`, SK: 'META' }],
    ['LocationCodeLookup', { locationCode: 'nyc001' }, { PK: 'LOCATION_CODE#NYC001', SK: 'META' }],
    ['UserGroupEdge', { userId: ulid, groupId: other }, { PK: `USER#${ulid}`, SK: `GROUP#${other}` }],
    ['GroupUserEdge', { userId: ulid, groupId: other }, { PK: `GROUP#${other}`, SK: `USER#${ulid}` }],
    ['RolePagePermission', { roleName: 'teacher', pageName: 'a#b' }, { PK: 'ROLE#teacher', SK: 'PAGE#a#b' }],
  ])('of %s %j are flat JSON', async (entity, attributes, expected) => {
    expect(await keys(entity, attributes)).toEqual(expected)
  })

  test('need only the attributes that they mention; others are left aside, also where they would not fit', async () => {
    expect(await keys('User', { userId: ulid, isAdmin: 'perhaps', displayName: null })).toEqual({ PK: `USER#${ulid}`, SK: 'META' })
  })

  test('are found of an item as it was read', async () => {
    expect(await keys('Role', { Type: 'Role', version: 3, roleName: 'teacher' })).toEqual({ PK: 'ROLE#teacher', SK: 'META' })
  })

  test('are two lines for a person', async () => {
    const { out } = await freehold(['keys', 'rebac', 'Role', '{"roleName":"teacher"}'], noDatabase)
    expect(out).toBe('PK  ROLE#teacher\nSK  META\n')
  })

  test('take their attributes from stdin', async () => {
    const { out } = await freehold(['keys', 'rebac', 'Role', '-', '--json'], { ...noDatabase, stdin: '{"roleName":"teacher"}\n' })
    expect(out).toBe('{"PK":"ROLE#teacher","SK":"META"}\n')
  })

  test.each([
    ['User', '{}', 'User needs userId'],
    ['User', '{"userId":null}', 'User needs userId'],
    ['User', '{"userId":7}', 'userId is not text'],
    ['User', '{"userId":"01"}', 'userId is not'],
    ['User', `{"userId":"${ulid}","nickname":"A"}`, 'nickname is not an attribute of User'],
    ['User', `{"userId":"${ulid}","__proto__":{}}`, '__proto__ is not an attribute of User'],
    ['User', `{"Type":"Role","userId":"${ulid}"}`, 'Type is not User'],
    ['Role', '{"roleName":""}', 'is empty'],
    ['SignInIdentity', '{"provider":"aol","subject":"1"}', 'provider is not one of google'],
    ['UserGroupEdge', `{"userId":"${ulid}"}`, 'needs groupId'],
  ])('of %s %s are refused', async (entity, attributes, sentence) => {
    const { exit, out, err } = await freehold(['keys', 'rebac', entity, attributes], noDatabase)
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toContain(sentence)
  })
})

describe('the keys of an entity with indexes and absent attributes', () => {
  const Person = entity('Person', {
    attributes: { id: text(), client_id: text().optional(), email: email(), created_at: instant() },
    key: ['CLIENT#{client_id}|SYSTEM', 'PERSON#{id}'],
    indexes: { GSI1: ['CLIENT#{client_id}', 'PERSON#{created_at}'], GSI2: ['EMAIL#{email}', 'PERSON'] },
  })
  const Phone = unique('Phone', entity('Owner', { attributes: { id: text(), phone: phone().optional() }, key: ['OWNER#{id}', 'META'] }), [
    'PHONE#{phone}',
    'META',
  ])

  test('leave out an index that needs one', () => {
    expect(keysOf(Person, { id: '1', client_id: 'c', email: 'A@b.org', created_at: '2026-01-02T03:04:05+01:00' })).toEqual({
      PK: 'CLIENT#c',
      SK: 'PERSON#1',
      GSI1PK: 'CLIENT#c',
      GSI1SK: 'PERSON#2026-01-02T02:04:05.000Z',
      GSI2PK: 'EMAIL#a@b.org',
      GSI2SK: 'PERSON',
    })
    expect(keysOf(Person, { id: '1', client_id: null })).toEqual({ PK: 'SYSTEM', SK: 'PERSON#1' })
  })

  test('refuse a value that would make one ambiguous', () => {
    expect(() => keysOf(Person, { id: '1', client_id: 'c', created_at: 'yesterday' })).toThrow('created_at')
    expect(() => keysOf(Person, { id: '1\u0000' })).toThrow('Person')
  })

  test('are none where a guard has nothing to guard', () => {
    expect(keysOf(Phone, { id: '1', phone: null })).toEqual({})
    expect(keysOf(Phone, { phone: '+41 44 668 18 00' })).toEqual({ PK: 'PHONE#+41446681800', SK: 'META' })
  })
})

describe('keys rotate', () => {
  const table = `rotated-${randomUUID()}`
  const rotate = (cwd: string) =>
    freehold(['keys', 'rotate', '--table', table, '--json'], {
      env: { DYNAMODB_ENDPOINT: endpoint, FREEHOLD_DATA_KEYS: 'keys.json' },
      designs: new Map([['account-management', accountManagementModule]]),
      cwd,
    })
  const of = (user: string) => ({ user, kind: 'totp' })

  test('makes the file, which its owner alone reads; then encrypts each second factor by a new key, and keeps the former', async () => {
    const cwd = folder()
    const path = join(cwd, 'keys.json')
    expect(await rotate(cwd)).toMatchObject({ exit: 0, err: '' })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    // As a server has it, which goes on meanwhile.
    const keys = await dataKeysIn(path)
    const accounts = connect(accountManagementModule.design, { table, dynamo: { endpoint } })
    await ensureTable(accounts.runtime)
    const { id: client_id } = await accounts.Client.create({ name: 'Ours' })
    const ids: string[] = []
    for (const user of [{ client_id, user_type: 'client_admin' }, { user_type: 'internal' }] as const) {
      const { id } = await accounts.User.create({ ...user, email: `${user.user_type}@ours.example`, mfa_enabled: true })
      await accounts.User.update({ id }, { mfa_secret: keys.seal(`of ${id}`, of(id)) })
      ids.push(id)
    }
    const signed = keys.sign('reset', 1)
    const former = keys.current
    const { out, exit } = await rotate(cwd)
    expect({ exit, told: JSON.parse(out) }).toEqual({ exit: 0, told: { key: expect.not.stringContaining(former), encrypted: 2 } })
    const sealed = await Promise.all(
      ids.map(async (id) => (await accounts.User.get({ id }, { secrets: ['mfa_secret'] }))?.mfa_secret ?? ''),
    )
    expect(sealed.every((each) => each.includes(JSON.parse(out).key))).toBe(true)
    expect(ids.map((id, index) => keys.open(sealed[index] ?? '', of(id)))).toEqual(ids.map((id) => `of ${id}`))
    expect([keys.current, keys.signed('reset', signed)]).toEqual([JSON.parse(out).key, 1])
    accounts.close()
  })

  test('is refused with a key that is none of KMS', async () => {
    const { exit, err } = await freehold(['keys', 'rotate', '--kms', 'alias/ours'], {
      env: { DYNAMODB_ENDPOINT: endpoint, FREEHOLD_DATA_KEYS: 'keys.json' },
      cwd: folder(),
    })
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringMatching(/is no ARN of a key of KMS/) })
  })

  test('of wrapped keys is met by a server with its next request', async () => {
    const wrapping = {
      wrap: async (key: Uint8Array, id: string) => `key#${id} ${Buffer.from(key).toString('base64')}`,
      unwrap: async (text: string, id: string) => Buffer.from(text.slice(`key#${id} `.length), 'base64'),
    }
    const first = await withNewDataKey(undefined, new Date(0), wrapping)
    const cwd = folder({ 'keys.json': first })
    const path = join(cwd, 'keys.json')
    const keys = await dataKeysIn(path, wrapping)
    const second = await withNewDataKey(first, new Date(0), wrapping)
    writeFileSync(path, second)
    utimesSync(path, 1, 1)
    const sealed = (await openDataKeys(second, wrapping)).seal('new', of('ada'))
    expect(keys.open(sealed, of('ada'))).toBeUndefined()
    await vi.waitFor(() => expect(keys.open(sealed, of('ada'))).toBe('new'))
  })

  test.each([
    [{}, /set FREEHOLD_DATA_KEYS/],
    [{ FREEHOLD_DATA_KEYS: 'other.json' }, /is not JSON/],
  ])('is refused with %j', async (env, sentence) => {
    const { exit, err } = await freehold(['keys', 'rotate'], {
      env: { DYNAMODB_ENDPOINT: endpoint, ...env },
      cwd: folder({ 'other.json': 'no' }),
    })
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringMatching(sentence) })
  })
})
