import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { seedOfRun } from './seed-of-run.ts'

test('a run by the same seed draws the same values, and another seed draws others', () => {
  const drawn = (seed?: number) => fc.sample(fc.string({ minLength: 20 }), { numRuns: 5, ...(seed === undefined ? {} : { seed }) })
  expect(drawn()).toEqual(drawn())
  expect(drawn()).toEqual(drawn(inject('propertySeed')))
  expect(drawn()).not.toEqual(drawn(inject('propertySeed') + 1))
})

test('a seed is the committed one, unless it is given', () => {
  expect(seedOfRun({})).toBe(Number(readFileSync(join(import.meta.dirname, 'seed.txt'), 'utf8')))
  expect(seedOfRun({ TEST_SEED: '-17' })).toBe(-17)
  expect(() => seedOfRun({ TEST_SEED: 'x' })).toThrow('TEST_SEED is not a whole number.')
})
