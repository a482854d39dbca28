import { utf8Text } from '@freehold/frame/reading'
import { FreeholdError } from '@freehold/table'
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Issuer } from './issuer.ts'

export interface KeySetOptions {
  readonly now: () => Date
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  readonly bounds?: Partial<KeySetBounds> | undefined
}

/** How long the keys of an issuer are held, in milliseconds. */
export interface KeySetBounds {
  /** A key that the issuer has withdrawn is refused after this time, 600,000 by default. */
  readonly age_ms_max: number
  /** For an unknown key id the set is fetched again, at most once in this time, 30,000 by default: made-up ids do not reach the issuer. */
  readonly cooldown_ms: number
  /** How long an issuer that is down is not asked again, 2,000 by default. */
  readonly retryAfter_ms: number
  /** How long one answer may take, 5,000 by default. */
  readonly timeout_ms: number
  /** The most characters of an answer, 262,144 by default. */
  readonly chars_max: number
}

const boundsUnlessGiven: KeySetBounds = {
  age_ms_max: 600_000,
  cooldown_ms: 30_000,
  retryAfter_ms: 2_000,
  timeout_ms: 5_000,
  chars_max: 262_144,
}

function unavailable(cause?: unknown): FreeholdError {
  return new FreeholdError('Unavailable', 'The keys of the issuer are not available: no token of it is accepted.', {}, { cause })
}

async function fetchKeys(address: string, ask: typeof fetch, { timeout_ms, chars_max }: KeySetBounds): Promise<JWTVerifyGetKey> {
  try {
    const response = await ask(address, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeout_ms),
      headers: { Accept: 'application/json' },
    })
    const text = utf8Text(new Uint8Array(await response.arrayBuffer()), 'The answer of the issuer')
    if (response.status !== 200 || text.length > chars_max) throw new Error(`The issuer answered with the status ${response.status}.`)
    return createLocalJWKSet(JSON.parse(text))
  } catch (error) {
    throw unavailable(error)
  }
}

interface Held {
  readonly at_ms: number
  readonly find: JWTVerifyGetKey
}

/**
 * The keys of an issuer. Those at an address are fetched when a token first needs them, by one request at a time, and held for ten minutes.
 * The returned function throws `Unavailable` if they cannot be fetched, and an error of jose for a token whose key is not among them.
 */
export function keySetOf({ keys }: Pick<Issuer, 'keys'>, { now, fetch: ask = fetch, bounds }: KeySetOptions): JWTVerifyGetKey {
  const all = { ...boundsUnlessGiven, ...bounds }
  const { age_ms_max, cooldown_ms, retryAfter_ms } = all
  if (typeof keys !== 'string') return createLocalJWKSet(keys)
  let held: Held | undefined
  let failed_ms = Number.NEGATIVE_INFINITY
  let underWay: Promise<Held> | undefined

  const fetchAgain = (): Promise<Held> => {
    const at_ms = now().getTime()
    if (at_ms >= failed_ms && at_ms - failed_ms < retryAfter_ms) return Promise.reject(unavailable())
    underWay ??= fetchKeys(keys, ask, all)
      .then(
        (find) => {
          held = { at_ms, find }
          return held
        },
        (error: unknown) => {
          failed_ms = at_ms
          throw error
        },
      )
      .finally(() => {
        underWay = undefined
      })
    return underWay
  }
  /** A clock that was set back says nothing of the age. */
  const isWithin = ({ at_ms }: Held, ms: number) => {
    const age_ms = now().getTime() - at_ms
    return age_ms >= 0 && age_ms < ms
  }

  return async (header, token) => {
    const known = held !== undefined && isWithin(held, age_ms_max) ? held : await fetchAgain()
    try {
      return await known.find(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || isWithin(known, cooldown_ms)) throw error
      return (await fetchAgain()).find(header, token)
    }
  }
}
