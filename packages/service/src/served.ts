import type { Decider, DesignModule } from '@freehold/designs'
import type { ConnectedTable } from '@freehold/table'

/** A served design: its module, its table, and possibly its decider. */
export interface Served {
  readonly module: DesignModule
  readonly table: ConnectedTable
  /** By default created from the module and the table. */
  readonly decider?: Decider
}
