import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { seedOfTree } from './seed-of-tree.ts'

test('a run of the same commit draws the same values, and another seed draws others', () => {
  const drawn = (seed?: number) => fc.sample(fc.string({ minLength: 20 }), { numRuns: 5, ...(seed === undefined ? {} : { seed }) })
  expect(drawn()).toEqual(drawn())
  expect(drawn()).toEqual(drawn(inject('propertySeed')))
  expect(drawn()).not.toEqual(drawn(inject('propertySeed') + 1))
})

test('a seed is that of the tree, unless it is given', () => {
  expect(seedOfTree({})).toBe(seedOfTree({}))
  expect(seedOfTree({ TEST_SEED: '-17' })).toBe(-17)
  expect(() => seedOfTree({ TEST_SEED: 'x' })).toThrow('TEST_SEED is not a whole number.')
})
