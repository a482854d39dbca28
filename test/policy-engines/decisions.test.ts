import { expect, test } from 'vitest'
import { casesPolicies, decisionCases, failuresOf } from '../../packages/designs/test/authorization-cases.ts'
import { openedStore } from './opened-store.ts'

// The decisions of authorization, by Amazon Verified Permissions: the same cases as by the local engine.

const cases = decisionCases()
const { schema, policies } = casesPolicies()
const texts = [...policies.values()].flatMap((text) => text.split(/(?<=;)\n+(?=@id)/))

test.each(cases.cases)('$name', async (one) => {
  const { engine } = await openedStore(texts, schema)
  expect(await failuresOf(engine, one, cases)).toEqual([])
})
