import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import { type Fields, isFields } from '../gateway/gateway-event.ts'
import { readJson } from '../reading/read-json.ts'
import type { Issuer } from './issuer.ts'
import { isKeyAddress } from './key-address.ts'
import { TokenRefusal } from './token-refusal.ts'

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
  /** How long the keys may take to come, 3,000 by default: a gateway waits for ten seconds. */
  readonly timeout_ms: number
  /** The most bytes of an answer, 262,144 by default. */
  readonly bytes_max: number
}

const boundsUnlessGiven: KeySetBounds = {
  age_ms_max: 600_000,
  cooldown_ms: 30_000,
  retryAfter_ms: 2_000,
  timeout_ms: 3_000,
  bytes_max: 262_144,
}

const unavailable = (cause?: unknown) => new TokenRefusal('KeysUnavailable', undefined, { cause })

/** The JSON object at an address. No more of an answer is read than its bound. */
async function objectAt(address: string, ask: typeof fetch, signal: AbortSignal, bytes_max: number): Promise<Fields> {
  const response = await ask(address, { redirect: 'error', signal, headers: { Accept: 'application/json' } })
  if (response.status !== 200) throw new Error(`The issuer answered with the status ${response.status}.`)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > bytes_max) throw new Error(`The answer of the issuer has more than ${bytes_max} bytes.`)
    pieces.push(piece)
  }
  const read = readJson(Buffer.concat(pieces))
  if (read.problem !== undefined) throw new Error(`The answer of the issuer ${read.problem}.`)
  if (!isFields(read.value)) throw new Error('The answer of the issuer is no object.')
  return read.value
}

/** OpenID Connect Discovery 1.0, section 4. Its issuer is this one (section 4.3), so that no other one's keys are taken for its own. */
function keysAddressIn(metadata: Fields, issuer: string): string {
  const { jwks_uri } = metadata
  if (metadata.issuer !== issuer) throw new Error('The metadata are those of another issuer.')
  const isSafe = typeof jwks_uri === 'string' && isKeyAddress(jwks_uri) && (jwks_uri.startsWith('https:') || issuer.startsWith('http:'))
  if (!isSafe) throw new Error('The metadata of the issuer have no https address of its keys.')
  return jwks_uri
}

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

async function fetchKeys({ issuer, keys }: KeysOf, ask: typeof fetch, { timeout_ms, bytes_max }: KeySetBounds): Promise<JWTVerifyGetKey> {
  const signal = AbortSignal.timeout(timeout_ms)
  const at = (address: string) => objectAt(address, ask, signal, bytes_max)
  const names = [issuer].flat()
  const [name = ''] = names
  try {
    const address =
      typeof keys === 'string' ? keys : keysAddressIn(await at(`${name.replace(/\/$/, '')}/.well-known/openid-configuration`), name)
    const { keys: list } = await at(address)
    if (!Array.isArray(list)) throw new Error('The key set of the issuer has no keys.')
    return createLocalJWKSet({ keys: list.filter((key) => isOwn(key, names)) })
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
 * The returned function throws `TokenRefusal` if they cannot be fetched, and an error of jose for a token whose key is not among them.
 */
export function keySetOf(issuer: KeysOf, { now, fetch: ask, bounds }: KeySetOptions): JWTVerifyGetKey {
  const { keys } = issuer
  const all = { ...boundsUnlessGiven, ...bounds }
  const { age_ms_max, cooldown_ms, retryAfter_ms } = all
  if (typeof keys === 'object') return createLocalJWKSet(keys)
  let held: Held | undefined
  let failed_ms = Number.NEGATIVE_INFINITY
  let underWay: Promise<Held> | undefined

  const fetchAgain = (): Promise<Held> => {
    const at_ms = now().getTime()
    if (at_ms >= failed_ms && at_ms - failed_ms < retryAfter_ms) return Promise.reject(unavailable())
    // Node loads its own `fetch` when it is first named: not at the start.
    underWay ??= fetchKeys(issuer, ask ?? fetch, all)
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
