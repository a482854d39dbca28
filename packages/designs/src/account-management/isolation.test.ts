import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { isDeep } from '../../../../test/properties/depth.ts'
import { aims } from '../../test/isolation/choose-step.ts'
import { events } from '../../test/isolation/events.ts'
import { runCourse } from '../../test/isolation/run-course.ts'
import { Tally } from '../../test/isolation/tally.ts'
import { type World, worldAt } from '../../test/isolation/world.ts'

// Four clients whose names and ids are almost alike, and everything that each can do at the table, the decisions and the flows, with ids, texts and
// cursors of the others. After each step no item of another's has changed, nothing was told of another's, not even whether it is there, and nobody
// was granted more than who granted it has (spec rules 22 and 23).

const courses = isDeep ? 8 : 2
const stepsOfCourse = 1100

let world: World
beforeAll(async () => {
  world = await worldAt(`isolation-${randomUUID()}`)
})

test('no client sees or changes what another has, whatever it does, in thousands of random steps', async () => {
  const tally = new Tally()
  for (let seed = 11; seed <= 10 + courses; seed++) await runCourse({ world, tally }, seed, stepsOfCourse)
  expect(tally.steps).toBe(courses * stepsOfCourse)
  if (!isDeep) return
  expect(
    tally.missing(
      ['Denied', 'NotFound', 'MissingEnd', 'AlreadyExists', 'InvalidCursor', 'InvalidInput', 'InvalidKey', 'InUse'],
      aims,
      events,
    ),
  ).toEqual([])
})
