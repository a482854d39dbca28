import type { AnyDesign, Runtime } from '@freehold/table'
import type { Decider, DeciderOptions } from './decision/decision.ts'
import type { OfferedFlows } from './flow/offered-flows.ts'

/** What a design offers besides its entities and patterns. */
export interface Offer {
  readonly design: AnyDesign
  /** One sentence: who it is for. */
  readonly summary: string
  decider?(runtime: Runtime, options?: DeciderOptions): Decider
  /** What is done with its items as a whole, by a caller who acts as someone. */
  readonly flows?: OfferedFlows
}
