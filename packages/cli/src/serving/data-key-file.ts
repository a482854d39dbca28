import { readFileSync, statSync } from 'node:fs'
import { type DataKeys, plainDataKeys } from '@freehold/frame/credentials'
import { FreeholdError } from '@freehold/table'
import { safeText } from '../output/safe-text.ts'

/**
 * The data keys of a file. What they do not open, or have not signed, is tried once more with the file as it is now: `freehold keys rotate` may have
 * put a newer key into it. Throws `InvalidInput` for a file that cannot be read, or has no keys.
 */
export function dataKeysIn(path: string): DataKeys {
  const read = () => {
    try {
      return { keys: plainDataKeys(readFileSync(path, 'utf8')), changed_ms: statSync(path).mtimeMs }
    } catch (error) {
      if (error instanceof FreeholdError) throw error
      throw new FreeholdError('InvalidInput', `The file of data keys ${safeText(path)} cannot be read: freehold keys rotate makes it.`, {
        issues: [],
      })
    }
  }
  let found = read()
  const again = <R>(work: (keys: DataKeys) => R | undefined): R | undefined => {
    const done = work(found.keys)
    if (done !== undefined || statSync(path).mtimeMs === found.changed_ms) return done
    found = read()
    return work(found.keys)
  }
  return {
    get current() {
      return found.keys.current
    },
    seal: (text, of) => found.keys.seal(text, of),
    isCurrent: (sealed) => found.keys.isCurrent(sealed),
    sign: (purpose, content) => found.keys.sign(purpose, content),
    open: (sealed, of) => again((keys) => keys.open(sealed, of)),
    signed: (purpose, text) => again((keys) => keys.signed(purpose, text)),
  }
}
