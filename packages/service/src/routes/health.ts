import { type ConnectedTable, FreeholdError, type Runtime } from '@freehold/table'
import { readItem, touchTable } from '@freehold/table/runtime'
import { type Cause, causeOf } from '../http/cause.ts'
import { problem } from '../http/problem.ts'
import type { Answer } from '../http/route.ts'

/** How long a table may take to answer its one attempt, in milliseconds: who asks for health wants to know it now. */
const bounds = { patience_ms: 0, attempt_ms: 1_000 } as const
/** One look serves all who ask within this time, as no key is needed to ask. */
const reuse_ms = 1_000

/** A key that no design can make, so that the read costs least and finds nothing. */
const nowhere = { PK: 'FREEHOLD_HEALTH', SK: 'FREEHOLD_HEALTH' }

/** Undefined of a table that did it; else why it did not, for the log. */
async function causeOfFailure({ table }: Runtime, does: () => Promise<unknown>): Promise<Cause | undefined> {
  try {
    await does()
    return undefined
  } catch (error) {
    return { ...(error instanceof FreeholdError ? causeOf(error) : { name: error instanceof Error ? error.name : typeof error }), table }
  }
}

type Health = 'ok' | 'failed'

function healthOf(cause: Cause | undefined): Health {
  return cause === undefined ? 'ok' : 'failed'
}

async function firstFailure(runtimes: readonly Runtime[], does: (runtime: Runtime) => Promise<unknown>): Promise<Cause | undefined> {
  const causes = runtimes.map((runtime) => causeOfFailure(runtime, () => does({ ...runtime, ...bounds })))
  return (await Promise.all(causes)).find((cause) => cause !== undefined)
}

/** Reads and writes, side by side: a disk that is full answers the one and not the other, and a write that hangs holds up no read. */
async function look(read: readonly Runtime[], written: readonly Runtime[]): Promise<Answer> {
  const reading = firstFailure(read, (runtime) => readItem(runtime, nowhere, {}))
  const [notRead, notWritten] = await Promise.all([reading, firstFailure(written, touchTable)])
  const members = { reading: healthOf(notRead), writing: healthOf(notWritten) }
  const cause = notRead ?? notWritten
  if (cause === undefined) return { status: 200, body: { status: 'ok', ...members } }
  const detail = notRead === undefined ? 'A table takes no writes.' : 'A table does not answer.'
  return problem('Unavailable', detail, { members, cause })
}

/**
 * Says whether all tables can be read and written, and nothing else. `keys`: the table of the API keys, without which no other request is answered.
 * Serving only reads that one.
 */
export function healthCheck(
  tables: readonly Pick<ConnectedTable, 'runtime'>[],
  keys?: Pick<ConnectedTable, 'runtime'>,
): () => Promise<Answer> {
  const written = tables.map(({ runtime }) => runtime)
  const read = keys === undefined ? written : [...written, keys.runtime]
  let last: { readonly at_ms: number; readonly answer: Promise<Answer> } | undefined
  return () => {
    const at_ms = performance.now()
    if (last === undefined || at_ms - last.at_ms >= reuse_ms) last = { at_ms, answer: look(read, written) }
    return last.answer
  }
}
