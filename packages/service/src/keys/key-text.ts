import { hash, timingSafeEqual } from 'node:crypto'

/** The two halves of a key: its public id, and its secret as text. */
export interface KeyParts {
  readonly keyId: string
  readonly secret: string
}

/** 256 random bits cannot be guessed, so one round of SHA-256 protects them. Slow hashes are for passwords that people choose. */
export const secretBytes = 32

/** `fhk_<ULID>_<secret, base64url>`. By the prefix, scanners of source code recognise a leaked key. */
const keyForm = /^fhk_([0-7][0-9A-HJKMNP-TV-Z]{25})_([A-Za-z0-9_-]{43})$/

export function formatKeyText({ keyId, secret }: KeyParts): string {
  return `fhk_${keyId}_${secret}`
}

/** The halves of a key's text. Undefined for text that cannot be a key, so that it costs no read. */
export function parseKeyText(text: string): KeyParts | undefined {
  const [, keyId, secret] = keyForm.exec(text) ?? []
  return keyId === undefined || secret === undefined ? undefined : { keyId, secret }
}

/** What is bound to a key, by its own id, with a secret of its own: a session of the console, or a link that opens it. */
export interface BoundParts extends KeyParts {
  readonly id: string
}

/** `fhs`: a session of a key; `fhl`: a link that opens the console as a key; `fhp`: a session of a person. */
type BoundKind = 'fhs' | 'fhl' | 'fhp'

const ulidForm = '[0-7][0-9A-HJKMNP-TV-Z]{25}'
const boundBy = (holder: string) => new RegExp(`^(fh[slp])_(${holder})_(${ulidForm})_([A-Za-z0-9_-]{43})$`)
const byKey = boundBy(ulidForm)
const byPerson = boundBy('[A-Za-z0-9_-]{1,2000}')

export function formatBoundText(kind: BoundKind, { keyId, id, secret }: BoundParts): string {
  return `${kind}_${keyId}_${id}_${secret}`
}

/** The parts of such a text; in place of a key's id that of a person is text in base64url. Undefined for text that cannot be one. */
export function parseBoundText(kind: BoundKind, text: string): BoundParts | undefined {
  const [, of, keyId, id, secret] = (kind === 'fhp' ? byPerson : byKey).exec(text) ?? []
  return of !== kind || keyId === undefined || id === undefined || secret === undefined ? undefined : { keyId, id, secret }
}

/** The SHA-256 of the secret's text, in hex. The text is hashed and not its bytes, since base64url spells some bytes in several ways. */
export function hashOf(secret: string): string {
  return hash('sha256', secret)
}

const noHash = '0'.repeat(64)

/** True if the secret has this hash. Without a hash it is false, and takes the same time. */
export function isSecretOf(secret: string, known: string | undefined): boolean {
  const stored = Buffer.from(known ?? noHash, 'hex')
  const own = hash('sha256', secret, 'buffer')
  return stored.length === own.length && timingSafeEqual(stored, own) && known !== undefined
}
