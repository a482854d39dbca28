import { expect, test } from 'vitest'
import { day, instant, list, oneOf, opaqueId, stamp, text, ulid, uuid } from '../../design/attributes.ts'
import { madeWords } from './made-words.ts'

const days = (from: Date, count: number) => new Date(from.getTime() + count * 86_400_000).toISOString()

test.each([
  ['a stamp', stamp.onCreate(), 'now'],
  ['a stamp of every write', stamp.onWrite(), 'now, at each write'],
  ['today', day().made(), 'today'],
  ['a ULID', ulid().made(), 'a new ULID'],
  ['a UUID', uuid().made(), 'a new UUID'],
  ['an opaque id', opaqueId().made(), 'a new UUID'],
  ['text', text().made('UTC'), '`UTC`'],
  ['a value of an enumeration', oneOf('a', 'b').made('b'), '`b`'],
  ['an empty list', list(text()).made(() => []), '`[]`'],
  ['an instant to come', instant().made(({ now }) => days(now, 365)), '365 days after now'],
  ['a day to come', day().made(({ now }) => days(now, 30).slice(0, 10)), '30 days after today'],
  ['an instant gone', instant().made(({ now }) => days(now, -1)), '1 day before now'],
  ['something of the time', instant().made(({ now }) => `${now.getUTCFullYear()}-12-31T23:59:59.999Z`), 'from the time'],
])('%s is made as the page says', (_, attribute, words) => {
  expect(madeWords(attribute)).toBe(words)
})

test('nothing makes what is given', () => {
  expect(madeWords(text())).toBeUndefined()
})
