import { type Kind, Mismatch, type Spelled, textKind, textSchema } from './kind.ts'
import { checkLookAlike } from './look-alikes.ts'

/** Text of ASCII is in NFC, and has neither marks nor surrogates. */
const ascii = /^[\0-\x7f]*$/
const anyText: RegExp = /^[\s\S]*$/

/**
 * One more than UAX #15 allows in its stream-safe text format. The time to sort marks in a row grows with the square of their number: a
 * mebibyte of them keeps a process busy for minutes. Looked for from the first mark of a row: once, and not from each.
 */
const tooManyMarks = /(?<!\p{M})\p{M}{31}/u

function checkedMarks(text: string): string {
  if (tooManyMarks.test(text)) throw new Mismatch('holds more than 30 combining marks in a row')
  return text
}

/**
 * Text in NFC. Refuses text that would take too long to compose, before and after: some marks become two, and stored text is composed
 * again.
 */
export function composed(value: string): string {
  return checkedMarks(checkedMarks(value).normalize('NFC'))
}

/** Text in NFC and trimmed, in its own case (spec rule 5). An unpaired surrogate has no UTF-8 form and is always refused. */
export function plainText(value: string): string {
  if (ascii.test(value)) return value.trim()
  if (!value.isWellFormed()) throw new Mismatch('holds an unpaired surrogate')
  return composed(value).trim()
}

/**
 * Changes case. Refuses a letter outside ASCII that would become an ASCII letter: the Kelvin sign would otherwise be another spelling of
 * `k`, and one person could take another's name (spec rule 5).
 */
export function foldCase(value: string, to: 'lower' | 'upper'): string {
  const fold = (text: string) => (to === 'lower' ? text.toLowerCase() : text.toUpperCase())
  const plain = plainText(value)
  if (ascii.test(value)) return fold(plain)
  for (const letter of value.trim()) {
    if (letter > '\x7f' && /^[\0-\x7f]*$/.test(fold(letter.normalize('NFC')))) {
      throw new Mismatch(`holds '${letter}', which would turn into the letter '${fold(letter.normalize('NFC'))}'`)
    }
  }
  return composed(fold(plain))
}

export interface TextOptions {
  /** The longest value, in UTF-16 units as in `String.length`. */
  readonly max?: number
  /** A pattern that the whole value must match. */
  readonly pattern?: RegExp
  readonly saying?: string
  /**
   * The text tells one thing from another, as the name of a role. Characters that nobody sees, and what NFKC changes, are refused, so that no
   * two names look alike (spec rule 5).
   */
  readonly lookAlikes?: 'refused'
  /**
   * The text is the id that another system compares exactly. A text that would be stored otherwise than it is written is refused: stored, it
   * would be the id of something else.
   */
  readonly otherSpellings?: 'refused'
}

function withLimits(normalise: (value: string) => string, { max, pattern, saying }: TextOptions): (value: string) => string {
  return (value) => {
    const text = normalise(value)
    if (max !== undefined && text.length > max) throw new Mismatch(`is longer than ${max} characters`)
    if (pattern !== undefined && !pattern.test(text)) throw new Mismatch(saying ?? `does not match ${pattern}`)
    return text
  }
}

/** Anchors the pattern to the whole value. The flags `g` and `y` would make it remember its last match; `m` would match a single line. */
function whole({ pattern, ...options }: TextOptions): TextOptions {
  return pattern === undefined
    ? options
    : {
        ...options,
        pattern: new RegExp(`^(?:${pattern.source})$`, pattern.flags.replace(/[gmy]/g, '')),
        saying: options.saying ?? `does not match ${pattern}`,
      }
}

function withoutNul(value: string): string {
  if (value.includes('\0')) throw new Mismatch('holds a control character: NUL')
  return plainText(value)
}

function notBlank(value: string): string {
  const text = withoutNul(value)
  if (text === '') throw new Mismatch('is blank: leave it out, or give null to remove it')
  return text
}

/** Refuses a text that is not in the form in which it is stored. */
const asWritten = (normalise: (value: string) => string) => (value: string) => {
  const text = normalise(value)
  if (text === '') throw new Mismatch('is blank')
  if (text === value) return text
  throw new Mismatch(`would be stored as ${JSON.stringify(text)}, which is another: write it in NFC, without white space around it`)
}

