import type { Runtime } from '@freehold/table'
import type { Decider } from '../../decision/decision.ts'
import { decideAccountManagement } from '../decide.ts'

const deciders = new WeakMap<Runtime, Decider>()

/** The decisions over a table: one decider for each connection to it. */
export function deciderOf(runtime: Runtime): Decider {
  const known = deciders.get(runtime)
  if (known !== undefined) return known
  const made = decideAccountManagement(runtime)
  deciders.set(runtime, made)
  return made
}
