/** Deeper texts are left to `JSON.parse`, which needs no stack. DynamoDB nests far less. */
const depthMax = 100

/** V8 copies a slice of so many characters. A longer one refers to the whole text, and would keep it in memory. */
const shortMax = 12

/** Whole numbers of more digits are left to `JSON.parse`. */
const digitsMax = 9

const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Thrown for text that `JSON.parse` should read. No `Error`, since it needs no stack. */
const unusual = Symbol('unusual')

/**
 * Parses the text of an answer, with the result of `JSON.parse`; undefined for text that is not JSON. Objects have no prototype.
 *
 * The names of an item come in any order; the embedded engine gives another one each time. `JSON.parse` makes a hidden class for each order, which
 * takes several times the CPU of the rest and fills the heap. An object without a prototype is a dictionary and has none
 * (docs/decisions/0011-requests-are-ours.md). Text of another form than DynamoDB's is left to `JSON.parse`.
 */
export function parseAnswer(text: string): unknown {
  try {
    return new AnswerReader(text).whole()
  } catch {
    return parsedJson(text)
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const char = {
  blank: 0x20,
  quote: 0x22,
  comma: 0x2c,
  zero: 0x30,
  colon: 0x3a,
  openingList: 0x5b,
  backslash: 0x5c,
  closingList: 0x5d,
  opening: 0x7b,
  closing: 0x7d,
} as const
const { blank, quote, comma, zero, colon, openingList, backslash, closingList, opening, closing } = char

/** Reads JSON without white space, from one position to the next. */
class AnswerReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): unknown {
    const value = this.#value(0)
    if (this.#at < this.#text.length) throw unusual
    return value
  }

  #value(depth: number): unknown {
    switch (this.#text.charCodeAt(this.#at)) {
      case quote:
        return this.#string()
      case opening:
        return this.#object(depth + 1)
      case openingList:
        return this.#list(depth + 1)
      default:
        return this.#other()
    }
  }

  /** True if this character is next. It is then passed. */
  #takes(char: number | undefined): boolean {
    const isNext = this.#text.charCodeAt(this.#at) === char
    if (isNext) this.#at += 1
    return isNext
  }

  #object(depth: number): object {
    if (depth > depthMax) throw unusual
    this.#at += 1
    if (this.#takes(closing)) return Object.create(null)
    let name = this.#name()
    let value = this.#value(depth)
    // Most objects hold one text or number. As literals they share a hidden class, and cost less than a dictionary.
    if (this.#takes(closing)) return name === 'S' ? { S: value } : name === 'N' ? { N: value } : single(name, value)
    const object = single(name, value)
    while (this.#takes(comma)) {
      name = this.#name()
      value = this.#value(depth)
      object[name] = value
    }
    if (!this.#takes(closing)) throw unusual
    return object
  }

  /** The name of a member, with the colon behind it. */
  #name(): string {
    const name = this.#string()
    if (!this.#takes(colon)) throw unusual
    return name
  }

  #list(depth: number): unknown[] {
    if (depth > depthMax) throw unusual
    this.#at += 1
    const list: unknown[] = []
    if (this.#takes(closingList)) return list
    do list.push(this.#value(depth))
    while (this.#takes(comma))
    if (!this.#takes(closingList)) throw unusual
    return list
  }

  #string(): string {
    const from = this.#at
    if (this.#text.charCodeAt(from) !== quote) throw unusual
    for (let end = from + 1; end - from <= shortMax; end++) {
      const char = this.#text.charCodeAt(end)
      if (char === quote) {
        this.#at = end + 1
        return this.#text.slice(from + 1, end)
      }
      if (char < blank || char === backslash) break
    }
    this.#at = this.#end(from + 1) + 1
    return JSON.parse(this.#text.slice(from, this.#at))
  }

  /** The position of the quotation mark that ends a string. */
  #end(from: number): number {
    for (let end = this.#text.indexOf('"', from); end !== -1; end = this.#text.indexOf('"', end + 1)) {
      let start = end
      while (this.#text.charCodeAt(start - 1) === backslash) start -= 1
      if ((end - start) % 2 === 0) return end
    }
    throw unusual
  }

  /** A number, or a word. */
  #other(): unknown {
    let whole = 0
    let end = this.#at
    for (; end - this.#at < digitsMax; end++) {
      const digit = this.#text.charCodeAt(end) - zero
      // False for NaN, behind the end of the text.
      if (!(digit >= 0 && digit <= 9)) break
      whole = whole * 10 + digit
    }
    const next = this.#text.charCodeAt(end)
    const isWhole = next === comma || next === closing || next === closingList
    // No number begins with a zero and goes on with a digit.
    if (isWhole && end > this.#at && (this.#text.charCodeAt(this.#at) !== zero || end === this.#at + 1)) {
      this.#at = end
      return whole
    }
    scalar.lastIndex = this.#at
    const [text] = scalar.exec(this.#text) ?? []
    if (text === undefined) throw unusual
    this.#at += text.length
    return JSON.parse(text)
  }
}

function single(name: string, value: unknown): Record<string, unknown> {
  const object: Record<string, unknown> = Object.create(null)
  object[name] = value
  return object
}
