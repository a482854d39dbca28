import { hash } from 'node:crypto'
import { recentlyUsed } from '@freehold/designs'
import type { AdmissionLimits } from './limits.ts'

/** A text that a request brings. */
export interface Brought {
  /** The name of the caller who sends it, if that is known. */
  readonly caller: string | undefined
  /** Remembers the caller, once the text is verified. */
  verified(caller: string): void
}

/** The callers whose keys or tokens were verified lately, by the text that they send. */
export interface KnownCallers {
  brought(authorization: string): Brought
}

/**
 * Before a key is verified, its text names nobody: its public half is in logs, and anybody can make up another. So a caller is known by the whole
 * text, of which only a hash is kept.
 * @param now_ms a monotonic clock
 */
export function knownCallers({ known_max, known_ms }: Pick<AdmissionLimits, 'known_max' | 'known_ms'>, now_ms: () => number): KnownCallers {
  const known = recentlyUsed<{ readonly caller: string; readonly until_ms: number }>(known_max)
  return {
    brought: (authorization) => {
      const digest = hash('sha256', authorization, 'base64')
      const found = known.get(digest)
      return {
        caller: found !== undefined && now_ms() < found.until_ms ? found.caller : undefined,
        verified: (caller) => {
          // To write it with each request would take longer than to look it up.
          if (found?.caller === caller && found.until_ms - now_ms() > known_ms / 2) return
          known.set(digest, { caller, until_ms: now_ms() + known_ms })
        },
      }
    },
  }
}
