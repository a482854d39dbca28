import { objectSchema } from '@freehold/table/publish'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deep } from '../../../../test/properties/depth.ts'
import { type Questions, readQuestion } from '../../../frame/src/decision/question.ts'
import { access as accountAccess } from '../../src/account-management/access.ts'
import { questions as authorization } from '../../src/authorization/deciding/question.ts'
import { access as platform } from '../../src/platform/access.ts'
import { access } from '../../src/rebac/access.ts'

const accounts = accountAccess.questions
const ulid = '01hc0000000000000000000001'
const uuid = '0B8F2C54-8D0B-4C3E-9A57-0A4F2D3E6C11'
const named = [
  'Ada@Example.org',
  ' ada@example.org',
  'ADA@EXAMPLE.ORG',
  ulid,
  ulid.toUpperCase(),
  uuid,
  uuid.toLowerCase(),
  'true',
  'a:b:c',
  'A : b:c',
]
const odd = [
  '',
  ' ',
  '*',
  'a#b',
  'A\u030a',
  '\u00c5',
  'a\u0000',
  'a\ud800',
  'constructor',
  '__proto__',
  'x'.repeat(256),
  'x'.repeat(257),
  'x'.repeat(5000),
]
const text = fc.oneof(fc.constantFrom(...named, ...odd), fc.string({ unit: 'binary' }))

test.each<[string, Questions]>([
  ['account-management', accounts],
  ['authorization', authorization],
  ['platform', platform.questions],
  ['rebac', access.questions],
])('a text of a question of %s is read alike, whether or not it was read before', (_, questions) => {
  for (const { fields } of Object.values(questions))
    for (const [name, attribute] of Object.entries(fields)) {
      const read = (given: string) => {
        try {
          return { value: readQuestion('can', { ...questions.can, fields: { [name]: attribute }, alsoWrong: () => [] }, { [name]: given }) }
        } catch (error) {
          return { error }
        }
      }
      fc.assert(
        fc.property(fc.array(text, { size: 'medium' }), (texts) => {
          for (const given of [...texts, ...texts]) {
            // The schema itself recalls nothing.
            const { success, data } = attribute.schema.safeParse(given)
            const isRead = success && given.length <= 4096
            expect(read(given)).toEqual(isRead ? { value: { [name]: data } } : { error: expect.objectContaining({ code: 'InvalidInput' }) })
          }
        }),
        { numRuns: deep(2) },
      )
    }
})

const askedOf = {
  'account-management': { user: uuid, client: uuid, permission: 'a:b:c' },
  authorization: { user: ulid, tenant: ulid, action: 'read', resource: { type: 'record', id: '1' } },
  platform: { user: ulid, account: 'acme', menu: 'dashboard', action: 'view' },
  rebac: { user: ulid, location: 'HQ', page: 'reports' },
}

test.each<[keyof typeof askedOf, Questions]>([
  ['account-management', accounts],
  ['authorization', authorization],
  ['platform', platform.questions],
  ['rebac', access.questions],
])('null counts as absent where a question of %s may be without a field, as the document of the API says', (design, questions) => {
  for (const [name, question] of Object.entries(questions)) {
    const { fields } = question
    const told = new Ajv2020({ strict: false, validateFormats: false }).compile(objectSchema(fields, { side: 'given', takesNull: true }))
    // As `QuestionName` has it: these are the names of the questions.
    const read = (given: object) => readQuestion(name as 'can', question, given)
    const whole = Object.fromEntries(Object.entries(askedOf[design]).filter(([field]) => Object.hasOwn(fields, field)))
    const optional = Object.keys(fields).filter((field) => fields[field]?.presence === 'optional' && !Object.hasOwn(whole, field))
    const given = { ...whole, ...Object.fromEntries(optional.map((field) => [field, null])) }
    expect({ name, isTold: told(given), read: read(given) }).toEqual({ name, isTold: true, read: read(whole) })
  }
})

test('null is no scope, and where no field may be left out it is missing', () => {
  const asked = { user: uuid, client: null, project: null, permission: 'a:b:c' }
  expect(() => readQuestion('can', accounts.can, asked)).toThrow('client is missing')
  expect(() => readQuestion('access', accounts.access ?? accounts.can, { user: uuid, client: null, module_id: uuid })).toThrow(
    'client is missing',
  )
  expect(() => readQuestion('can', access.questions.can, { user: ulid, location: null, page: 'a' })).toThrow('location is missing')
})
