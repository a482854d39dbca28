import { expect, test } from 'vitest'
import {
  code,
  count,
  day,
  email,
  flag,
  instant,
  list,
  map,
  number,
  oneOf,
  opaqueId,
  phone,
  record,
  text,
  ulid,
  username,
  uuid,
  verbatim,
} from '../../design/attributes.ts'
import { numberSet, textSet } from '../../design/set-attributes.ts'
import { kindMeanings, kindWords } from './kind-words.ts'

const kinds = {
  text: text(),
  verbatim: verbatim(),
  uuid: uuid(),
  ulid: ulid(),
  'opaque id': opaqueId(),
  email: email(),
  username: username(),
  code: code(),
  phone: phone(),
  instant: instant(),
  day: day(),
  flag: flag(),
}

test.each(Object.entries(kinds))('%s goes by its name, which the page explains', (name, { kind }) => {
  expect(kindWords(kind)).toBe(name)
})

test('no kind is explained that the language does not have', () => {
  expect(Object.keys(kindMeanings)).toEqual(Object.keys(kinds))
})

test.each([
  [oneOf('a', 'b'), 'one of `a`, `b`'],
  [text({ max: 20 }), 'text'],
  [text({ pattern: /[a-z]+/ }), 'text like `^(?:[a-z]+)$`'],
  [number(), 'number'],
  [number({ min: -90, max: 90 }), 'number from -90 to 90'],
  [number({ integer: true }), 'whole number'],
  [count(), 'whole number from 0'],
  [list(text()), 'list of text'],
  [list(text(), { max: 3 }), 'list of text'],
  [list(oneOf('a', 'b')), 'list of `a`, `b`'],
  [list(record({ module: text(), level: count() })), 'list of maps with `module`, `level`'],
  [record({ x: number(), y: number() }), 'map with `x`, `y`'],
  [map(), 'map'],
  [textSet(), 'set of text'],
  [textSet(oneOf('a', 'b')), 'set of `a`, `b`'],
  [numberSet(), 'set of number'],
])('a kind with limits or parts says them', ({ kind }, words) => {
  expect(kindWords(kind)).toBe(words)
})
