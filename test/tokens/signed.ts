import type { Issuer } from '@freehold/frame/issuers'
import { exportJWK, generateKeyPair } from 'jose'

const pairs = {
  /** Of the issuer. */
  own: await generateKeyPair('RS256'),
  /** Of the second issuer, under the same key id. */
  second: await generateKeyPair('RS256'),
  /** Of nobody. */
  stranger: await generateKeyPair('RS256'),
  /** Of the issuer, for ES256. */
  curve: await generateKeyPair('ES256'),
}
export type Signer = keyof typeof pairs

const publicKey = async (name: Signer) => ({ ...(await exportJWK(pairs[name].publicKey)), use: 'sig' })
export const ownKey = { ...(await publicKey('own')), kid: 'one', alg: 'RS256' }
export const strangersKey = await publicKey('stranger')

/** An id of a user, as the designs write it. */
export const ada = '01HA0000000000000000000001'
export const now = new Date('2026-03-01T12:00:00Z')
export const now_s = now.getTime() / 1000

/** The issuer of the tokens, and a second one which no token of the first may pass for. */
export const issuer: Issuer = {
  issuer: 'https://id.example.org/',
  audience: 'tickets',
  keys: { keys: [ownKey, { ...(await publicKey('curve')), kid: 'two', alg: 'ES256' }] },
  algorithms: ['RS256', 'ES256'],
  user: { claim: 'sub' },
  leeway_s: 5,
}
export const second: Issuer = {
  issuer: 'https://second.example.org/',
  audience: 'tickets',
  keys: { keys: [{ ...(await publicKey('second')), kid: 'one', alg: 'RS256' }] },
  algorithms: ['RS256'],
  user: { provider: 'second' },
}

export const encoded = (text: string | Uint8Array) => Buffer.from(text).toString('base64url')

/** A text signed as it is, whatever its header says. */
export async function signed(input: string, by: Signer): Promise<string> {
  const algorithm = by === 'curve' ? { name: 'ECDSA', hash: 'SHA-256' } : 'RSASSA-PKCS1-v1_5'
  return `${input}.${encoded(new Uint8Array(await crypto.subtle.sign(algorithm, pairs[by].privateKey, Buffer.from(input))))}`
}

/** JSON without the members that are undefined. */
export const claimsOf = (claims: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ iss: issuer.issuer, aud: 'tickets', sub: ada, iat: now_s, exp: now_s + 600, ...claims })
export const headerOf = (header: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ alg: 'RS256', kid: 'one', typ: 'JWT', ...header })
