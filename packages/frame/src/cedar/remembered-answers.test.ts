import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestOf } from '../../test/cedar-cases.ts'
import type { PolicyAnswer, PolicyRequest } from './policy-engine.ts'
import { rememberingAnswers } from './remembered-answers.ts'

/** Tells its request, and fails for some. */
const told = (request: PolicyRequest): PolicyAnswer => ({
  decision: request.context.n === 1 ? 'allow' : 'deny',
  policies: [],
  errors: request.context.n === 2 ? [{ message: 'fails' }] : [],
})

const value = fc.oneof(
  fc.constantFrom<unknown>(
    0,
    1,
    2,
    -1,
    '1',
    'null',
    true,
    null,
    undefined,
    Number.NaN,
    new Date(0),
    new Date(0).toJSON(),
    [],
    {},
    'x'.repeat(5_000),
  ),
  fc.record({ toJSON: fc.constantFrom<unknown>('1', () => 1), a: fc.constantFrom(1, 2) }, { requiredKeys: [] }),
)
// A program without types may pass anything.
const request = fc.record({ n: value, m: value }).map((context) => ({ ...requestOf(), context: context as never }))

test('an answer is that of its own request, remembered or not', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 40 }), (requests) => {
      const answer = rememberingAnswers(told)
      for (const one of requests) expect(answer(one)).toEqual(told(one))
    }),
    { numRuns: 500 },
  )
})

test('the same request is asked once; one with an error, and a long one, each time', () => {
  const asked: unknown[] = []
  const answer = rememberingAnswers((one) => {
    asked.push(one.context.n)
    return told(one)
  })
  const ask = (n: never) => answer({ ...requestOf(), context: { n } })
  const [one, failing, long] = [1, 2, 'x'.repeat(5_000)] as never[]
  for (const each of [one, one, failing, failing, long, long, one]) if (each !== undefined) ask(each)
  expect(asked).toEqual([1, 2, 2, long, long])
  // Any other part makes another request.
  const { principal, ...rest } = requestOf()
  answer({ ...rest, principal: { ...principal, id: 'another' }, context: { n: 1 } })
  expect(asked).toHaveLength(6)
})
