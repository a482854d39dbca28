import { expect, test } from 'vitest'
import { runCourse, Tally } from '../../test/isolation-platform/course.ts'

// Two accounts alike, and everything that their users can do by flows, decisions and lists, with ids, addresses, cursors and idempotency keys of the other.
// After each step nothing of the other has changed or was told, not even whether it is there, and nobody was given what its giver does not hold.

const courses = 4
const stepsOfCourse = 300

test('no account sees or changes what another has, and nobody gives what it does not hold', async () => {
  const tally = new Tally()
  for (let seed = 1; seed <= courses; seed++) await runCourse(seed, stepsOfCourse, tally)
  expect(tally.steps).toBe(courses * stepsOfCourse)
  expect(tally.undone()).toEqual([])
  expect(tally.untried()).toEqual([])
  for (const code of ['Denied', 'NotHeld', 'NotFound', 'InvalidInput', 'InvalidCursor', 'KeyReused']) expect(tally.refused).toContain(code)
})