// As texts: a linter takes control characters in a literal for mistakes.
const control = '\\x00-\\x1f\\x7f-\\x9f'
const nul = '\\x00'
const anySpelled = new RegExp(`^[^${nul}]*$`)
const notBlankSpelled = new RegExp(`^[^${nul}]*[^\\s${nul}][^${nul}]*$`)
const writtenSpelled = new RegExp(`^[^\\s${control}](?:[^${control}]*[^\\s${control}])?$`)

/**
 * Texts that a key takes: they say something, and have no control characters.
 * @param but a character that they do not have, either
 */
export const keySpelled = (but = ''): RegExp => new RegExp(`^\\s*[^\\s${control}${but}][^${control}${but}]*\\s*$`)

/** The texts that become one within the limits. Around what is trimmed there may be white space. */
function spelledWithin({ pattern, max }: TextOptions, otherwise: RegExp): Spelled {
  // Not every language has classes of Unicode, and assertions.
  const isKnown = pattern !== undefined && pattern.flags === '' && !/\\p|\(\?[=!<]/i.test(pattern.source)
  return { pattern: isKnown ? new RegExp(`^\\s*(?:${pattern.source})\\s*$`) : otherwise, maxLength: max }
}

export function textKindWith(options: TextOptions): Kind<string> {
  const limits = whole(options)
  const isName = options.lookAlikes === 'refused'
  const told = isName ? checkLookAlike : (text: string) => text
  const spelt = options.otherSpellings === 'refused' ? asWritten : (normalise: (value: string) => string) => normalise
  const more = {
    former: withLimits(spelt(plainText), limits),
    optional: withLimits(
      spelt((value) => told(notBlank(value))),
      limits,
    ),
    spelled: spelledWithin(options, options.otherSpellings === 'refused' ? writtenSpelled : isName ? keySpelled() : anySpelled),
    spelledIfOptional: spelledWithin(options, isName ? keySpelled() : notBlankSpelled),
  }
  const kind = textKind(
    'text',
    withLimits(
      spelt((value) => told(withoutNul(value))),
      limits,
    ),
    { pattern: limits.pattern ?? anyText },
    more,
  )
  return isName ? Object.freeze({ ...kind, isName }) : kind
}

/** Text that is stored exactly as given. It cannot stand in a key. */
export function verbatimKind(options: TextOptions): Kind<string> {
  const keep = (value: string) => {
    if (!value.isWellFormed()) throw new Mismatch('holds an unpaired surrogate')
    return value
  }
  const normalise = withLimits(keep, whole(options))
  return Object.freeze({
    name: 'verbatim',
    stored: 'string',
    // What is stored as it is given has no other spellings.
    schema: textSchema(normalise, { maxLength: options.max }),
    normalise,
    holds: (value: unknown) => typeof value === 'string',
  })
}

function foldedKind(name: string, to: 'lower' | 'upper'): Kind<string> {
  const former = (value: string) => foldCase(value, to)
  return textKind(name, (value) => checkLookAlike(former(value)), { pattern: anyText }, { former, spelled: { pattern: keySpelled() } })
}

/** Upper case, as location codes are. */
export const codeKind: Kind<string> = foldedKind('code', 'upper')

/** Lower case: user names. RFC 8265 refuses the same look-alikes. */
export const usernameKind: Kind<string> = foldedKind('username', 'lower')

const phoneForm = /^\+[1-9][0-9]{1,14}$/
const phoneSpelled = /^[\s().-]*\+[\s().-]*[1-9](?:[\s().-]*[0-9]){1,14}[\s().-]*$/

/** ITU-T E.164: a plus sign, a country code, at most 15 digits. The usual separators are removed. */
export const phoneKind: Kind<string> = textKind(
  'phone',
  (value) => {
    // `+44 (0)20` is dialled with either the zero or the country code. With both it would be another number.
    if (value.includes('(0)')) throw new Mismatch("holds '(0)', which is no part of an international number")
    const number = plainText(value).replace(/[\s().-]/g, '')
    if (!phoneForm.test(number)) throw new Mismatch("is not a phone number of the form '+4930123456' (E.164)")
    return number
  },
  { pattern: phoneForm, bytesMax: 16 },
  { spelled: { pattern: phoneSpelled, stored: phoneForm } },
)
