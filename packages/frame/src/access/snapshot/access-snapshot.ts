import { inTime, type SnapshotData } from '../../decision/snapshot/snapshot-data.ts'

// A browser loads this folder as it stands: it imports nothing but decision/snapshot.

/** One item of the chain by which an action is allowed. */
export interface GivingItem {
  readonly step: string
  readonly entity: string
  readonly id: Readonly<Record<string, string>>
  readonly as?: Readonly<Record<string, string | number | boolean | null>>
}

/** What the subject may do at a place. */
export interface AccessGrant {
  /** The place's id, as it is stored. */
  readonly place: string
  readonly actions: readonly string[]
  /** Only where it was asked for: by action, the chain that holds longest. */
  readonly evidence?: Readonly<Record<string, readonly GivingItem[]>>
}

/** What a subject may do, as it was read at one moment: plain data, for JSON. */
export type AccessData = SnapshotData<AccessGrant> & {
  /** Its id; absent if there is no such subject. */
  readonly subject?: string
  /** The place that it is about; absent if it is about all of them. */
  readonly place?: string
}

/** What a subject may do, as it was read at one moment, and for a short while after. A snapshot learns of no later change. */
export interface AccessSnapshot extends Omit<AccessData, 'format'> {
  /**
   * May the subject do this? Answered at once from what was read, and with no once the snapshot has expired, or before it was issued.
   * @param place an id as it is stored; the place that the snapshot is about unless given
   */
  can(action: string, place?: string): boolean
  /** The data that `JSON.stringify` writes, and `readAccess` reads. */
  toJSON(): AccessData
}

/**
 * @param data trusted, or checked by `readAccess`
 * @param now_ms the clock by which the snapshot was issued: milliseconds since the epoch
 */
export function accessSnapshot(data: AccessData, now_ms: () => number): AccessSnapshot {
  const { format: _, ...shown } = data
  const holds = inTime(data, now_ms)
  const actions = new Map(data.grants.map((grant) => [grant.place, new Set(grant.actions)]))
  return Object.freeze({
    ...shown,
    can: (action, place = data.place) => place !== undefined && actions.get(place)?.has(action) === true && holds(),
    toJSON: () => data,
  } satisfies AccessSnapshot)
}
