import { hash } from 'node:crypto'
import { recentlyUsed } from '@freehold/designs'

/** More keys and tokens than one process has at a time. */
const entries_max = 10_000
/** A key that was revoked is a stranger's again after this time. */
const kept_ms = 60_000

/** The callers whose keys or tokens were verified lately, by the text that they send. */
export interface KnownCallers {
  /** The name of the caller who sends this text. */
  callerOf(authorization: string): string | undefined
  remember(authorization: string, caller: string): void
}

/**
 * Before a key is verified, its text names nobody: its public half is in logs, and anybody can make up another. So a caller is known by the whole
 * text, of which only a hash is kept.
 * @param now_ms a monotonic clock
 */
export function knownCallers(now_ms: () => number): KnownCallers {
  const known = recentlyUsed<{ readonly caller: string; readonly until_ms: number }>(entries_max)
  const digest = (text: string) => hash('sha256', text, 'base64')
  return {
    callerOf: (authorization) => {
      const found = known.get(digest(authorization))
      return found !== undefined && now_ms() < found.until_ms ? found.caller : undefined
    },
    remember: (authorization, caller) => known.set(digest(authorization), { caller, until_ms: now_ms() + kept_ms }),
  }
}
