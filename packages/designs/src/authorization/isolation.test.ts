import { expect, test } from 'vitest'
import { questions } from '../../test/isolation-authorization/choose.ts'
import { runCourse, Tally } from '../../test/isolation-authorization/course.ts'

// Two tenants, and users with grants in one, in both and in none. Users and operators call flows, ask questions and read lists at random, with ids, names,
// cursors and idempotency keys of the other. A model, written from the text of the specification, says what each step may do, and the answer to each
// question. After each step nothing else has changed or was told, not even whether it is there, and nobody was given what its giver may not grant.

const courses = 6
const stepsOfCourse = 300

test('users do, give and learn in a tenant what the policies let them, and nothing in another', async () => {
  const tally = new Tally()
  for (let seed = 1; seed <= courses; seed++) await runCourse(seed, stepsOfCourse, tally)
  expect(tally.steps).toBe(courses * stepsOfCourse)
  expect(tally.undone()).toEqual([])
  expect([...tally.answered].sort()).toEqual([...questions].sort())
  for (const code of ['Denied', 'AlreadyExists', 'NotFound', 'MissingEnd', 'InvalidCursor', 'KeyReused'])
    expect(tally.codes).toContain(code)
})
