import type { Action } from './action.ts'
import { keyText, type TableKey } from './keys.ts'
import type { Stored } from './stored.ts'

/** The items that planning knows: those that were read, keys without an item, and items that this write puts. */
export interface Known {
  /** The item under the key, undefined if there is none, `unread` if the key was not read. */
  look(key: TableKey): Stored | undefined | 'unread'
  /** True if this write puts the item, so that it needs no check. */
  isPending(key: TableKey): boolean
}

/**
 * A view of items that were read, and of the puts planned so far, by their keys' texts. Its caller adds to both maps: a large transaction has
 * one view, since one for each step would list all puts again.
 */
export function knownFrom(read: ReadonlyMap<string, Stored | undefined>, pending: ReadonlyMap<string, Stored> = new Map()): Known {
  return {
    look: (key) => {
      const place = keyText(key)
      return pending.get(place) ?? (read.has(place) ? read.get(place) : 'unread')
    },
    isPending: (key) => pending.has(keyText(key)),
  }
}

/** The keys that must be read before the plan can be made. */
export interface Needs {
  readonly needs: readonly TableKey[]
}

export interface Planned {
  readonly needs?: undefined
  readonly actions: readonly Action[]
  /** The item after the write, for steps that return it. */
  readonly item?: Stored | undefined
  /** The attributes that name the item, if it is written without being read. */
  readonly named?: Stored | undefined
  /** Copies in other items must follow this change (spec rule 11). */
  readonly follows?: boolean
  /** The item is marked. A job must remove its dependants, then the item itself (spec rule 12). */
  readonly removes?: boolean
}
