import { invalidInput } from '@freehold/table/runtime'
import type { RequestHeaders } from './service-request.ts'

const formType = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** True for a request whose headers declare a form of a page. */
export function isForm(headers: RequestHeaders): boolean {
  return formType.test(headers.get('content-type') ?? '') && headers.get('content-encoding') === null
}

/** The most characters of a field. */
export const fieldChars_max = 1_000

/** Parses the form of a page into its fields. Throws `InvalidInput` for a repeated field, one that is too long, and text that is not UTF-8. */
export function parseForm(bytes: Uint8Array): Readonly<Record<string, string>> {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // `URLSearchParams` would replace what is not UTF-8 in percent-encoding.
    decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidInput('The form', [{ path: [], message: 'is not UTF-8' }])
  }
  const fields = [...new URLSearchParams(text)]
  const names = new Set(fields.map(([name]) => name))
  if (names.size < fields.length) throw invalidInput('The form', [{ path: [], message: 'has a field twice' }])
  if (fields.some(([, value]) => value.length > fieldChars_max))
    throw invalidInput('The form', [{ path: [], message: `has a field of more than ${fieldChars_max} characters` }])
  return Object.fromEntries(fields)
}
