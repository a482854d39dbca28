import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The seed of all properties of a run: `TEST_SEED`, or else the committed one of `seed.txt`. So a commit fails by no values that nobody has tried.
 * `npm run seed` commits to another one, and runs all tests by it.
 * @returns a whole number of 32 bits
 */
export function seedOfRun({ TEST_SEED: given } = process.env): number {
  const text = given ?? readFileSync(join(import.meta.dirname, 'seed.txt'), 'utf8').trim()
  if (!/^-?\d{1,10}$/.test(text)) throw new Error('TEST_SEED is not a whole number.')
  return Number(text) | 0
}
