import type { AnyDesign } from '@freehold/table'
import fc from 'fast-check'
import { chanceOf } from './chance.ts'
import { chooseStep } from './choose-step.ts'
import { courseOf } from './course.ts'
import { foresee } from './foresee.ts'
import { printed, type Step } from './step.ts'
import type { Values } from './templates.ts'
import type { World } from './world.ts'

/** When every table begins. */
const beginning = new Date('2026-01-31T12:00:00.000Z')

type Steps = readonly Step[]

const without = (values: Values, name: string): Values => Object.fromEntries(Object.entries(values).filter(([other]) => other !== name))

/** The same step with less said. */
function* plainer(design: AnyDesign, step: Step): Generator<Step> {
  const { version, reading, inUse, ...rest } = step
  if (version !== undefined || reading !== undefined || inUse !== undefined) yield printed(rest)
  const { change, verb, subject, input } = step
  for (const name of Object.keys(change ?? {})) yield printed({ ...step, change: without(change ?? {}, name) })
  if (verb !== 'create' && verb !== 'ensure') return
  for (const name of Object.keys(input))
    if (design.entities[subject]?.attributes[name]?.presence !== 'given') yield printed({ ...step, input: without(input, name) })
}

/** Fewer steps: half of them away, a quarter, and so on; then plainer ones. */
function* smaller(design: AnyDesign, steps: Steps): Generator<Steps> {
  for (let size = steps.length >> 1; size > 0; size >>= 1)
    for (let at = steps.length - size; at > -size; at -= size) yield [...steps.slice(0, Math.max(0, at)), ...steps.slice(at + size)]
  for (const [at, step] of steps.entries()) for (const other of plainer(design, step)) yield steps.with(at, other)
}

/**
 * Sequences of steps on a table that is empty at first. They are chosen with the model at hand, so that they meet; each is spelled out, so that a
 * failure shrinks by leaving steps out.
 */
export class Sequences extends fc.Arbitrary<Steps> {
  private readonly design: AnyDesign
  private readonly anything: number

  /** `anything`: how many steps are left to chance. */
  constructor(design: AnyDesign, anything: number) {
    super()
    this.design = design
    this.anything = anything
  }

  override generate(random: fc.Random): fc.Value<Steps> {
    const chance = chanceOf(random)
    const steps: Step[] = []
    let world: World = { design: this.design, now: beginning, items: new Map() }
    for (const [index, wanted] of courseOf(this.design, this.anything).entries()) {
      const step = chooseStep(world, index + 1, chance, chance.percent(90) ? wanted : undefined)
      steps.push(step)
      world = { ...world, now: new Date(step.now), items: foresee(world, step).items }
    }
    return new fc.Value<Steps>(steps, undefined)
  }

  override canShrinkWithoutContext(value: unknown): value is Steps {
    return Array.isArray(value)
  }

  override shrink(steps: Steps): fc.Stream<fc.Value<Steps>> {
    const { design } = this
    const values = function* (): Generator<fc.Value<Steps>> {
      for (const fewer of smaller(design, steps)) yield new fc.Value(fewer, undefined)
    }
    return fc.stream(values())
  }
}
