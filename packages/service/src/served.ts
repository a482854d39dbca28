import type { DesignModule } from '@freehold/frame'
import type { Decider } from '@freehold/frame/decision'
import type { ConnectedTable } from '@freehold/table'

/** A served design: its module, its table, and possibly its decider. */
export interface Served {
  readonly module: DesignModule
  readonly table: ConnectedTable
  /** By default created from the module and the table. */
  readonly decider?: Decider
}
