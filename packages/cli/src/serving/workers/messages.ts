import type { Bound, CountedMetrics } from '@freehold/service'
import type { ErrorCode } from '@freehold/table'

/** The state of a folder by which a module decides: its name, and its files by their names. */
export interface HandedFolder {
  readonly name: string
  readonly texts: readonly (readonly [file: string, text: string])[]
}

/** What a worker must know that only its supervisor does. */
export interface Orders {
  readonly does: 'serve'
  /** Where the supervisor listens. */
  readonly bound: Bound
  /** The secret of cursors, base64: a cursor of one worker is good at another. */
  readonly secret: string
  /** The folder of mails that stay. */
  readonly mailFolder: string
  /** The folders of modules, as the supervisor has taken them: all decide by the same, also one that begins while a folder is refused. */
  readonly folders: readonly HandedFolder[]
}

/** To a worker. */
export type ToWorker =
  | Orders
  /** With a connection that it answers. Each comes before the end, since a channel keeps the order. */
  | { readonly does: 'connection' }
  | { readonly does: 'end' }
  | { readonly does: 'count' }
  | { readonly does: 'take'; readonly folder: HandedFolder }

/** Of a worker: it waits for its orders, it listens, it could not begin, it wants to end, or what it has counted. */
export type OfWorker =
  | { readonly is: 'waiting' }
  | { readonly is: 'counted'; readonly metrics: CountedMetrics }
  | { readonly is: 'listening'; readonly address: string }
  /** At once if it must not answer any more, otherwise as soon as another one listens. */
  | { readonly is: 'ending'; readonly atOnce: boolean }
  | { readonly is: 'failed'; readonly code: ErrorCode; readonly message: string }
