import { createHash, timingSafeEqual } from 'node:crypto'

/** The two halves of a key: its public id, and its secret as text. */
export interface KeyParts {
  readonly keyId: string
  readonly secret: string
}

/** 256 random bits cannot be guessed, so that one round of SHA-256 keeps them; the slow hashes are for what people choose. */
export const secretBytes = 32

/** `fhk_<ULID>_<secret, base64url>`: the prefix lets scanners of source code recognise a key that was left there. */
const keyForm = /^fhk_([0-7][0-9A-HJKMNP-TV-Z]{25})_([A-Za-z0-9_-]{43})$/

export function formatKeyText({ keyId, secret }: KeyParts): string {
  return `fhk_${keyId}_${secret}`
}

/** The halves of a key's text; undefined for what cannot be one, so that it costs no read. */
export function parseKeyText(text: string): KeyParts | undefined {
  const [, keyId, secret] = keyForm.exec(text) ?? []
  return keyId === undefined || secret === undefined ? undefined : { keyId, secret }
}

/** SHA-256 of the secret's text, in hex. The text and not its bytes: base64url spells some bytes in several ways. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

const noHash = '0'.repeat(64)

/** True where the secret has this hash. Without a hash it takes as long, and is false. */
export function isSecretOf(secret: string, hash: string | undefined): boolean {
  const stored = Buffer.from(hash ?? noHash, 'hex')
  const own = Buffer.from(hashOf(secret), 'hex')
  return stored.length === own.length && timingSafeEqual(stored, own) && hash !== undefined
}
