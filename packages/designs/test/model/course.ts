import type { AnyDesign, Entity } from '@freehold/table'
import { shapeOf } from './foresee-query.ts'
import { isDerived, ownerOf, referencesOf, sidesOf, withinOf } from './parts.ts'
import type { Step } from './step.ts'

/** How many references lead from an entity on, so that what it refers to comes before it. */
function depthOf(entity: Entity, above: readonly Entity[] = []): number {
  const within = withinOf(entity)
  const targets = [...referencesOf(entity).map(({ to }) => ownerOf(to)), ...(within === undefined ? [] : [within])]
  return Math.max(0, ...targets.filter((to) => !above.includes(to) && to !== entity).map((to) => 1 + depthOf(to, [...above, entity])))
}

/**
 * How a sequence goes: a table is filled with something of everything, then anything is done to it, then every access pattern is asked. Undefined
 * where anything may be done.
 */
export function courseOf(design: AnyDesign, anything: number): readonly (Pick<Step, 'verb' | 'subject'> | undefined)[] {
  const writable = Object.values(design.entities).filter((entity) => !isDerived(entity) && sidesOf(entity)[0] === entity)
  const filling = writable.sort((a, b) => depthOf(a) - depthOf(b)).map(({ name }) => ({ verb: 'create', subject: name }) as const)
  const asking = Object.keys(design.patterns).map((name) => ({ verb: shapeOf(design, name).operation, subject: name }))
  return [...filling, ...new Array<undefined>(anything).fill(undefined), ...asking]
}
