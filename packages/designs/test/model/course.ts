import type { AnyDesign, Entity } from '@freehold/table'
import { shapeOf } from './foresee-query.ts'
import { isDerived, isEdge, keyPlaceholdersOf, ownerOf, referencesOf, sidesOf, withinOf } from './parts.ts'
import type { Step } from './step.ts'

/** How many references lead from an entity on, so that what it refers to comes before it. */
function depthOf(entity: Entity, above: readonly Entity[] = []): number {
  const within = withinOf(entity)
  const targets = [...referencesOf(entity).map(({ to }) => ownerOf(to)), ...(within === undefined ? [] : [within])]
  return Math.max(0, ...targets.filter((to) => !above.includes(to) && to !== entity).map((to) => 1 + depthOf(to, [...above, entity])))
}

/** Its key names more than itself. */
const isMovable = (entity: Entity) => !isEdge(entity) && !entity.form.appendOnly && keyPlaceholdersOf(entity).length > 1

/**
 * How a sequence goes: a table is filled with something of everything, then anything is done to it, then something of everything is changed,
 * every access pattern is asked, what may be in use is removed, and then something of everything. Undefined where anything may be done.
 */
export function courseOf(design: AnyDesign, anything: number): readonly (Pick<Step, 'verb' | 'subject'> | undefined)[] {
  const writable = Object.values(design.entities).filter((entity) => !isDerived(entity) && sidesOf(entity)[0] === entity)
  writable.sort((a, b) => depthOf(a) - depthOf(b))
  const filling = writable.map(({ name }) => ({ verb: 'create', subject: name }) as const)
  const changing = writable.map((entity) => ({ verb: isMovable(entity) ? 'move' : 'update', subject: entity.name }) as const)
  const removable = writable.filter(({ form }) => !form.appendOnly)
  const removing = removable.reverse().map(({ name }) => ({ verb: 'remove', subject: name }) as const)
  const asking = Object.keys(design.patterns).map((name) => ({ verb: shapeOf(design, name).operation, subject: name }))
  const kept = new Set(writable.flatMap(referencesOf).flatMap(({ onRemove, to }) => (onRemove === 'refuse' ? [ownerOf(to).name] : [])))
  const refused = [...kept].map((subject) => ({ verb: 'remove', subject }) as const)
  return [...filling, ...new Array<undefined>(anything).fill(undefined), ...changing, ...asking, ...refused, ...removing]
}
