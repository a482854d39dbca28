import { base64urlBytes } from '@freehold/frame/reading'
import { invalidInput } from '@freehold/table/runtime'
import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import type { TokenMap } from '../map/authorizer-map.ts'
import { secretBytesMin } from './algorithms.ts'

/** A secret as text, whose bytes are those of UTF-8, or its bytes in base64url. */
export type TokenSecret = string | { readonly base64url: string }

export interface KeyOptions {
  /** The secret that issuer and authorizer share, for `keys: secret`. It never stands in the map. */
  readonly secret?: TokenSecret | undefined
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** After a failed request for the key set, the next one is not sent before this has passed: an issuer that is down is not asked by each request. */
const retryAfter_ms = 2_000
/** A key set is asked for again after ten minutes; for an unknown key id at most every thirty seconds. */
const keySet = { cacheMaxAge: 600_000, cooldownDuration: 30_000, timeoutDuration: 3_000 }

const invalid = (message: string) => invalidInput('The authorizer', [{ path: ['token', 'keys'], message }])

/** Asks for a key set. A failure is remembered for a short time. */
function coolingFetch(ask: typeof fetch | undefined): typeof fetch {
  let failed_ms = Number.NEGATIVE_INFINITY
  return async (input, init) => {
    if (performance.now() - failed_ms < retryAfter_ms) throw new Error('The key set could not be fetched a moment ago.')
    try {
      // Node loads its own `fetch` when it is first named: not at the start.
      const response = await (ask ?? fetch)(input, init)
      if (response.status !== 200) failed_ms = performance.now()
      return response
    } catch (error) {
      failed_ms = performance.now()
      throw error
    }
  }
}

/** The secret of a variable, which has either form: text, or an object in JSON. */
export function secretOf(variable: string | undefined): TokenSecret | undefined {
  const [, base64url] = /^\s*\{\s*"base64url"\s*:\s*"([^"]*)"\s*\}\s*$/.exec(variable ?? '') ?? []
  return base64url === undefined ? variable : { base64url }
}

function bytesOf(secret: TokenSecret): Uint8Array {
  const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : base64urlBytes(secret.base64url)
  if (bytes === undefined) throw invalid('are a secret, which is not in base64url')
  return bytes
}

/**
 * The keys that verify tokens. Algorithms by secret and by key pair never mix, so that a public key is never taken for a secret.
 * @throws InvalidInput if the secret is missing, too short or not in base64url
 */
export function tokenKeys({ keys, algorithms }: TokenMap, { secret, fetch: ask }: KeyOptions): JWTVerifyGetKey {
  if (keys === 'secret') {
    const key = bytesOf(secret ?? '')
    const needed = Math.max(...algorithms.map((name) => secretBytesMin[name as keyof typeof secretBytesMin] ?? 0))
    if (key.length < needed) throw invalid(`are a secret, which ${key.length === 0 ? 'is missing' : `is shorter than ${needed} bytes`}`)
    return async () => key
  }
  if ('inline' in keys) return createLocalJWKSet(keys.inline)
  return createRemoteJWKSet(new URL(keys.jwks), { ...keySet, [customFetch]: coolingFetch(ask) })
}
