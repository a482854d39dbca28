import type { Decider, Offer } from '@freehold/designs'
import type { ConnectedTable } from '@freehold/table'

/** A design that is served: what it offers, the table it runs on, and perhaps its decisions. */
export interface Served {
  readonly offer: Offer
  readonly table: ConnectedTable
  /** Made from the offer and the table unless given. */
  readonly decider?: Decider
}
