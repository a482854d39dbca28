import type { Action } from './action.ts'
import { keyText, type TableKey } from './keys.ts'
import type { Stored } from './stored.ts'

/** What planning has been told about the table: items that were read, places that were found empty, items this write puts. */
export interface Known {
  /** The item; undefined where there is none; `unread` where nobody has looked. */
  look(key: TableKey): Stored | undefined | 'unread'
  /** True where the item is put by this very write, so that no check of it is needed. */
  isPending(key: TableKey): boolean
}

/** A view of items that were read, and of the puts planned so far. */
export function knownFrom(read: ReadonlyMap<string, Stored | undefined>, planned: readonly Action[]): Known {
  const pending = new Map(planned.flatMap((action) => (action.kind === 'put' ? [[keyText(action.key), action.item] as const] : [])))
  return {
    look: (key) => {
      const place = keyText(key)
      return pending.get(place) ?? (read.has(place) ? read.get(place) : 'unread')
    },
    isPending: (key) => pending.has(keyText(key)),
  }
}

/** What a plan asks for before it can be made. */
export interface Needs {
  readonly needs: readonly TableKey[]
}

export interface Planned {
  readonly needs?: undefined
  readonly actions: readonly Action[]
  /** The item as it will be, for steps that give one back. */
  readonly item?: Stored | undefined
  /** Copies elsewhere must follow this change (spec rule 11). */
  readonly follows?: boolean
  /** The item was marked, and a job must remove what hangs on it, then itself (spec rule 12). */
  readonly removes?: boolean
}
