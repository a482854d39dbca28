import { type Fields, isFields } from '../gateway/gateway-event.ts'
import { readJson } from '../reading/read-json.ts'
import { isKeyAddress } from './key-address.ts'

/** The bounds of what an issuer may cost who asks it. */
export interface RequestBounds {
  /** How long an answer may take to come, 3,000 by default: a gateway waits for ten seconds. */
  readonly timeout_ms: number
  /** The most bytes of an answer, 262,144 by default. */
  readonly bytes_max: number
}

export const requestBoundsUnlessGiven: RequestBounds = { timeout_ms: 3_000, bytes_max: 262_144 }

/** A `fetch` for issuers. It asks safe addresses alone, follows no redirect, and answers with a whole body, or fails in time. */
export function boundedFetch(ask: typeof fetch, signal: AbortSignal, bytes_max: number) {
  return async (address: string, init: RequestInit = {}): Promise<Response> => {
    if (!isKeyAddress(address)) throw new Error('The address is neither https nor of this machine.')
    const response = await ask(address, { ...init, redirect: 'error', signal })
    const pieces: Uint8Array[] = []
    let bytes = 0
    for await (const piece of response.body ?? []) {
      bytes += piece.byteLength
      if (bytes > bytes_max) throw new Error(`The answer of the issuer has more than ${bytes_max} bytes.`)
      pieces.push(piece)
    }
    return new Response(Buffer.concat(pieces), { status: response.status, headers: response.headers })
  }
}

/** The JSON object of an answer. It has one reading. */
export async function objectIn(response: Response): Promise<Fields> {
  if (response.status !== 200) throw new Error(`The issuer answered with the status ${response.status}.`)
  const read = readJson(Buffer.from(await response.arrayBuffer()))
  if (read.problem !== undefined) throw new Error(`The answer of the issuer ${read.problem}.`)
  if (!isFields(read.value)) throw new Error('The answer of the issuer is no object.')
  return read.value
}

/** OpenID Connect Discovery 1.0, section 3. */
export type Metadata = Fields & { readonly issuer: string }

const asJson = { headers: { Accept: 'application/json' } }
export const objectAt = async (address: string, ask: ReturnType<typeof boundedFetch>): Promise<Fields> =>
  objectIn(await ask(address, asJson))

/** OpenID Connect Discovery 1.0, section 4. Its issuer is this one (section 4.3), so that no other one's keys and endpoints are taken for its own. */
export async function metadataOf(issuer: string, ask: ReturnType<typeof boundedFetch>): Promise<Metadata> {
  const metadata = await objectAt(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, ask)
  if (metadata.issuer !== issuer) throw new Error('The metadata are those of another issuer.')
  return { ...metadata, issuer }
}

/** An address in metadata: https, or of this machine as the issuer itself. */
export function addressIn(metadata: Metadata, name: string): string {
  const { [name]: address, issuer } = metadata
  const isSafe = typeof address === 'string' && isKeyAddress(address) && (address.startsWith('https:') || issuer.startsWith('http:'))
  if (!isSafe) throw new Error(`The metadata of the issuer have no https address as ${name}.`)
  return address
}
