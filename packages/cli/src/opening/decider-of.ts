import type { Decider, Offer } from '@freehold/designs'
import { FreeholdError, type Runtime } from '@freehold/table'

/** What answers the questions of a design. Throws `InvalidInput` for a design that answers none. */
export function deciderOf({ design, decider }: Offer, runtime: Runtime): Decider {
  if (decider === undefined) {
    throw new FreeholdError('InvalidInput', `${design.name} answers no questions yet: it has entities and access patterns only.`, {
      design: design.name,
    })
  }
  return decider(runtime)
}
