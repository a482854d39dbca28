import type { Attributes } from '@freehold/table'
import type { InputOf } from './read-input.ts'

/** What an actor that is a user needs to run a flow: a permission, and what of the design it must have it at. */
export interface NeededPermission {
  readonly module: string
  readonly action: string
  readonly resource: string
  /** The place that the permission must hold at: `client`, `project`, `building`, …; `scope`: whichever the input names. */
  readonly at: string
  /** A user needs none for what is its own: its sessions, its settings. */
  readonly own?: true
}
/** `operator`: no user may. `own`: a user may for what is its own, and no permission is enough for another's. */
export type Needs = 'operator' | 'own' | NeededPermission

/**
 * Something that is done with a design's items as a whole: one transaction or one durable job, with whatever the design notes of it. Its input
 * is described by attributes, as an entity is. `C` is what the design's flows run in: its table, and who calls.
 */
export interface Flow<C, I extends Attributes = Attributes, R = unknown> {
  readonly name: string
  /** One sentence: what it does. */
  readonly summary: string
  readonly input: I
  readonly needs: Needs
  /** The feature of the design that it needs; it is not offered where the deployer left that out. */
  readonly feature?: string | undefined
  /** Validates the input and holds the caller to its permissions. Throws `InvalidInput`, `Denied`, and what its summary leads to. */
  run(context: C, input: InputOf<I>): Promise<R>
}

export type Flows<C> = Readonly<Record<string, Flow<C>>>

/** A design's flows for one caller, typed. */
export type FlowFunctions<F> = {
  readonly [N in keyof F]: F[N] extends Flow<never, infer I extends Attributes, infer R> ? (input: InputOf<I>) => Promise<R> : never
}
