import { type ConnectedTable, type Runtime, readItem } from '@freehold/table'
import { problem } from '../http/problem.ts'
import type { Answer } from '../http/route.ts'

/** How long a table may take to answer, in milliseconds: whoever asks for health wants to know it now. */
const patience_ms = 1_000
/** One look serves all who ask within this time, as no key is needed to ask. */
const reuse_ms = 1_000

/** A key that no design can make, so that the read costs least and finds nothing. */
const nowhere = { PK: 'FREEHOLD_HEALTH', SK: 'FREEHOLD_HEALTH' }

async function answers(runtime: Runtime): Promise<boolean> {
  try {
    await readItem({ ...runtime, patience_ms }, nowhere, {})
    return true
  } catch {
    return false
  }
}

/** Says whether all tables answer, and nothing else. */
export function healthCheck(tables: readonly Pick<ConnectedTable, 'runtime'>[]): () => Promise<Answer> {
  let last: { readonly at_ms: number; readonly isHealthy: Promise<boolean> } | undefined
  return async () => {
    const at_ms = performance.now()
    if (last === undefined || at_ms - last.at_ms >= reuse_ms) {
      const all = Promise.all(tables.map(({ runtime }) => answers(runtime)))
      last = { at_ms, isHealthy: all.then((each) => each.every(Boolean)) }
    }
    return (await last.isHealthy) ? { status: 200, body: { status: 'ok' } } : problem('Unavailable', 'A table does not answer.')
  }
}
