import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { directSender, noWait } from '../../test/depot/table.ts'
import { add, exists, not } from '../atomic.ts'
import type { Item } from '../dynamo/attribute-value.ts'
import type { Sender } from '../dynamo/sender.ts'
import {
  atLeast,
  beginsWith,
  checking,
  connect,
  count,
  creating,
  day,
  design,
  entity,
  mirror,
  number,
  oneOf,
  opaqueId,
  query,
  queryOn,
  text,
  unique,
  username,
} from '../index.ts'
import { adoptJob } from './adopt/adopt-table.ts'
import { ensureTable } from './ensure-table.ts'

// Items as another program writes them by the same document, and as a former version of this one did: no Type, no version, nothing beside the keys.

const why = { why: 'the document trusts its index' }
const Account = entity('Account', {
  attributes: {
    id: opaqueId(),
    status: oneOf('active', 'gone').default('active'),
    name: text().addition('People read it.', 'It has no name.'),
  },
  key: ['ACCOUNT#{id}', 'META'],
})
const AccountName = unique('AccountName', Account, ['ACCOUNT_NAME#{name}', 'META'], [], why)
const License = entity('License', {
  attributes: {
    accountId: opaqueId(),
    id: opaqueId(),
    status: oneOf('active', 'expired'),
    endDate: day().optional(),
    used: count().default(5),
    rank: number({ integer: true }).was('level').optional(),
    holder: username().optional(),
  },
  key: ['ACCOUNT#{accountId}', 'LICENSE#{id}'],
  indexes: { GSI1: ['LICENSE#{status}', '{endDate}#{id}|9999-12-31#{id}'] },
  refers: { accountId: { to: Account, by: { id: 'accountId' } } },
})
const LicenseById = mirror('LicenseById', License, ['LICENSE#{id}', 'META'], [], why)
const Note = entity('Note', {
  attributes: { id: opaqueId(), first: text(), last: text() },
  key: ['NOTE#{id}', 'META'],
  schema: 1,
  upcast: { 0: ({ name, ...rest }) => ({ ...rest, first: String(name).split(' ')[0], last: String(name).split(' ')[1] }) },
})
const shop = design({
  name: 'shop',
  table: 'shop',
  entities: { Account, AccountName, License, LicenseById, Note },
  patterns: {
    licensesOf: query('ACCOUNT#{accountId}', beginsWith('LICENSE#')).returns(License),
    licensesOfStatus: query('ACCOUNT#{accountId}', beginsWith('LICENSE#')).where('status').returns(License),
    licensesBy: queryOn('GSI1', 'LICENSE#{status}').returns(License),
  },
  dropped: { Old: ['ACCOUNT#{accountId}', 'OLD#{id}'] },
})

/** Another process: it knows nothing of the table. */
const stranger = (): Sender => ({
  send: (operation, input, options) => directSender().send(operation, input, options),
  close: () => undefined,
})

async function opened() {
  const name = `shop-${randomUUID()}`
  await ensureTable(connect(shop, { table: name, sender: stranger() }).runtime)
  return connect(shop, { table: name, sender: stranger(), sleep: noWait })
}

let table: Awaited<ReturnType<typeof opened>>
const put = (item: Item) => directSender().send('PutItem', { TableName: table.runtime.table, Item: item })
const raw = async (PK: string, SK = 'META') =>
  (await directSender().send('GetItem', { TableName: table.runtime.table, Key: { PK: { S: PK }, SK: { S: SK } }, ConsistentRead: true }))
    .Item

const account: Item = { PK: { S: 'ACCOUNT#a' }, SK: { S: 'META' } }
const license: Item = {
  PK: { S: 'ACCOUNT#a' },
  SK: { S: 'LICENSE#l' },
  GSI1PK: { S: 'LICENSE#active' },
  GSI1SK: { S: '2099-03-15#l' },
  level: { N: '7' },
  holder: { S: 'CARL' },
  foreign: { N: '92838584930183242888' },
  bits: { BS: ['AQ==', 'Ag=='] },
}
const id = { accountId: 'a', id: 'l' }

beforeEach(async () => {
  table = await opened()
  await put(account)
  await put(license)
})

