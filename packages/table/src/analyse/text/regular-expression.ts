import {
  between,
  type Characters,
  character,
  complement,
  controls,
  everyCharacter,
  intersection,
  lastCode,
  noCharacter,
  surrogates,
  union,
  without,
} from './characters.ts'
import { anything, choice, type Expression, one, repeat, sequence } from './expression.ts'

/** Thrown within this file for syntax that it does not read: look-around, back-references, inner anchors. */
class Unread extends Error {}

const digits = between(0x30, 0x39)
const word = union(digits, between(0x41, 0x5a), between(0x61, 0x7a), character('_'))
// ECMAScript's WhiteSpace and LineTerminator.
const lineEnds = union(character('\n'), character('\r'), between(0x2028, 0x2029))
const blank = union(between(0x2000, 0x200a), ...[...'\t\v\f \u00a0\u1680\u202f\u205f\u3000\ufeff'].map(character))
const spaces = union(lineEnds, blank)
const classes: Readonly<Record<string, Characters>> = { d: digits, w: word, s: spaces }
const controlEscapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v', 0: '\0' }

const properties = new Map<string, Characters>([
  ['Cc', controls],
  ['Cs', surrogates],
])

/** The characters of a Unicode property. JavaScript's own regular expressions are asked about each character, once a process. */
function property(name: string): Characters {
  const known = properties.get(name)
  if (known !== undefined) return known
  const pattern = new RegExp(`^\\p{${name}}$`, 'u')
  const found: [number, number][] = []
  for (let code = 0; code <= lastCode; code++) {
    if (!pattern.test(String.fromCodePoint(code))) continue
    const range = found.at(-1)
    if (range !== undefined && range[1] === code - 1) range[1] = code
    else found.push([code, code])
  }
  properties.set(name, found)
  return found
}

class Reader {
  readonly #source: readonly string[]
  readonly #dot: Characters
  readonly #isUnicode: boolean
  #at = 0

  constructor(source: string, flags: string) {
    this.#source = Array.from(source)
    this.#isUnicode = flags.includes('u')
    this.#dot = flags.includes('s') ? everyCharacter : complement(lineEnds)
  }

