import type { Attributes, Entity } from '@freehold/table'
import type { Returns } from '../decision/returns.ts'
import type { Replayable } from './calls/replayed.ts'
import type { FlowError, Verb } from './flow-errors.ts'
import type { InputOf } from './input/input-attributes.ts'

/** A permission that a calling user needs, and the level of scope that it must hold at. */
export interface NeededPermission {
  readonly module: string
  readonly action: string
  readonly resource: string
  /** The scope that the permission must hold at: `client`, `project`, `building`, …; `scope`: whichever the input names. */
  readonly at: string
  /** A user needs none for its own: its sessions, its settings. */
  readonly own?: true
}
/**
 * `operator`: operators only. `own`: operators, and a user for its own; no permission is enough for another's. `identity-provider`: operators, and
 * identity providers, to which all other flows are closed. `person`: operators, and a person about itself, whose token the caller shows.
 */
export type Needs = 'operator' | 'own' | 'identity-provider' | 'person' | NeededPermission

/** True for a flow that no user may call, wherever it is. */
export const isClosedToUsers = (needs: Needs): boolean => typeof needs === 'string' && needs !== 'own'

/** Items, each by its entity and the attributes of its key. One that lacks an attribute of its key is left out. */
export type Foreseen = readonly (readonly [entity: Entity, id: Readonly<Record<string, unknown>>])[]

/** A flow as it is declared: everything that command, HTTP, docs and checks need to know without running it. */
export interface FlowDeclaration<I extends Attributes = Attributes, R = unknown> {
  readonly name: string
  /** One sentence. */
  readonly summary: string
  readonly input: I
  readonly needs: Needs
  readonly effect: 'read' | 'write'
  readonly returns: Returns<R>
  /** Codes of the errors that it can throw besides `commonErrors`. */
  readonly errors?: readonly FlowError[]
  /** The entities whose items it writes, and how. Unless given, a flow that writes and returns an item updates that item. */
  readonly writes?: { readonly [V in Verb]?: Entity }
  /** The design's feature that it needs: a deployer who left that out has no such flow. */
  readonly feature?: string | undefined
  /**
   * True of one that changes by what its user signs in, or makes it a token. A program has the user sign in again before, so that no token or session of the
   * user is enough for it (ASVS 5.0, 7.5.1). Of one that administrators use for others: the input that has the user's id.
   */
  readonly changesSignIn?: boolean | string
}

/**
 * Something that is done with a design's items as a whole: one transaction or one durable job, together with its record. `C` is the context that it
 * runs in: a table and a caller.
 */
export interface Flow<C, I extends Attributes = Attributes, R = unknown> extends FlowDeclaration<I, R> {
  /** Validates the input and holds the caller to its permission. Throws `InvalidInput`, `Denied`, and the errors that the flow declares. */
  run(context: C, input: InputOf<I>): Promise<R>
  /** The scope at which a call is permitted, read consistently. Throws `NotFound` for one that is not there. */
  scope?(context: C, input: InputOf<I>): Promise<unknown>
  /** Items that each call reads. Those that the host names for such an input are read, too. */
  reads?(input: InputOf<I>): Foreseen
}

export type Flows<C> = Readonly<Record<string, Flow<C>>>

/** A design's flows for one caller, typed. `keyed`: called under an idempotency key. */
export type FlowFunctions<F, K extends 'keyed' | 'plain' = 'plain'> = {
  readonly [N in keyof F]: F[N] extends Flow<never, infer I extends Attributes, infer R>
    ? (input: InputOf<I>) => Promise<K extends 'keyed' ? Replayable<R> : R>
    : never
}