describe('an item of another program', () => {
  const whole = {
    Type: 'License',
    version: 0,
    accountId: 'a',
    id: 'l',
    status: 'active',
    endDate: '2099-03-15',
    used: 5,
    rank: 7,
    holder: 'carl',
  }

  test('is read by its key, in lists, and by what it means', async () => {
    await put({ PK: { S: 'ACCOUNT#a' }, SK: { S: 'OLD#1' } })
    expect(await table.License.get(id)).toEqual(whole)
    expect(await table.licensesOf({ accountId: 'a' })).toEqual({ items: [whole] })
    expect(await table.licensesBy({ status: 'active' })).toEqual({ items: [whole] })
    expect((await table.licensesOfStatus({ accountId: 'a', status: 'active' })).items).toEqual([whole])
    expect((await table.licensesOfStatus({ accountId: 'a', status: 'expired' })).items).toEqual([])
  })

  test.each([
    [{ used: 5 }, 1],
    [{ used: 6 }, 0],
    [{ used: not(5) }, 0],
    [{ used: exists() }, 1],
    [{ rank: atLeast(7) }, 1],
    [{ rank: not(7) }, 0],
    [{ status: 'active' }, 1],
    [{ status: not('active') }, 0],
    [{ endDate: null }, 0],
    [{ holder: 'carl' }, 1],
    [{ holder: not('carl') }, 0],
  ] as const)('is asked %j of as what it means', async (where, found) => {
    const { items } = await table.licensesOf({ accountId: 'a' }, { where })
    expect(items).toHaveLength(found)
  })

  test('is completed by an update, and what nobody knows in it stays', async () => {
    await table.License.update(id, { status: 'expired' })
    expect(await raw('ACCOUNT#a', 'LICENSE#l')).toMatchObject({
      ...license,
      holder: { S: 'carl' },
      Type: { S: 'License' },
      version: { N: '1' },
      status: { S: 'expired' },
      used: { N: '5' },
      rank: { N: '7' },
      GSI1PK: { S: 'LICENSE#expired' },
    })
    expect(await raw('LICENSE#l')).toMatchObject({ Type: { S: 'LicenseById' }, accountId: { S: 'a' } })
  })

  test('moves with what nobody knows in it', async () => {
    await put({ ...account, PK: { S: 'ACCOUNT#b' } })
    await table.License.move(id, { accountId: 'b' })
    expect(await raw('ACCOUNT#b', 'LICENSE#l')).toMatchObject({ foreign: license.foreign, bits: license.bits })
  })

  test('takes an atomic change of what it means', async () => {
    expect(await table.License.update(id, { used: add(1), rank: add(1) }, { where: { status: 'active' } })).toMatchObject({
      used: 6,
      rank: 8,
    })
    expect(await raw('ACCOUNT#a', 'LICENSE#l')).toMatchObject({ level: { N: '8' }, foreign: license.foreign })
    await expect(table.License.update(id, { used: add(1) }, { where: { status: 'expired' } })).rejects.toMatchObject({
      code: 'CheckFailed',
    })
  })

  test('is checked by what it means', async () => {
    const check = (where: { readonly status?: 'active' | 'gone' }) => table.transact({ a: checking(Account, { id: 'a' }, { where }) })
    await check({ status: 'active' })
    await expect(check({ status: 'gone' })).rejects.toMatchObject({ code: 'TransactionFailed' })
  })

  test('that another writer changes meanwhile loses nothing', async () => {
    let isFirst = true
    const sender: Sender = {
      ...stranger(),
      send: async (operation, input, options) => {
        if (isFirst && operation !== 'GetItem') {
          isFirst = false
          await put({ ...license, level: { N: '9' } })
        }
        return directSender().send(operation, input, options)
      },
    }
    const other = connect(shop, { table: table.runtime.table, sender, sleep: noWait })
    await other.License.update(id, { status: 'expired' })
    expect(await table.License.get(id)).toMatchObject({ status: 'expired', rank: 9 })
  })

  test('is refused if it contradicts itself, and the rest of its page stands', async () => {
    await put({ ...license, SK: { S: 'LICENSE#m' } })
    const { items, malformed } = await table.licensesOf({ accountId: 'a' })
    expect(items).toHaveLength(1)
    expect(malformed).toMatchObject([{ key: { PK: 'ACCOUNT#a', SK: 'LICENSE#m' } }])
    await expect(table.License.update({ accountId: 'a', id: 'm' }, { status: 'expired' })).rejects.toMatchObject({ code: 'MalformedItem' })
  })
})

