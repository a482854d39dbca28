import type { Issuer } from '@freehold/service'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

const { publicKey, privateKey } = await generateKeyPair('ES256')

/** An issuer without the way to its users. */
export const issuer = {
  issuer: 'https://id.example.org/',
  audience: 'freehold',
  keys: { keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] },
  algorithms: ['ES256'],
} as const satisfies Omit<Issuer, 'user'>

/** A token of the issuer for this subject, for an hour. */
export function tokenOf(sub: string, claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return new SignJWT({ iss: issuer.issuer, aud: 'freehold', sub, exp: Math.floor(Date.now() / 1000) + 3_600, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .sign(privateKey)
}
