import { localEngine } from '@freehold/frame/cedar'
import { expect, test } from 'vitest'
import { casesPolicies, decisionCases, failuresOf } from '../../test/authorization-cases.ts'

const cases = decisionCases()
const engine = await localEngine(casesPolicies())

test.each(cases.cases)('$name', async (one) => {
  expect(await failuresOf(engine, one, cases)).toEqual([])
})
