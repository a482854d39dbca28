import fc from 'fast-check'
import { expect, test } from 'vitest'
import { questions as accounts } from '../account-management/deciding/question.ts'
import { questions as authorization } from '../authorization/deciding/question.ts'
import { questions as platform } from '../platform/deciding/question.ts'
import { questions as rebac } from '../rebac/deciding/question.ts'
import { type Questions, readQuestion } from './question.ts'

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
  ['platform', platform],
  ['rebac', rebac],
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
        { numRuns: 10 },
      )
    }
})
