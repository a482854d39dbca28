import { invalid } from '../errors.ts'

export interface Token {
  readonly kind: 'word' | 'alias' | 'value' | 'index' | 'symbol' | 'unknown' | 'end'
  readonly text: string
  /** Where it stands in the expression. */
  readonly at: number
}

const kinds = ['word', 'alias', 'value', 'index', 'symbol', 'unknown'] as const
const pattern = /([A-Za-z_]\w*)|(#\w+)|(:\w+)|(\d+)|(<>|<=|>=|[=<>()[\],.+-])|(\S)/y

/**
 * The tokens of an expression, with one for its end. Names that no expression attribute name replaces begin with a letter (Developer Guide,
 * "Referring to item attributes when using expressions").
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) return [...tokens, { kind: 'end', text: '<EOF>', at: text.length }]
    const kind = kinds.find((_, index) => match[index + 1] !== undefined) ?? 'unknown'
    tokens.push({ kind, text: match[0], at })
    at = pattern.lastIndex
  }
}

/** Reads the tokens of one expression, one after another. */
export class Tokens {
  readonly label: string
  readonly #text: string
  readonly #tokens: readonly Token[]
  #at = 0

  /** @param label the parameter that has the expression, as messages name it */
  constructor(label: string, text: string) {
    this.label = label
    if (text.trim() === '') throw this.invalid('The expression can not be empty;')
    this.#text = text
    this.#tokens = tokensOf(text)
  }

  peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? { kind: 'end', text: '<EOF>', at: this.#text.length }
  }

  next(): Token {
    const token = this.peek()
    this.#at += 1
    return token
  }

  isSymbol(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'symbol' && token.text === text
  }

  /** Keywords are not case-sensitive. */
  isWord(word: string): boolean {
    const token = this.peek()
    return token.kind === 'word' && token.text.toUpperCase() === word
  }

  /** Takes the symbol if it comes next. */
  takes(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false
    this.#at += 1
    return true
  }

  takesWord(word: string): boolean {
    if (!this.isWord(word)) return false
    this.#at += 1
    return true
  }

  expect(symbol: string): void {
    if (!this.takes(symbol)) throw this.unexpected()
  }

  /** @throws ServiceError for the token that comes next, with its neighbours. */
  unexpected(): Error {
    const token = this.peek()
    const [before, after] = [this.#tokens[this.#at - 1], this.#tokens[this.#at + 1]]
    const end = after === undefined || after.kind === 'end' ? this.#text.length : after.at + after.text.length
    return this.invalid(`Syntax error; token: "${token.text}", near: "${this.#text.slice((before ?? token).at, end)}"`)
  }

  invalid(message: string): Error {
    return invalid(`Invalid ${this.label}: ${message}`)
  }
}
