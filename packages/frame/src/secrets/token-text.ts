import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Nobody guesses so many, however often they try. */
const secretBytes = 32
const form = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/

/** The text of a token: its id, by which it is found, and a secret. Given away once, and never stored. */
export function newTokenText(id: string): string {
  return `${id}.${randomBytes(secretBytes).toString('base64url')}`
}

/** The id that a token's text says; undefined for any other text. */
export function idInToken(text: string): string | undefined {
  return form.exec(text)?.[1]
}

/** The hash that is stored of a token: the SHA-256 of its text, in hexadecimal. */
export function hashOfToken(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** True where the hash is that of the text; in the same time wherever they differ. Nothing has the hash of a token without one. */
export function isHashOf(text: string, hash: string | undefined): boolean {
  const ours = Buffer.from(hashOfToken(text))
  const theirs = Buffer.from(hash ?? '')
  return timingSafeEqual(ours, theirs.length === ours.length ? theirs : Buffer.alloc(ours.length))
}
