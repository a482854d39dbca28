import { type Entity, FreeholdError } from '@freehold/table'
import type { FlowDeclaration } from './flow.ts'
import type { Verb } from './flow-errors.ts'

/** The entities that flows alone write, each with the names of its flows by verb. */
export type ByFlows = Readonly<Record<string, Readonly<Record<Verb, readonly string[]>>>>

/** The entities that a flow writes, and how. One that does not say so and returns an item updates that. */
export function writesOf({ writes, effect, returns }: FlowDeclaration): NonNullable<FlowDeclaration['writes']> {
  return writes ?? (effect === 'write' && returns.kind === 'item' ? { update: returns.entity } : {})
}

/** @param governed the entities that flows alone write */
export function byFlowsOf(flows: readonly FlowDeclaration[], governed: readonly Entity[]): ByFlows {
  const named = (entity: Entity, verb: Verb) => flows.filter((flow) => writesOf(flow)[verb] === entity).map(({ name }) => name)
  return Object.fromEntries(
    governed.map((entity) => [
      entity.name,
      { create: named(entity, 'create'), update: named(entity, 'update'), remove: named(entity, 'remove') },
    ]),
  )
}

/**
 * Refuses to write an item of an entity that flows alone write (spec rule 24). For the command and HTTP: a program that calls the table itself
 * knows what it does. Throws `Denied`.
 */
export function checkByFlows({ name: entity }: Entity, verb: Verb, byFlows: ByFlows = {}): void {
  const flows = Object.hasOwn(byFlows, entity) ? byFlows[entity]?.[verb] : undefined
  if (flows === undefined) return
  const listed = new Intl.ListFormat('en', { type: 'disjunction' }).format(flows)
  const message = `Flows alone ${verb} items of ${entity}${flows.length === 0 ? ', and none does only that' : `: use ${listed}`}.`
  throw new FreeholdError('Denied', message, { entity, reason: 'WrittenByFlows', flows })
}
