/** How a value is stored. A query string only has its text. */
export type StoredAs = 'string' | 'number' | 'boolean' | 'list' | 'map' | 'set'

const number = /^-?\d+(?:\.\d+)?$/

/** The value of a query parameter in the stored form. Text of another form is returned unchanged, so that the validation refuses it. */
export function valueOfText(text: string, stored: StoredAs): unknown {
  if (stored === 'number' && number.test(text)) return Number(text)
  if (stored === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
