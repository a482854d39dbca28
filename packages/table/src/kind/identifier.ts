import { type Kind, Mismatch, textKind } from './kind.ts'

const ulidForm = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** 26 characters of Crockford's base 32, stored upper case (spec rule 5). */
export const ulidKind: Kind<string> = textKind(
  'ulid',
  (value) => {
    const id = value.trim()
    // The form is checked first: case folding would turn some other letters into ASCII.
    if (!/^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/.test(id)) throw new Mismatch('is not a ULID')
    return id.toUpperCase()
  },
  { pattern: ulidForm, bytesMax: 26 },
)

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

function normalUuid(value: string): string {
  const id = value.trim()
  if (!/^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/.test(id)) throw new Mismatch('is not a UUID')
  return id.toLowerCase()
}

/** RFC 9562 in its 36-character form, any version, stored lower case (spec rule 5). */
export const uuidKind: Kind<string> = textKind('uuid', normalUuid, { pattern: uuidForm, bytesMax: 36 })

/** A UUID; or a word for something that has none, perhaps with its name: `operator key 7`. A name has 100 UTF-16 units at most. */
export function uuidOrKind(word: string): Kind<string> {
  const other = new RegExp(`^${word}(?: [^\\p{Cc}]{1,100})?$`, 'u')
  const normalise = (value: string) => (other.test(value) ? value : normalUuid(value))
  return textKind('uuid', normalise, { pattern: new RegExp(`${uuidForm.source}|${other.source}`, 'u') })
}

const opaqueForm = /^[A-Za-z0-9._-]+$/

/** An identifier without a meaning: letters, digits, dot, underscore and hyphen. Case matters. */
export const opaqueKind: Kind<string> = textKind(
  'opaque id',
  (value) => {
    // Only ASCII is accepted, so nothing has to be normalised.
    const id = value.trim()
    if (!opaqueForm.test(id)) throw new Mismatch("is not an identifier of letters, digits, '.', '_' and '-'")
    return id
  },
  { pattern: opaqueForm },
)