  /** An expression without ^ and $ matches anywhere in a text, unless the text around it has `anchored` it. */
  whole(anchored: boolean): Expression {
    // Without the `u` flag the pattern has two characters for it.
    if (!this.#isUnicode && this.#source.some((letter) => letter.length > 1)) throw new Unread()
    const alternatives: Expression[] = []
    do {
      const isStart = this.#take('^') || anchored
      const parts = this.#sequence()
      const isEnd = this.#take('$') || anchored
      alternatives.push(sequence(...(isStart ? [] : [anything]), ...parts, ...(isEnd ? [] : [anything])))
    } while (this.#take('|'))
    if (this.#at < this.#source.length) throw new Unread()
    return choice(...alternatives)
  }

  #take(expected: string): boolean {
    if (!this.#source.slice(this.#at, this.#at + expected.length).every((letter, index) => letter === expected[index])) return false
    if (this.#at + expected.length > this.#source.length) return false
    this.#at += expected.length
    return true
  }

  #next(): string {
    const letter = this.#source[this.#at++]
    if (letter === undefined) throw new Unread()
    return letter
  }

  #sequence(): Expression[] {
    const parts: Expression[] = []
    for (let next = this.#source[this.#at]; next !== undefined && !'|)$'.includes(next); next = this.#source[this.#at]) {
      parts.push(this.#quantified(this.#atom()))
    }
    return parts
  }

  #atom(): Expression {
    const letter = this.#next()
    if (letter === '(') return this.#group()
    if (letter === '[') return this.#one(this.#class())
    if (letter === '.') return this.#one(this.#dot)
    if (letter === '\\') return this.#one(this.#escape())
    if ('^*+?{'.includes(letter)) throw new Unread()
    return this.#one(character(letter))
  }

  /**
   * Without the `u` flag one atom matches half of a character beyond U+FFFF. Such an atom becomes 'that character, or nothing', which keeps
   * every matching text.
   */
  #one(characters: Characters): Expression {
    if (this.#isUnicode || intersection(characters, surrogates).length === 0) return one(characters)
    return repeat(one(union(characters, between(0x10000, lastCode))), 0, 1)
  }

  #group(): Expression {
    if (this.#source[this.#at] === '?' && !this.#take('?:')) throw new Unread()
    const alternatives: Expression[] = []
    do alternatives.push(sequence(...this.#sequence()))
    while (this.#take('|'))
    if (!this.#take(')')) throw new Unread()
    return choice(...alternatives)
  }

  #quantified(part: Expression): Expression {
    const bounds = this.#quantifier()
    if (bounds === undefined) return part
    // A lazy quantifier matches the same texts.
    this.#take('?')
    return repeat(part, bounds[0], bounds[1])
  }

  #quantifier(): readonly [min: number, max: number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#take('?')) return [0, 1]
    if (!this.#take('{')) return undefined
    const [, min, comma, max] = /^(\d+)(,?)(\d*)$/.exec(this.#until('}')) ?? []
    if (min === undefined) throw new Unread()
    return [Number(min), max === '' || max === undefined ? (comma === '' ? Number(min) : Number.POSITIVE_INFINITY) : Number(max)]
  }

  #until(end: string): string {
    let text = ''
    for (let letter = this.#next(); letter !== end; letter = this.#next()) text += letter
    return text
  }

  #class(): Characters {
    const isNegated = this.#take('^')
    let found = noCharacter
    while (!this.#take(']')) {
      const first = this.#member()
      const isRange = this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']'
      if (!isRange) {
        found = union(found, first)
        continue
      }
      this.#at++
      const last = this.#member()
      const [low, high] = [first[0], last[0]]
      if (low === undefined || high === undefined || low[0] !== low[1] || high[0] !== high[1]) throw new Unread()
      found = union(found, between(low[0], high[0]))
    }
    return isNegated ? complement(found) : found
  }

  #member(): Characters {
    const letter = this.#next()
    if (letter !== '\\') return character(letter)
    return this.#take('b') ? character('\b') : this.#escape()
  }

  #escape(): Characters {
    const letter = this.#next()
    const known = classes[letter]
    if (known !== undefined) return known
    const opposite = classes[letter.toLowerCase()]
    if (opposite !== undefined) return without(everyCharacter, opposite)
    const control = controlEscapes[letter]
    if (control !== undefined) return character(control)
    if (letter === 'x') return this.#code(this.#next() + this.#next())
    if (letter === 'u') return this.#code(this.#take('{') ? this.#until('}') : this.#next() + this.#next() + this.#next() + this.#next())
    if (this.#isUnicode && (letter === 'p' || letter === 'P') && this.#take('{')) {
      const set = property(this.#until('}'))
      return letter === 'p' ? set : complement(set)
    }
    // Other letters and digits have a meaning that is not supported. Any other character stands for itself.
    if (/[A-Za-z0-9]/.test(letter)) throw new Unread()
    return character(letter)
  }

  #code(hexadecimal: string): Characters {
    const code = Number.parseInt(hexadecimal, 16)
    // A pair that is written as two escapes would be read as two characters.
    if (Number.isNaN(code) || (code >= 0xd800 && code <= 0xdfff)) throw new Unread()
    return between(code, code)
  }
}

function read(source: string, flags: string, anchored: boolean): Expression | undefined {
  try {
    return new Reader(source, flags).whole(anchored)
  } catch (error) {
    if (error instanceof Unread) return undefined
    throw error
  }
}

/**
 * The texts that a regular expression matches, as an expression. A pattern that cannot be read becomes 'any text': that is more than it
 * matches, so nothing false is proven.
 */
export function matchedBy({ source, flags }: RegExp): Expression {
  // Other flags change what a character matches (i, v), or what ^ and $ match (m).
  if (/[imv]/.test(flags)) return anything
  // The kind `text` wraps every pattern like this, even if the pattern has its own anchors.
  const inner = /^\^\(\?:([\s\S]*)\)\$$/.exec(source)?.[1]
  return (inner === undefined ? undefined : read(inner, flags, true)) ?? read(source, flags, false) ?? anything
}
