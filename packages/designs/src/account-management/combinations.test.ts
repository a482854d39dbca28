import { expect, test } from 'vitest'
import { accountCases } from '../../test/account-cases.ts'
import { allPairs, type Dimension, dimensions, pairsOf, valuesOf } from '../../test/case-dimensions.ts'

// That the table of decision cases combines what decisions depend on: each value, and each two of different kinds.

const { now, organisation, cases } = accountCases(new URL('./cases/access.cases.yaml', import.meta.url))
const values = cases.map((one) => valuesOf(organisation, now, one))

/** Pairs that cannot be: what is granted is looked at only where user, role and client let somebody grant at all. */
const senseless = [
  'user internal × actor grants more than it holds',
  'user foreign × actor grants more than it holds',
  'client suspended × actor grants more than it holds',
  'role foreign × actor grants more than it holds',
  'role deleted × actor grants more than it holds',
  'role being deleted × actor grants more than it holds',
  // Nothing lies in a building.
  'scope building × reach inherited',
]

test.each(Object.keys(dimensions) as Dimension[])('the cases have every %s', (dimension) => {
  const there = new Set<string>(values.flatMap((each) => [...each[dimension]]))
  expect(dimensions[dimension].filter((value) => !there.has(value))).toEqual([])
})

test('the cases have every pair of them that can be', () => {
  const there = new Set(values.flatMap(pairsOf))
  expect(allPairs().filter((pair) => !there.has(pair) && !senseless.includes(pair))).toEqual([])
  expect(senseless.filter((pair) => !allPairs().includes(pair))).toEqual([])
})

test('one that is granted, and nothing else, is allowed at each scope by each form of role', () => {
  for (const scope of dimensions.scope)
    for (const form of dimensions.form)
      expect(cases.some((one, index) => one.answer === 'allowed' && values[index]?.scope.has(scope) && values[index]?.form.has(form))).toBe(
        true,
      )
})
