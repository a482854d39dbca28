import { describe, expect, test } from 'vitest'
import { textSet } from '../design/set-attributes.ts'
import {
  code,
  day,
  design,
  email,
  entity,
  flag,
  instant,
  list,
  number,
  oneOf,
  opaqueId,
  record,
  text,
  ulid,
  unique,
  username,
} from '../index.ts'
import { storedFrom } from '../run/stored-from.ts'
import { asStored, isIncomplete } from './understood.ts'
import { entityOf, viewItem } from './view.ts'

const Account = entity('Account', {
  attributes: { id: opaqueId(), status: oneOf('active', 'gone').made('active') },
  key: ['ACCOUNT#{id}', 'META'],
})

const License = entity('License', {
  attributes: {
    accountId: opaqueId(),
    id: opaqueId(),
    status: oneOf('active', 'expired'),
    endDate: day().optional(),
    seats: number({ integer: true }).addition('Counts seats.', 'It gives no seat.'),
    plan: text().default(({ id }) => `plan of ${String(id)}`),
    isTrial: flag().default(false),
    title: text().was('name').was('label').optional(),
  },
  key: ['ACCOUNT#{accountId}', 'LICENSE#{id}'],
  indexes: { GSI1: ['LICENSE#STATUS#{status}', '{endDate}#{id}|9999-12-31#{id}'] },
})

const User = entity('User', {
  attributes: { id: ulid(), email: email().addition('For mails.', 'No mail is sent.'), first: text(), last: text() },
  key: ['USER#{id}', 'USER#{id}'],
  schema: 2,
  upcast: {
    0: ({ name, ...rest }) => ({ ...rest, full: name }),
    1: ({ full, ...rest }) => ({ ...rest, first: String(full).split(' ')[0], last: String(full).split(' ')[1] }),
  },
})
const UserEmail = unique('UserEmail', User, ['USER_EMAIL#{email}', 'USER_EMAIL#{email}'], ['first'])
const Member = entity('Member', {
  attributes: {
    id: ulid(),
    name: username().optional(),
    roles: list(ulid()).optional(),
    tags: textSet(code()).optional(),
    home: record({ code: code(), since: day().optional() }).optional(),
    joinedAt: instant().optional(),
    note: text().optional(),
  },
  key: ['MEMBER#{id}', 'META'],
})
const Visit = entity('Visit', { attributes: { id: opaqueId(), until: instant() }, key: ['VISIT#{id}', 'META'], expires: 'until' })
const Place = entity('Place', { attributes: { id: code(), name: text() }, key: ['PLACE#{id}', 'META'] })

const shop = design({
  name: 'shop',
  table: 'shop',
  entities: { Account, License, User, UserEmail, Member, Visit, Place },
  patterns: {},
  dropped: { Badge: ['BADGE#{id}', 'META'] },
})

const licenseKeys = {
  PK: { S: 'ACCOUNT#a1' },
  SK: { S: 'LICENSE#l1' },
  GSI1PK: { S: 'LICENSE#STATUS#active' },
  GSI1SK: { S: '2099-03-15#l1' },
}
const userKey = { PK: { S: 'USER#01J8Z0E2Z8D2A3J7A7Y2H9GKQ0' }, SK: { S: 'USER#01J8Z0E2Z8D2A3J7A7Y2H9GKQ0' } }
const license = { Type: 'License', version: 0, accountId: 'a1', id: 'l1', status: 'active', plan: 'plan of l1', isTrial: false }

function seen(raw: Parameters<typeof storedFrom>[1]) {
  const item = storedFrom(shop, raw)
  const entity = entityOf(shop.form, item)
  return entity === undefined ? undefined : viewItem(entity, item)
}

describe('an item of another program is', () => {
  test.each([
    ['what its keys say', licenseKeys, { ...license, endDate: '2099-03-15' }],
    ['so with a Type of null', { ...licenseKeys, Type: { NULL: true } }, { ...license, endDate: '2099-03-15' }],
    ['without what its other key does not have', { ...licenseKeys, GSI1SK: { S: '9999-12-31#l1' } }, license],
    [
      'one that has the text of the other key',
      { ...licenseKeys, GSI1SK: { S: '9999-12-31#l1' }, endDate: { S: '9999-12-31' } },
      { ...license, endDate: '9999-12-31' },
    ],
    [
      'what stands beside its keys, too',
      { ...licenseKeys, accountId: { S: 'a1' }, seats: { N: '3' } },
      { ...license, endDate: '2099-03-15', seats: 3 },
    ],
    [
      'known by its latest former name',
      { ...licenseKeys, label: { S: 'L' }, name: { S: 'N' }, title: { S: 'T' } },
      { ...license, endDate: '2099-03-15', title: 'N' },
    ],
    [
      'whole without what it has a default for',
      { PK: { S: 'ACCOUNT#a1' }, SK: { S: 'META' } },
      { Type: 'Account', version: 0, id: 'a1', status: 'active' },
    ],
    [
      'in the form of now, from the first one',
      { ...userKey, name: { S: 'Ada Love' } },
      { Type: 'User', version: 0, id: '01J8Z0E2Z8D2A3J7A7Y2H9GKQ0', first: 'Ada', last: 'Love' },
    ],
    [
      'in the form of now, from a later one',
      { ...userKey, full: { S: 'Ada Love' }, schema: { N: '1' } },
      { Type: 'User', version: 0, id: '01J8Z0E2Z8D2A3J7A7Y2H9GKQ0', first: 'Ada', last: 'Love' },
    ],
    [
      'a guard, also without what it repeats of its owner',
      { PK: { S: 'USER_EMAIL#a@b.org' }, SK: { S: 'USER_EMAIL#a@b.org' }, id: { S: '01J8Z0E2Z8D2A3J7A7Y2H9GKQ0' } },
      { Type: 'UserEmail', version: 0, id: '01J8Z0E2Z8D2A3J7A7Y2H9GKQ0', email: 'a@b.org' },
    ],
    [
      'one whose end is in epoch seconds',
      { PK: { S: 'VISIT#v' }, SK: { S: 'META' }, until: { N: '4070908800' } },
      { Type: 'Visit', version: 0, id: 'v', until: '2099-01-01T00:00:00.000Z' },
    ],
    [
      'sound beside what nobody can read',
      { ...licenseKeys, big: { N: '92838584930183242888' }, bits: { BS: ['AQ=='] } },
      { ...license, endDate: '2099-03-15' },
    ],
    ['nothing, if its entity was dropped', { PK: { S: 'BADGE#7' }, SK: { S: 'META' } }, undefined],
    ['nothing, if its Type was dropped', { PK: { S: 'BADGE#7' }, SK: { S: 'META' }, Type: { S: 'Badge' } }, undefined],
  ])('%s', (_, raw, expected) => {
    expect(seen(raw)).toEqual(expected)
  })
})

