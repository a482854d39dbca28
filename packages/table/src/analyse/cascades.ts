import type { Entity } from '../design/entity.ts'
import { type Finding, finding } from './finding.ts'
import type { Check, Survey } from './survey.ts'

/** What goes when an item of `entity` goes: the entities themselves, an edge by its first side. */
function takenBy(entity: Entity, { design }: Survey): Entity[] {
  const { part } = entity.form
  const items = part.kind === 'edge' ? part.edge.sides : [entity]
  return items.flatMap((item) =>
    design.form.dependantsOf(item).flatMap((dependant) => (dependant.onRemove === 'cascade' ? [dependant.entity] : [])),
  )
}

/** The way from an entity back to itself, where there is one: its shortest. */
function cycleOf(start: Entity, survey: Survey): Entity[] | undefined {
  const ways: Entity[][] = [[start]]
  const seen = new Set<Entity>()
  for (const way of ways) {
    for (const next of takenBy(way.at(-1) ?? start, survey)) {
      if (next === start) return way
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return undefined
}

/** Removing an item takes a number of steps that the design bounds; a circle of cascades does not. Each circle is reported once. */
export const cascades: Check = (survey) => {
  const reported = new Set<Entity>()
  return survey.entities.flatMap((entity): Finding[] => {
    const cycle = reported.has(entity) ? undefined : cycleOf(entity, survey)
    if (cycle === undefined) return []
    for (const member of cycle) reported.add(member)
    const names = [...cycle, entity].map(({ name }) => name)
    const message =
      `Removing a ${names.join(' removes a ')}, and so on: how much goes is not bounded by the design. ` +
      "That is right for a tree; elsewhere let a reference 'refuse' or 'keep'."
    return [finding('CascadeCycle', entity.name, message, { cycle: names })]
  })
}
