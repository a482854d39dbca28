import type { Entity } from '@freehold/table'
import { placeFor } from '../../../packages/designs/test/model/parts.ts'
import type { Values } from '../../../packages/designs/test/model/templates.ts'
import { type Told, toldItem } from '../outcome-of.ts'
import type { Random } from '../random.ts'
import type { CallFacts, Touch } from '../record.ts'

/** A call that is about to be made. */
export interface Plan extends CallFacts {
  run(): Promise<Told>
}

/** The random source of a lane, and the items that it knows to be its own. */
export interface Lane {
  readonly random: Random
  /** Of the call that is being planned: a text that no other call writes. */
  readonly marker: () => string
}

/** Something that a lane may do next; undefined where there is nothing to do it to. */
export interface Choice {
  readonly weight: number
  plan(): Plan | undefined
}

export function placeOf(entity: Entity, values: Values): string {
  const place = placeFor(entity, values)
  if (place === undefined) throw new Error(`${entity.name} has no key for ${JSON.stringify(values)}.`)
  return place
}

export function touch(entity: Entity, verb: Touch['verb'], values: Values, isAlone = false): Touch {
  const creates = verb === 'create' || verb === 'ensure' || verb === 'may-create'
  return { entity: entity.name, place: placeOf(entity, values), verb, ...(creates ? { values } : {}), ...(isAlone ? { isAlone } : {}) }
}

type More = Partial<Pick<CallFacts, 'counting' | 'audited' | 'steps' | 'waits'>>

/** A call that touches one item and gives it back, or nothing. */
export function callOf(design: string, name: string, touched: Touch, input: unknown, run: () => Promise<unknown>, more: More = {}): Plan {
  return planOf(
    design,
    name,
    [touched],
    input,
    async () => {
      const result = await run()
      return { items: { [touched.place]: toldItem(result) }, result }
    },
    more,
  )
}

/** Any other call. Removals, and changes that copies may follow, wait for their jobs. */
export function planOf(
  design: string,
  name: string,
  touches: readonly Touch[],
  input: unknown,
  run: () => Promise<Told>,
  more: More = {},
): Plan {
  const waits = touches.some(({ verb }) => verb === 'remove' || verb === 'update')
  return { design, name: `${design} ${name}`, touches, input, run, steps: 1, waits, ...more }
}

/** Draws by weight among what can be done, trying anew where there is nothing to do it to. */
export function drawPlan(choices: readonly Choice[], random: Random): Plan {
  const total = choices.reduce((sum, { weight }) => sum + weight, 0)
  for (;;) {
    let left = random.below(total)
    for (const { weight, plan } of choices) {
      left -= weight
      if (left >= 0) continue
      const planned = plan()
      if (planned !== undefined) return planned
      break
    }
  }
}
