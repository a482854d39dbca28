import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Say } from '@freehold/service'
import { isFreeholdError } from '@freehold/table'
import { codeOf } from '../engine/atomic-file.ts'
import { namesIn } from '../input/read-folder.ts'
import { safeText } from '../output/safe-text.ts'

/**
 * Tells one state of a folder from another, by what the file system says of its files. Looking finds what no event tells: a folder that was moved into
 * place, files behind symbolic links, and file systems of other machines.
 */
export async function lookAt(path: string, takes: (name: string) => boolean): Promise<string> {
  try {
    const names = await namesIn(path, takes)
    const seen = await Promise.all(
      names.map(async (name) => {
        const { ino, size, mtimeNs, ctimeNs } = await stat(join(path, name), { bigint: true })
        return [name, ino, size, mtimeNs, ctimeNs].join(' ')
      }),
    )
    return seen.join('\n')
  } catch (error) {
    return codeOf(error) || 'unknown'
  }
}

export interface WatchedFolder {
  /** What it is called in a log: `the folder policies`. */
  readonly called: string
  look(): Promise<string>
  /** Takes what is in the folder now, or throws and keeps what there was. */
  reload(): Promise<void>
  readonly log: Say
  /** Waits between two looks. */
  pause(signal: AbortSignal): Promise<unknown>
}

/**
 * Reloads a folder when it has changed. A folder that is being written is left alone until two looks see the same, so that half of a change is not
 * taken for the whole.
 * @param first how the folder looked before it was loaded
 * @returns a function that ends the watch
 */
export function watchFolder({ called, look, reload, log, pause }: WatchedFolder, first: string): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const watch = async (): Promise<void> => {
    let [loaded, before] = [first, first]
    for (;;) {
      await pause(signal).catch(() => {})
      if (signal.aborted) return
      const now = await look()
      const isSettled = now === before
      before = now
      if (now === loaded || !isSettled) continue
      loaded = now
      try {
        await reload()
        log(`Reloaded ${called}.`)
      } catch (error) {
        const why = isFreeholdError(error) ? error.message : 'It could not be read.'
        log(safeText(`Kept what ${called} held before: its new state is refused. ${why}`), 'error')
      }
    }
  }
  void watch()
  return () => ending.abort()
}
