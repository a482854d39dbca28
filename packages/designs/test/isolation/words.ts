// Words that tell whose a text is. Each client's texts hold its own mark, which is nowhere else.

/** In every text of a client's items; of the system's and of internal users' too. */
export const markOf = (code: string): string => `mark-${code}`

/** A mark that nobody has. */
export const strangeMark = markOf('zz')

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
const mark = /mark-[a-z0-9]{2}/gi

/** Every id and mark in a text, once, in lower case. */
export function wordsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(uuid), ...text.matchAll(mark)].map(([word]) => word.toLowerCase()))
}

const asIn = (word: string, made: string) => (word === word.toLowerCase() ? made : made.toUpperCase())
const strangeId = (word: string) => asIn(word, `fedc${word.slice(0, 4)}${word.slice(8)}`)

/** The same text with other words for these: ids that never were, and the mark that nobody has. */
export function estranged(text: string, words: ReadonlySet<string>): string {
  const isAmong = (word: string) => words.has(word.toLowerCase())
  return text
    .replace(uuid, (word) => (isAmong(word) ? strangeId(word) : word))
    .replace(mark, (word) => (isAmong(word) ? strangeMark : word))
}

/** The text with these words as they were. All marks are one. */
export function recalled(text: string, words: ReadonlySet<string>): string {
  const known = new Map([...words].map((word) => [strangeId(word), word]))
  return text.replace(uuid, (word) => asIn(word, known.get(word.toLowerCase()) ?? word)).replace(mark, 'mark-??')
}
