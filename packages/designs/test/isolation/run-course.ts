import { type Aim, aims, chooseAim, chooseStep } from './choose-step.ts'
import { Cursors } from './cursors.ts'
import type { AtFace } from './perform.ts'
import { Course, Leak } from './play.ts'
import { seeded } from './seeded.ts'
import { lineOf, type Step } from './step.ts'
import type { Tally } from './tally.ts'
import { beginning, type World } from './world.ts'

/** The options of courses. */
export interface Run {
  readonly world: World
  readonly tally: Tally
  /** The steps to do; all unless given. */
  readonly among?: readonly Aim[]
  readonly atFace?: AtFace
}

/** Steps that are tried again while fewer of them still end in a leak. */
const replaysMax = 100

/** The leak that steps end in; undefined where they end in none. */
async function leakOf({ world, atFace }: Run, cursors: Cursors, steps: readonly Step[]): Promise<Leak | undefined> {
  const course = await Course.begin(world, cursors, atFace)
  try {
    for (const step of steps) await course.take(step)
    await course.end(steps.at(-1)?.now ?? '')
    return undefined
  } catch (error) {
    if (error instanceof Leak) return error
    throw error
  }
}

/**
 * As few of the steps as still end in a leak: the last alone, or with twice as many before it until they do; then without halves, quarters and
 * single ones of those.
 */
async function fewest(run: Run, cursors: Cursors, steps: readonly Step[], leak: Leak): Promise<Leak> {
  let [few, found] = [steps, leak]
  for (let count = 1; count < steps.length; count *= 2) {
    const again = await leakOf(run, cursors, steps.slice(-count))
    if (again === undefined) continue
    ;[few, found] = [steps.slice(-count), again]
    break
  }
  let replays = 0
  for (let size = few.length >> 1; size > 0; size >>= 1) {
    for (let at = few.length - 1 - size; at > -size && replays < replaysMax; at -= size, replays++) {
      const fewer = [...few.slice(0, Math.max(0, at)), ...few.slice(at + size)]
      const again = await leakOf(run, cursors, fewer)
      if (again !== undefined) [few, found] = [fewer, again]
    }
  }
  const before = few.slice(0, -1).map(lineOf)
  return new Leak([found.message, `after ${before.length} steps of ${steps.length - 1}:`, ...before].join('\n'))
}

/** From then on clients may go. */
const latePart = 0.9

/** A course of random steps, by seed. Throws `Leak`, with the fewest steps that end in it. */
export async function runCourse(run: Run, seed: number, length: number): Promise<void> {
  const { world, tally, among = aims, atFace } = run
  const chance = seeded(seed)
  const cursors = new Cursors()
  const course = await Course.begin(world, cursors, atFace)
  const steps: Step[] = []
  let now = beginning
  try {
    for (let number = 1; number <= length; number++) {
      now = new Date(now.getTime() + (chance.percent(2) ? 86_400_000 : 1000))
      const aim = chooseAim(chance, chance.percent(35) ? among.filter((each) => tally.isMissing(each)) : [], among)
      const isLate = number > length * latePart
      const choosing = {
        land: course.land,
        chance,
        number: seed * 10_000 + number,
        now,
        isLate,
        honest_percent: tally.isUndone(aim) ? 75 : 40,
      }
      const step = chooseStep(choosing, aim, cursors)
      steps.push(step)
      now = new Date(step.now)
      const { outcome, strangers, events } = await course.take(step)
      tally.note(step, outcome, strangers.size > 0, events)
    }
    await course.end(now.toISOString())
  } catch (error) {
    if (!(error instanceof Leak)) throw error
    // The outcome of a race is not the same again.
    if (steps.at(-1)?.kind === 'race') throw error
    throw await fewest(run, cursors, steps, error)
  }
}
