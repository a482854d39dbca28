import type { Entity } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'

/** By entity and attribute: the flow that changes it, since more must hold than an update of one item can check. */
export type ByFlows = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Refuses a plain change of what only a flow may change. For the command and HTTP; a program that calls the table itself knows what it does. Throws `InvalidInput`. */
export function checkByFlows({ name }: Entity, change: Readonly<Record<string, unknown>>, byFlows: ByFlows = {}): void {
  const reserved = byFlows[name] ?? {}
  const issues = Object.keys(change).flatMap((attribute) => {
    const flow = Object.hasOwn(reserved, attribute) ? reserved[attribute] : undefined
    return flow === undefined ? [] : [{ path: [attribute], message: `is changed by the flow ${flow}` }]
  })
  if (issues.length > 0) throw invalidInput(name, issues, { entity: name })
}
