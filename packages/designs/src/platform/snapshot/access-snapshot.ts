import { inTime, type SnapshotData } from '@freehold/frame/snapshot'
import { type Action, type Flags, flagOf } from './menu-flags.ts'

// A browser loads this folder as it stands: it imports nothing but decision/snapshot.

/** An account, or one of its workstreams. */
export interface PlaceIds {
  readonly accountId: string
  readonly workstreamId?: string
}
/** A role that the user has by a group, and what it may do in the menu. */
export type GivingRole = Flags & { readonly groupId: string; readonly roleId: string }
/** A menu in which the user may do something. */
export type AccessGrant = Flags & {
  readonly menuKey: string
  /** Only where it was asked for. */
  readonly evidence?: readonly GivingRole[]
}

/** The permissions of a user, as they were read at one moment: plain data, for JSON. */
export type AccessData = SnapshotData<AccessGrant> & {
  /** Absent if there is no such user. */
  readonly userId?: string
  /** The place that it is about or, if it is about all, the user's account and its workstreams there. The grants are those of each of them. */
  readonly places: readonly PlaceIds[]
}

/** A place, in the words of a question. */
export interface AskedPlace {
  readonly account: string
  readonly workstream?: string | undefined
}

/** The permissions of a user, as they were read at one moment, and for a short while after. A snapshot learns of no later change. */
export interface AccessSnapshot extends Omit<AccessData, 'format'> {
  /**
   * May the user do this in this menu? Answered at once from what was read, and with no once the snapshot has expired, or before it was issued.
   * Malformed input is denied.
   * @param permission the menu's key as it is stored, and the action
   * @param place ids as they are stored; the first place of the snapshot unless given: the one that was asked for, or else the user's account
   */
  can(permission: { readonly menu: string; readonly action: Action }, place?: AskedPlace): boolean
  /** The data that `JSON.stringify` writes, and `readAccess` reads. */
  toJSON(): AccessData
}

/**
 * @param data trusted, or checked by `readAccess`
 * @param now_ms the clock: milliseconds since the epoch, by which the snapshot was issued
 */
export function accessSnapshot(data: AccessData, now_ms: () => number): AccessSnapshot {
  const { format: _, ...shown } = data
  const holds = inTime(data, now_ms)
  const menus = new Map(data.grants.map((grant) => [grant.menuKey, grant]))
  const accountId = data.places[0]?.accountId
  const workstreams = new Set(data.places.map(({ workstreamId }) => workstreamId))
  const first = data.places[0] && { account: data.places[0].accountId, workstream: data.places[0].workstreamId }
  return Object.freeze({
    ...shown,
    can: (permission, place = first) => {
      if (typeof permission !== 'object' || permission === null || typeof place !== 'object' || place === null) return false
      // All places of a user are of one account.
      if (place.account !== accountId || !workstreams.has(place.workstream)) return false
      const grant = menus.get(permission.menu)
      return grant !== undefined && Object.hasOwn(flagOf, permission.action) && grant[flagOf[permission.action]] && holds()
    },
    toJSON: () => data,
  } satisfies AccessSnapshot)
}
