import { isFreeholdError } from '@freehold/table'
import { safeText } from '../output/safe-text.ts'

export interface WatchedStore {
  /** What it is called in a log: `the policy store PSEXAMPLEabcdefg111111`. */
  readonly called: string
  /** Reads the store if it has changed, and tells whether it has; or throws, and keeps what was read before. */
  refresh(): Promise<boolean>
  log(sentence: string): void
  /** Waits between two requests. */
  pause(signal: AbortSignal): Promise<unknown>
}

/**
 * Reads a policy store again when it has changed. Its policies decide without that; its schema says which questions are asked at all.
 * @returns a function that ends the watch
 */
export function watchStore({ called, refresh, log, pause }: WatchedStore): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const watch = async (): Promise<void> => {
    let problem: string | undefined
    for (;;) {
      await pause(signal).catch(() => {})
      if (signal.aborted) return
      try {
        if ((await refresh()) && !signal.aborted) log(`Read ${called} again, which has changed.`)
        problem = undefined
      } catch (error) {
        const why = isFreeholdError(error) ? error.message : 'It could not be read.'
        // A store that is away for an hour is told once.
        if (why !== problem && !signal.aborted) log(safeText(`Kept what was read of ${called} before. ${why}`))
        problem = why
      }
    }
  }
  void watch()
  return () => ending.abort()
}
