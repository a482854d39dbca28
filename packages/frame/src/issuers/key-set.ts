import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import { isFields } from '../gateway/gateway-event.ts'
import { type HoldingBounds, holding } from './held.ts'
import type { Issuer } from './issuer.ts'
import { addressIn, boundedFetch, metadataOf, objectAt, type RequestBounds, requestBoundsUnlessGiven } from './issuer-requests.ts'
import { TokenRefusal } from './token-refusal.ts'

export interface KeySetOptions {
  readonly now: () => Date
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  readonly bounds?: Partial<KeySetBounds> | undefined
}

/** How long the keys of an issuer are held, in milliseconds. */
export interface KeySetBounds extends HoldingBounds, RequestBounds {
  /** A key that the issuer has withdrawn is refused after this time, 600,000 by default. */
  readonly age_ms_max: number
  /** For an unknown key id the set is fetched again, at most once in this time, 30,000 by default: made-up ids do not reach the issuer. */
  readonly cooldown_ms: number
}

export const boundsUnlessGiven: KeySetBounds = {
  ...requestBoundsUnlessGiven,
  ...{ age_ms_max: 600_000, cooldown_ms: 30_000, retryAfter_ms: 2_000 },
}

export const unavailable = (cause?: unknown) => new TokenRefusal('KeysUnavailable', undefined, { cause })

/**
 * True unless a key says that it is of none of these issuers. Entra's key sets have keys of several, each with its `issuer`, in which `{tenantid}` stands for any
 * tenant.
 */
function isOwn(key: unknown, issuers: readonly string[]): boolean {
  if (!isFields(key) || typeof key.issuer !== 'string') return true
  const [before = '', after] = key.issuer.split('{tenantid}')
  return issuers.some((name) => (after === undefined ? name === before : name.startsWith(before) && name.endsWith(after)))
}

type KeysOf = Pick<Issuer, 'issuer' | 'keys'>

async function fetchKeys({ issuer, keys }: KeysOf, ask: ReturnType<typeof boundedFetch>): Promise<JWTVerifyGetKey> {
  const names = [issuer].flat()
  const address = typeof keys === 'string' ? keys : addressIn(await metadataOf(names[0] ?? '', ask), 'jwks_uri')
  const { keys: list } = await objectAt(address, ask)
  if (!Array.isArray(list)) throw new Error('The key set of the issuer has no keys.')
  return createLocalJWKSet({ keys: list.filter((key) => isOwn(key, names)) })
}

/**
 * The keys of an issuer. Those at an address are fetched when a token first needs them, by one request at a time, and held for ten minutes.
 * The returned function throws `TokenRefusal` if they cannot be fetched, and an error of jose for a token whose key is not among them.
 */
export function keySetOf(issuer: KeysOf, { now, fetch: ask, bounds }: KeySetOptions): JWTVerifyGetKey {
  const { keys } = issuer
  const all = { ...boundsUnlessGiven, ...bounds }
  if (typeof keys === 'object') return createLocalJWKSet(keys)
  // Node loads its own `fetch` when it is first named: not at the start.
  const fetching = () => fetchKeys(issuer, boundedFetch(ask ?? fetch, AbortSignal.timeout(all.timeout_ms), all.bytes_max))
  const { current, again, isWithin } = holding(fetching, now, all, unavailable)
  return async (header, token) => {
    const known = await current()
    try {
      return await known.told(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || isWithin(known, all.cooldown_ms)) throw error
      return (await again()).told(header, token)
    }
  }
}
