import { entity, text, uuid } from '@freehold/table'
import { expect, test } from 'vitest'
import { changing, given } from './input-attributes.ts'
import { readInput } from './read-input.ts'

const Note = entity('Note', {
  attributes: { id: uuid(), name: text(), title: text().optional(), body: text().optional() },
  key: ['NOTE#{id}', 'METADATA'],
})
const read = (input: unknown) => readInput('write', given(Note, 'name', 'title', 'body'), input)

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

test('one that may be left out may be taken away, and what is no name is whatever its kind allows', () => {
  expect(read({ name: 'a', title: null, body: 'one\ntwo' })).toEqual({ name: 'a', title: null, body: 'one\ntwo' })
  expect(read({ name: 'a', body: 'x'.repeat(5000) }).body).toHaveLength(5000)
})