describe('a value that another program spells otherwise is read as the design stores it', () => {
  const id = '01J8Z0E2Z8D2A3J7A7Y2H9GKQ0'
  const member = { PK: { S: `MEMBER#${id}` }, SK: { S: 'META' } }
  const lower = { S: id.toLowerCase() }

  test.each([
    ['a user name', { name: { S: ' CARL' } }, { name: 'carl' }],
    ['a ULID in a list', { roles: { L: [lower, { S: id }] } }, { roles: [id, id] }],
    ['what has no other spelling, beside one that has', { roles: { L: [{ S: 'x' }, lower] } }, { roles: ['x', id] }],
    ['a code in a set', { tags: { SS: ['b', 'A'] } }, { tags: ['A', 'B'] }],
    ['a part of a record', { home: { M: { code: { S: 'ber' } } } }, { home: { code: 'BER' } }],
    ['an instant', { joinedAt: { S: '2026-01-01T01:00:00+01:00' } }, { joinedAt: '2026-01-01T00:00:00.000Z' }],
    ['text stays as it is written', { note: { S: ' Ada' } }, { note: ' Ada' }],
  ])('%s', (_, more, read) => {
    expect(seen({ ...member, ...more })).toEqual({ Type: 'Member', version: 0, id, ...read })
  })

  test('also in an item of ours that it has changed since, and what has no spelling is malformed', () => {
    const ours = { ...member, Type: { S: 'Member' }, version: { N: '3' }, writeId: { S: 'w' }, id: { S: id } }
    expect(seen({ ...ours, joinedAt: { S: '2026-01-01T00:00:00Z' } })).toMatchObject({ version: 3, joinedAt: '2026-01-01T00:00:00.000Z' })
    expect(() => seen({ ...ours, joinedAt: { S: 'once' } })).toThrow(expect.objectContaining({ code: 'MalformedItem' }))
  })
})

describe('an item is malformed', () => {
  test.each([
    ['of no entity', { PK: { S: 'FOO#1' }, SK: { S: 'META' } }, 'its keys are those of no entity'],
    ['with a Type that nobody knows', { ...licenseKeys, Type: { S: 'license' } }, "its Type is 'license'"],
    [
      'with a Type that its keys contradict',
      { PK: { S: 'ACCOUNT#a1' }, SK: { S: 'META' }, Type: { S: 'Place' } },
      'its PK is no key of one',
    ],
    ['with an attribute that its key contradicts', { ...licenseKeys, accountId: { S: 'a2' } }, 'its PK says accountId "a1"'],
    ['with an attribute that its index key contradicts', { ...licenseKeys, status: { S: 'expired' } }, 'its GSI1PK says status "active"'],
    [
      'with an attribute that its index key says it has not',
      { ...licenseKeys, GSI1SK: { S: '9999-12-31#l1' }, endDate: { S: '2030-01-01' } },
      'says that it has no endDate',
    ],
    ['with an index key that nothing makes', { ...licenseKeys, GSI1PK: { S: 'LICENSE#active' } }, 'its GSI1PK is no key of one'],
    ['with a known attribute that nobody can read', { ...licenseKeys, seats: { N: '92838584930183242888' } }, 'seats is not a number'],
    ['with a key attribute of another type', { ...licenseKeys, GSI1SK: { N: '1' } }, 'its GSI1SK is no key of one'],
    ['without what its design needs', { PK: { S: 'PLACE#A' }, SK: { S: 'META' } }, 'name is missing'],
    ['with a version that is no number', { ...licenseKeys, version: { S: '1' } }, 'version is not a number'],
    ['that no upcast takes', { ...userKey, name: { S: 'Ada' } }, 'last is missing'],
  ])('%s', (_, raw, message) => {
    expect(() => seen(raw)).toThrow(expect.objectContaining({ code: 'MalformedItem', message: expect.stringContaining(message) }))
  })
})

test('what was read is known beside what it means', () => {
  const item = storedFrom(shop, { ...licenseKeys, big: { N: '92838584930183242888' } })
  expect(isIncomplete(item)).toBe(true)
  expect(asStored(item)).not.toHaveProperty('Type')
  expect(asStored(item)).not.toHaveProperty('accountId')
  expect(item).toMatchObject({ Type: 'License', accountId: 'a1' })
})

test('a whole item is not read twice', () => {
  const item = storedFrom(shop, {
    PK: { S: 'PLACE#A' },
    SK: { S: 'META' },
    Type: { S: 'Place' },
    version: { N: '1' },
    id: { S: 'A' },
    name: { S: 'a' },
  })
  expect(isIncomplete(item)).toBe(false)
  expect(asStored(item)).toBe(item)
})
