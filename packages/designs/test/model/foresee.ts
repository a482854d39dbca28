import type { Entity } from '@freehold/table'
import { foreseeChange, normalId } from './foresee-change.ts'
import { foreseeCreate } from './foresee-create.ts'
import { foreseeQuery, shapeOf } from './foresee-query.ts'
import { foreseeRemove } from './foresee-remove.ts'
import { placeFor, seen } from './parts.ts'
import type { Step } from './step.ts'
import { RefusedKey } from './templates.ts'
import { type Foreseen, live, type World } from './world.ts'

/** The entity that a step reads or writes. */
export function subjectOf({ design }: World, { verb, subject }: Pick<Step, 'verb' | 'subject'>): Entity {
  const entity = verb === 'get' && design.entities[subject] === undefined ? shapeOf(design, subject).entities[0] : design.entities[subject]
  if (entity === undefined) throw new Error(`No entity is named ${subject}.`)
  return entity
}

function foreseeGet(world: World, entity: Entity, { input }: Step): Foreseen {
  const item = live(world, placeFor(entity, normalId(entity, input)))
  return { codes: [], items: world.items, gives: item === undefined ? null : seen(entity, item) }
}

/** The expected result of a step, and the table afterwards. */
export function foresee(before: World, step: Step): Foreseen {
  const world = { ...before, now: new Date(step.now) }
  const { verb } = step
  try {
    if (verb === 'wait') return { codes: [], items: world.items }
    if (verb === 'query') return foreseeQuery(world, step)
    const entity = subjectOf(world, step)
    if (verb === 'get') return foreseeGet(world, entity, step)
    if (verb === 'remove') return foreseeRemove(world, entity, step)
    return verb === 'create' || verb === 'ensure' ? foreseeCreate(world, entity, step) : foreseeChange(world, entity, step)
  } catch (error) {
    if (!(error instanceof RefusedKey)) throw error
    // The targets of references may be looked for before the key is made.
    return {
      codes: ['InvalidKey', ...(verb === 'get' || verb === 'query' || verb === 'remove' ? [] : (['MissingEnd', 'InvalidInput'] as const))],
      items: world.items,
    }
  }
}
