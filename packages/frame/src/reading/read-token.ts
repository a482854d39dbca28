import { type Fields, isFields } from '../gateway/gateway-event.ts'
import { readJson } from './read-json.ts'
import { textOfPart } from './read-text.ts'

/** The parts of a signed JWT. Nothing of them is verified. */
export interface TokenParts {
  readonly header: Fields
  readonly claims: Fields
}

/** The bytes of a text in base64url. Undefined if another text has the same bytes: RFC 4648, section 3.5. */
export function base64urlBytes(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** A byte order mark stays in the text, which then is no JSON. */
function objectOf(part: string): Fields | undefined {
  const bytes = base64urlBytes(part)
  const read = readJson((bytes && textOfPart(bytes)) ?? '')
  return read.problem === undefined && isFields(read.value) ? read.value : undefined
}

/**
 * Reads a token as every other reader would: RFC 8725, section 2.4. Undefined for one of several readings: a name given twice, a byte order mark, a number
 * that is rounded, a part that has another spelling.
 * @param text in compact form
 */
export function readToken(text: string): TokenParts | undefined {
  const [first = '', second = '', signature = '', ...more] = text.split('.')
  const [header, claims] = [objectOf(first), objectOf(second)]
  if (header === undefined || claims === undefined || more.length > 0 || base64urlBytes(signature) === undefined) return undefined
  return { header, claims }
}

/** True for text without control characters and halves of pairs. */
export const isPlainText = (text: string): boolean => !/[\p{Cc}\p{Surrogate}]/u.test(text)
