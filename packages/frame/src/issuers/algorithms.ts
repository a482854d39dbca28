/** Signatures by a private key: their public keys may stand in a key set. */
export const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA'] as const
/** Signatures by a shared secret. RFC 7518, section 3.2: the secret is at least as long as the hash. */
export const secretBytesMin = { HS256: 32, HS384: 48, HS512: 64 } as const

type BySecret = keyof typeof secretBytesMin
export type Algorithm = (typeof asymmetric)[number] | BySecret
export const bySecret = (name: string): name is BySecret => Object.hasOwn(secretBytesMin, name)
// Its keys are those of the type.
export const algorithms: readonly Algorithm[] = [...asymmetric, ...(Object.keys(secretBytesMin) as BySecret[])]
