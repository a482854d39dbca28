import { email, entity, text, uuid, verbatim } from '@freehold/table'
import { expect, test } from 'vitest'
import { changing, given, readInput } from './input/input-attributes.ts'

const Note = entity('Note', {
  attributes: {
    id: uuid(),
    name: text(),
    title: text().optional(),
    body: text().optional(),
    logo_url: text().optional(),
    billing_email: email().optional(),
    raw: verbatim().optional(),
  },
  key: ['NOTE#{id}', 'METADATA'],
})
const read = (input: unknown) => readInput('write', given(Note, 'name', 'title', 'body', 'logo_url', 'billing_email', 'raw'), input)

test('a name is one line that says something, trimmed', () => {
  expect(read({ name: ' Ada ' })).toEqual({ name: 'Ada' })
  expect(read({ name: 'x'.repeat(200) }).name).toHaveLength(200)
})

test.each([
  ['', 'name is empty'],
  [' \t ', 'name is empty'],
  ['x'.repeat(201), 'name is longer than 200 characters'],
  ['one\ntwo', 'name holds a control character'],
  ['\u0000', 'name holds a control character'],
])('%.10j is none', (name, message) => {
  expect(() => read({ name })).toThrow(message)
  expect(() => readInput('change', changing(Note, 'name'), { name })).toThrow(message)
})

test('one that may be left out may be taken away, and what is no name may be of many lines, and says something', () => {
  expect(read({ name: 'a', title: null, body: 'one\ntwo' })).toEqual({ name: 'a', title: null, body: 'one\ntwo' })
  expect(() => read({ name: 'a', body: ' ' })).toThrow('body is blank')
})

const address = (length: number) => `${'x'.repeat(length - 2)}@x`

test.each([
  ['body', (length: number) => 'x'.repeat(length), 1000],
  ['logo_url', (length: number) => 'x'.repeat(length), 2048],
  ['billing_email', address, 320],
] as const)('%s has an end, after it was trimmed', (field, of, max) => {
  const longest = of(max)
  expect(read({ name: 'a', [field]: ` ${longest} ` })).toEqual({ name: 'a', [field]: longest })
  const message = `${field} is longer than ${max} characters`
  expect(() => read({ name: 'a', [field]: of(max + 1) })).toThrow(message)
  expect(() => readInput('change', changing(Note, field), { [field]: of(max + 1) })).toThrow(message)
})

test('text that is kept as given is as long as its flow says', () => {
  expect(read({ name: 'a', raw: 'x'.repeat(5000) }).raw).toHaveLength(5000)
})
