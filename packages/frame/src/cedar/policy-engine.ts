import type { Json } from '@freehold/table'

/** The name of an entity, as Cedar has it. */
export interface EntityUid {
  /** With its namespace: `User`, `Shop::Order`. */
  readonly type: string
  readonly id: string
}

/**
 * A value of an attribute or of the context, in Cedar's JSON form. Its numbers are whole, from -(2^53 - 1) to 2^53 - 1. An entity is
 * `{ __entity: { type, id } }`, and a value of an extension `{ __extn: { fn, arg } }`. Cedar has no null, so one is refused.
 */
export type CedarValue = Json

/** An entity with its attributes and its direct parents. */
export interface CedarEntity {
  readonly uid: EntityUid
  readonly attrs?: Readonly<Record<string, CedarValue>>
  readonly parents?: readonly EntityUid[]
}

/** May this principal do this to this resource, in this context? */
export interface PolicyRequest {
  readonly principal: EntityUid
  readonly action: EntityUid
  readonly resource: EntityUid
  readonly context: Readonly<Record<string, CedarValue>>
  /** Principal and resource, and the other entities that policies follow. Actions and their groups come from the schema. */
  readonly entities: readonly CedarEntity[]
}

export interface CedarPolicy {
  /** The annotation `@id`, unique in the folder. */
  readonly id: string
  readonly effect: 'permit' | 'forbid'
  readonly annotations: Readonly<Record<string, string>>
  readonly text: string
  /** The file that it stands in. */
  readonly file: string
}

export interface PolicyError {
  /** The policy that Cedar skipped. Undefined if the request itself is wrong: then no policy was evaluated. */
  readonly policy?: string
  /** What the skipped policy would have done. */
  readonly effect?: CedarPolicy['effect']
  readonly message: string
}

export interface PolicyAnswer {
  readonly decision: 'allow' | 'deny'
  /** Those that decided, in the order of their ids: all forbids that hold, else all permits that do. None for a denial by default. */
  readonly policies: readonly CedarPolicy[]
  readonly errors: readonly PolicyError[]
}

/** What a schema declares. */
export interface PolicySchema {
  /** The actions that the schema lets principals of a type ask of resources of a type, in the order of their names. The principals are `User` by default. */
  actionsOn(type: string, principal?: string): readonly string[]
  /** The names of the attributes of an entity type; undefined for a type that the schema has not. */
  attributesOf(type: string): readonly string[] | undefined
  /** The names that the context of an action may have. */
  contextOf(action: string): readonly string[]
}

/**
 * Decides by Cedar policies. An engine answers alike wherever it runs: forbid wins over permit, a policy that fails is skipped, nothing that permits
 * denies. It validates entities and context against the schema first, and denies with an error if they do not fit, or if principal or resource is not
 * among the entities: a forbid that reads an attribute of what is not there would be skipped. It refuses integers that JavaScript would round. It knows
 * nothing of tenants: the caller says what the principal's parents are. It never rejects for a wrong request.
 */
export interface PolicyEngine extends PolicySchema {
  /** Names these policies and this schema: the same text has the same version. */
  readonly version: string
  isAuthorized(request: PolicyRequest): Promise<PolicyAnswer>
}

/** Policies that may be replaced while a program runs. */
export interface PolicySource {
  /** The engine of this moment. A question asks for it once, and is answered by that one. */
  current(): PolicyEngine
}
