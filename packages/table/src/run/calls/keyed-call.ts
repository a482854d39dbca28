import type { Entity } from '../../design/form.ts'
import type { Json } from '../../kind/value.ts'

/** An item that a call made or changed. */
export interface MadeItem {
  readonly entity: string
  /** The attributes of its key: ids, and never a secret. */
  readonly id: Readonly<Record<string, Json>>
}

/** A call that has one effect, however often it is sent: its record is part of its first write. */
export interface KeyedCall {
  /** A ULID, of this attempt alone. */
  readonly id: string
  /** The digest of the caller and its key: where the record lies. */
  readonly digest: string
  /** The digest of the request: another one with the same key is refused. */
  readonly request: string
  /** Kept for the answer to a repeat. */
  readonly told: Json
  /** True for the entities whose items the answer names. */
  readonly names: (entity: Entity) => boolean
  /** From then on its writes have no record. */
  isRecorded: boolean
}

/** Thrown by a write whose call is recorded already. Nothing was written. */
export class CallRecorded extends Error {}
