import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import {
  email,
  flag,
  instant,
  list,
  map,
  number,
  oneOf,
  record,
  stamp,
  text,
  ulid,
  username,
  uuid,
  verbatim,
} from '../design/attributes.ts'
import { entity } from '../design/entity.ts'
import { textSet } from '../design/set-attributes.ts'
import { attributeSchema, itemSchema, newItemSchema } from './json-schema.ts'

const ulidForm = '^[0-7][0-9A-HJKMNP-TV-Z]{25}$'
const ulidSpelled = '^\\s*[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}\\s*$'
const keyForm = '^\\s*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*\\s*$'
const operatorForm = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|^operator(?: [^\\x00-\\x1f\\x7f-\\x9f]{1,100})?$'

test.each([
  [text(), { type: 'string', pattern: '^[^\\x00]*$' }, { type: 'string' }],
  [text().optional(), { type: 'string', pattern: '^[^\\x00]*[^\\s\\x00][^\\x00]*$' }, { type: 'string' }],
  [text({ max: 5, pattern: /a+/ }), { type: 'string', maxLength: 5, pattern: '^\\s*(?:a+)\\s*$' }, { type: 'string', maxLength: 5 }],
  // Not every language knows classes of Unicode.
  [text({ pattern: /\p{L}+/u }), { type: 'string', pattern: '^[^\\x00]*$' }, { type: 'string' }],
  [text({ lookAlikes: 'refused' }), { type: 'string', pattern: keyForm }, { type: 'string' }],
  [
    list(text(), { max: 2 }),
    { type: 'array', maxItems: 2, items: { type: 'string', pattern: '^[^\\x00]*$' } },
    expect.not.objectContaining({ maxItems: 2 }),
  ],
  [ulid(), { type: 'string', pattern: ulidSpelled }, { type: 'string', pattern: ulidForm }],
  [
    list(ulid()),
    { type: 'array', items: { type: 'string', pattern: ulidSpelled } },
    { type: 'array', items: { type: 'string', pattern: ulidForm } },
  ],
  [
    list(record({ at: instant() })),
    expect.anything(),
    {
      type: 'array',
      items: expect.objectContaining({ properties: { at: { type: 'string', format: 'date-time', pattern: expect.anything() } } }),
    },
  ],
  // Names within say what they refuse, as attributes do.
  [
    record({ menuKey: text({ lookAlikes: 'refused' }), of: username().describe('Whose it is.') }),
    expect.objectContaining({
      properties: {
        menuKey: { type: 'string', pattern: keyForm, description: 'Menu key. Look-alikes are refused.' },
        of: expect.objectContaining({ description: 'Whose it is. Look-alikes are refused.' }),
      },
    }),
    expect.objectContaining({ properties: { menuKey: { type: 'string' }, of: expect.objectContaining({ description: 'Whose it is.' }) } }),
  ],
  // It may be a word, which is no UUID.
  [uuid({ or: 'operator' }), { type: 'string', pattern: expect.stringContaining('|^operator') }, { type: 'string', pattern: operatorForm }],
  [email(), { type: 'string', format: 'idn-email' }, { type: 'string', format: 'idn-email' }],
  [flag(), { type: 'boolean' }, { type: 'boolean' }],
  [oneOf('a', 'b'), { type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
  [number({ min: 0, max: 5 }), { type: 'number', minimum: 0, maximum: 5 }, { type: 'number', minimum: 0, maximum: 5 }],
  [map(), { type: 'object' }, { type: 'object' }],
  [list(map()), { type: 'array', items: { type: 'object' } }, { type: 'array', items: { type: 'object' } }],
  [textSet(), { type: 'array', items: { type: 'string', pattern: '^[^\\x00]*$' } }, { type: 'array', items: { type: 'string' } }],
])('a kind is told as it is given and as it is stored', (attribute, given, stored) => {
  expect([attributeSchema(attribute, { side: 'given' }), attributeSchema(attribute, { side: 'stored' })]).toEqual([given, stored])
})

test('an optional attribute may be null where that takes it away', () => {
  const optional = attributeSchema(text().optional(), { side: 'given', takesNull: true })
  expect(optional).toMatchObject({ type: ['string', 'null'] })
  expect(attributeSchema(oneOf('a').optional(), { side: 'given', takesNull: true })).toEqual({
    anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }],
  })
  expect(attributeSchema(text(), { side: 'given', takesNull: true })).toMatchObject({ type: 'string' })
})

const Thing = entity('Thing', {
  attributes: {
    ...{ id: uuid().made(), name: text(), at: instant().optional(), password: verbatim().secret(), tags: list(text()) },
    ...{ size: record({ x: number(), y: number().optional() }), updatedAt: stamp.onWrite() },
  },
  key: ['THING#{id}', 'META'],
})

test('an item is told without its secrets, and a new one with them', () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(itemSchema(Thing))
  const input = { name: 'Ann', password: 'p', tags: ['a'], size: { x: 1 }, id: '0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11' }
  const { password, ...shown } = input
  const item = { Type: 'Thing', version: 1, ...shown, updatedAt: '2026-01-31T09:30:00.000Z' }
  expect([validate(item), validate({ ...item, password }), validate({ ...item, id: 'x' }), validate({ ...item, version: '1' })]).toEqual([
    ...[true, false, false, false],
  ])
  const given = new Ajv2020({ strict: false, validateFormats: false }).compile(newItemSchema(Thing))
  expect([given(input), given({ ...input, at: null }), given({ ...input, name: null }), given({ ...input, other: 1 })]).toEqual([
    ...[true, true, false, false],
  ])
})