test('an item of a former schema is read, changed and stamped', async () => {
  await put({ PK: { S: 'NOTE#n' }, SK: { S: 'META' }, Type: { S: 'Note' }, version: { N: '3' }, id: { S: 'n' }, name: { S: 'Ada Love' } })
  expect(await table.Note.get({ id: 'n' })).toMatchObject({ first: 'Ada', last: 'Love', version: 3 })
  await table.Note.update({ id: 'n' }, { last: 'Lovelace' })
  expect(await raw('NOTE#n')).toMatchObject({ first: { S: 'Ada' }, last: { S: 'Lovelace' }, schema: { N: '1' }, version: { N: '4' } })
})

test('a former name counts while an item has it, and each write gives both one value', async () => {
  await table.Account.create({ id: 'c', name: 'C' }).catch(() => undefined)
  await table.License.update(id, { rank: 8 })
  expect(await raw('ACCOUNT#a', 'LICENSE#l')).toMatchObject({ level: { N: '8' }, rank: { N: '8' } })
  await put({ ...((await raw('ACCOUNT#a', 'LICENSE#l')) ?? {}), level: { N: '9' } })
  expect(await table.License.get(id)).toMatchObject({ rank: 9 })
  expect((await table.licensesOf({ accountId: 'a' }, { where: { rank: 9 } })).items).toHaveLength(1)
  expect(await table.License.update(id, { rank: add(1) })).toMatchObject({ rank: 10 })
})

describe('a table that another program fills', () => {
  const refused = expect.objectContaining({ code: 'NotAdopted', details: expect.objectContaining({ command: 'freehold adopt shop' }) })

  test('promises nothing by guards that it lacks, until it is adopted', async () => {
    await expect(table.Account.create({ id: 'b', name: 'B' })).rejects.toEqual(refused)
    await table.jobs.start(adoptJob, { subject: 'shop', input: null })
    await table.Account.create({ id: 'b', name: 'B' })
    // Also for another process, though the other program goes on.
    await put({ ...account, PK: { S: 'ACCOUNT#z' } })
    const other = connect(shop, { table: table.runtime.table, sender: stranger() })
    await other.Account.create({ id: 'd', name: 'D' })
  })

  test('is known by the items that were read, where the program may not scan', async () => {
    const reaching = stranger()
    const send: Sender['send'] = (operation, input, how) =>
      operation === 'Scan'
        ? Promise.reject(Object.assign(new Error('no'), { name: 'AccessDeniedException' }))
        : reaching.send(operation, input, how)
    const other = connect({ ...shop, form: { ...shop.form } }, { table: table.runtime.table, sender: { ...reaching, send } })
    await other.Account.create({ id: 'e', name: 'E' })
    await other.Account.get({ id: 'a' })
    await expect(other.Account.create({ id: 'f', name: 'F' })).rejects.toEqual(refused)
  })

  test('is changed where nothing rests on what it lacks', async () => {
    await table.License.create({ accountId: 'a', id: 'n', status: 'active' })
    await table.Account.update({ id: 'a' }, { status: 'gone' })
    expect(await raw('ACCOUNT#a')).toMatchObject({ Type: { S: 'Account' }, version: { N: '1' }, status: { S: 'gone' } })
  })

  test.each<[string, readonly Item[]]>([
    ['it is empty, or only this program wrote to it', []],
    ['others put items there that are of no entity', [{ PK: { S: 'FLAGS' }, SK: { S: 'x' } }]],
    ['an operator put an item in the place of a job', [{ PK: { S: 'FREEHOLD_JOBS' }, SK: { S: 'JOB#x' } }]],
    ['items of an entity are left that the design had', [{ PK: { S: 'ACCOUNT#a' }, SK: { S: 'OLD#1' } }]],
  ])('is adopted from the start if %s', async (_, items) => {
    table = await opened()
    for (const item of items) await put(item)
    await table.transact({ a: creating(Account, { id: 'a', name: 'A' }) })
    const other = connect(shop, { table: table.runtime.table, sender: stranger() })
    await other.Account.create({ id: 'b', name: 'B' })
  })
})
