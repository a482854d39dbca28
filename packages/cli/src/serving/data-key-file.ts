import { readFileSync, statSync } from 'node:fs'
import { type DataKeys, type KeyWrapping, kmsWrapping, openDataKeys, plainDataKeys, wrappedIn } from '@freehold/frame/credentials'
import { invalid } from '../input/invalid.ts'
import { safeText } from '../output/safe-text.ts'

/**
 * The data keys of a file, unwrapped by AWS KMS if they are wrapped. What they do not open, or have not signed, is tried once more with the file as it is
 * now: `freehold keys rotate` may have put a newer key into it. Throws `InvalidInput` for a file that cannot be read, or has no keys.
 */
export async function dataKeysIn(path: string, wrapping: KeyWrapping = kmsWrapping()): Promise<DataKeys> {
  const textNow = () => {
    try {
      return { text: readFileSync(path, 'utf8'), changed_ms: statSync(path).mtimeMs }
    } catch {
      throw invalid(`The file of data keys ${safeText(path)} cannot be read: freehold keys rotate makes it.`)
    }
  }
  const read = async () => {
    const { text, changed_ms } = textNow()
    return { keys: await openDataKeys(text, wrapping), changed_ms }
  }
  let found = await read()
  let isReading = false
  const again = <R>(work: (keys: DataKeys) => R | undefined): R | undefined => {
    const done = work(found.keys)
    if (done !== undefined || statSync(path).mtimeMs === found.changed_ms) return done
    const { text, changed_ms } = textNow()
    if (wrappedIn(text) === undefined) {
      found = { keys: plainDataKeys(text), changed_ms }
      return work(found.keys)
    }
    // KMS is asked beside this request. A later one has the key.
    if (!isReading) {
      isReading = true
      void read()
        .then((now) => {
          found = now
        })
        .catch(() => undefined)
        .finally(() => {
          isReading = false
        })
    }
    return undefined
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
