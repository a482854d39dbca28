import { type Kind, Mismatch, textKind } from './kind.ts'

const ulidForm = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const ulidSpelled = /^\s*[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}\s*$/

/** 26 characters of Crockford's base 32, stored upper case (spec rule 5). */
export const ulidKind: Kind<string> = textKind(
  'ulid',
  (value) => {
    // The form is checked first: case folding would turn some other letters into ASCII.
    if (!ulidSpelled.test(value)) throw new Mismatch('is not a ULID')
    return value.trim().toUpperCase()
  },
  { pattern: ulidForm, bytesMax: 26 },
  { spelled: { pattern: ulidSpelled, stored: ulidForm } },
)

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const uuidSpelled = /^\s*[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\s*$/

function normalUuid(value: string): string {
  if (!uuidSpelled.test(value)) throw new Mismatch('is not a UUID')
  return value.trim().toLowerCase()
}

/** RFC 9562 in its 36-character form, any version, stored lower case (spec rule 5). */
export const uuidKind: Kind<string> = textKind(
  'uuid',
  normalUuid,
  { pattern: uuidForm, bytesMax: 36 },
  { format: 'uuid', spelled: { pattern: uuidSpelled, stored: uuidForm } },
)

/** A UUID; or a word for something that has none, perhaps with its name: `operator key 7`. A name has 100 UTF-16 units at most. */
export function uuidOrKind(word: string): Kind<string> {
  // The control characters as ranges: the document of the API tells the pattern, and not every language knows `\p`.
  const other = new RegExp(`^${word}(?: [^\\x00-\\x1f\\x7f-\\x9f]{1,100})?$`, 'u')
  const normalise = (value: string) => (other.test(value) ? value : normalUuid(value))
  const stored = new RegExp(`${uuidForm.source}|${other.source}`, 'u')
  return textKind(
    'uuid',
    normalise,
    { pattern: stored },
    { spelled: { pattern: new RegExp(`${uuidSpelled.source}|${other.source}`), stored } },
  )
}

const opaqueForm = /^[A-Za-z0-9._-]+$/
const opaqueSpelled = /^\s*[A-Za-z0-9._-]+\s*$/

/** An identifier without a meaning: letters, digits, dot, underscore and hyphen. Case matters. */
export const opaqueKind: Kind<string> = textKind(
  'opaque id',
  (value) => {
    // Only ASCII is accepted, so nothing has to be normalised.
    if (!opaqueSpelled.test(value)) throw new Mismatch("is not an identifier of letters, digits, '.', '_' and '-'")
    return value.trim()
  },
  { pattern: opaqueForm },
  { spelled: { pattern: opaqueSpelled, stored: opaqueForm } },
)
