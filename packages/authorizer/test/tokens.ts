import { CompactSign, exportJWK, generateKeyPair, generateSecret, type JWK } from 'jose'

export const issuer = 'https://id.example.org/'
export const audience = 'tickets'

const pairs = {
  RS256: await generateKeyPair('RS256', { extractable: true }),
  ES256: await generateKeyPair('ES256', { extractable: true }),
  other: await generateKeyPair('RS256', { extractable: true }),
}
export const secret = 'a secret of at least thirty-two bytes, for tests'

export const publicKey = async (name: keyof typeof pairs): Promise<JWK> => ({ ...(await exportJWK(pairs[name].publicKey)), use: 'sig' })
/** The keys of the issuer. */
export const keySet = {
  keys: [
    { ...(await publicKey('RS256')), kid: 'one', alg: 'RS256' },
    { ...(await publicKey('ES256')), kid: 'two', alg: 'ES256' },
  ],
}

export interface TokenOf {
  /** Claims besides issuer, audience, subject and expiry; undefined takes one away. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  /** The key that signs. `secret` is the shared one, `public` the public key of the issuer, taken for a secret. */
  readonly signedBy?: keyof typeof pairs | 'secret' | 'public' | 'another secret' | 'nobody'
  /** Changes the JSON of the claims, before it is signed. */
  readonly json?: (claims: string) => string
  /** Changes the compact form. */
  readonly change?: (token: string) => string
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function keyOf(name: NonNullable<TokenOf['signedBy']>) {
  switch (name) {
    case 'secret':
      return new TextEncoder().encode(secret)
    case 'another secret':
      return generateSecret('HS256')
    case 'public':
      return new TextEncoder().encode(JSON.stringify(keySet.keys[0]))
    case 'nobody':
      return undefined
    default:
      return pairs[name].privateKey
  }
}

/** A token of the issuer for this subject at this time; without changes a valid one for ten minutes. */
export async function tokenOf(
  sub: string,
  now: Date,
  { claims = {}, header = {}, signedBy = 'RS256', json = (text) => text, change }: TokenOf = {},
): Promise<string> {
  const at = Math.floor(now.getTime() / 1000)
  const all = { iss: issuer, aud: audience, sub, iat: at, exp: at + 600, ...claims }
  const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const protectedHeader = { alg: 'RS256', kid: 'one', typ: 'JWT', ...header }
  const key = await keyOf(signedBy)
  const token =
    key === undefined
      ? `${encoded(protectedHeader)}.${encoded(payload)}.`
      : await new CompactSign(Buffer.from(json(JSON.stringify(payload)))).setProtectedHeader(protectedHeader).sign(key)
  return change === undefined ? token : change(token)
}
