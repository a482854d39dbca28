import { existsSync, realpathSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { LmdbStore } from './lmdb-store.ts'
import type { Store } from './store.ts'

interface Shared {
  readonly store: LmdbStore
  users: number
  closing?: Promise<void>
}

/** An open store. Closing it again does nothing. */
export interface Opened {
  readonly store: Store
  close(): Promise<void>
}

/** The files that this process has open. */
const opened = new Map<string, Shared>()

/**
 * Opens a store on disk. A process opens each file once: a second handle would wait for a write of the first, and that for the process's only thread.
 * @param path a folder, which is made if it is not there, or a file that ends in `.mdb`
 * @throws StorageError
 */
export async function openSharedStore(path: string): Promise<Opened> {
  const named = resolve(extname(path) === '.mdb' ? path : join(path, 'data.mdb'))
  const known = (): Shared | undefined => (existsSync(named) ? opened.get(realpathSync(named)) : undefined)
  for (let closing = known()?.closing; closing !== undefined; closing = known()?.closing) await closing
  const shared = known() ?? { store: new LmdbStore(named), users: 0 }
  // Only a file that is there has one name: the way to it may be a link.
  const file = realpathSync(named)
  opened.set(file, shared)
  shared.users += 1
  let isOpen = true
  return {
    store: shared.store,
    async close() {
      if (isOpen) shared.users -= 1
      isOpen = false
      if (shared.users > 0) return
      shared.closing ??= shared.store.close().finally(() => opened.delete(file))
      await shared.closing
    },
  }
}
