/** Signatures by a private key: their public keys may stand in a key set. */
export const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA'] as const
/** Signatures by a shared secret. RFC 7518, section 3.2: the secret is at least as long as the hash. */
export const secretBytesMin = { HS256: 32, HS384: 48, HS512: 64 } as const

export type Algorithm = (typeof asymmetric)[number] | keyof typeof secretBytesMin
export const algorithms = [...asymmetric, ...Object.keys(secretBytesMin)]
