import type { Entry } from '../record.ts'
import type { CallBounds } from '../worker-options.ts'
import type { Finding } from './finding.ts'

/** For a machine with more to do than this campaign: only what has no bound goes beyond. */
export const slack_ms = 5000

/** The longest time of a call: each of its steps so long as one call, and a durable job so long as is waited for one, with the step under way then. */
export function boundOf({ steps, waits }: Pick<Entry, 'steps' | 'waits'>, { patience_ms, attempt_ms, wait_ms }: CallBounds): number {
  const call_ms = patience_ms + attempt_ms
  return steps * call_ms + (waits ? wait_ms + call_ms : 0)
}

/** No call goes beyond its bound, and none ends in what is no error of this project. */
export function checkBounds(entries: readonly Entry[], bounds: CallBounds): Finding[] {
  return entries.flatMap((entry): Finding[] => {
    const bound_ms = boundOf(entry, bounds)
    const took_ms = entry.end_ms - entry.start_ms
    const found: Finding[] = []
    if (took_ms > bound_ms + slack_ms)
      found.push({ rule: 'bounds', message: `${entry.name} took ${Math.round(took_ms)} ms, and may take ${bound_ms}`, entries: [entry] })
    if (entry.outcome.is === 'error' && entry.outcome.code === 'thrown')
      found.push({ rule: 'errors', message: `${entry.name} threw ${entry.outcome.message}`, entries: [entry] })
    return found
  })
}
