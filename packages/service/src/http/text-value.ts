/** How a value is stored, of which query strings know only the text. */
export type StoredAs = 'string' | 'number' | 'boolean' | 'list' | 'map'

const number = /^-?\d+(?:\.\d+)?$/

/** The value that a query parameter's text means where one of this form is wanted; the text itself where it is none, to be refused by that name. */
export function valueOfText(text: string, stored: StoredAs): unknown {
  if (stored === 'number' && number.test(text)) return Number(text)
  if (stored === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
