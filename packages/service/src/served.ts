import type { Decider, DesignModule } from '@freehold/designs'
import type { ConnectedTable } from '@freehold/table'

/** A design that is served: its module, the table it runs on, and perhaps its decisions. */
export interface Served {
  readonly module: DesignModule
  readonly table: ConnectedTable
  /** Made from the module and the table unless given. */
  readonly decider?: Decider
}
