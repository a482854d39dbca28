import { type AST, RegExpParser } from '@eslint-community/regexpp'
import {
  between,
  type Characters,
  character,
  complement,
  controls,
  everyCharacter,
  intersection,
  lastCode,
  surrogates,
  union,
} from './characters.ts'
import { anything, choice, type Expression, one, repeat, sequence } from './expression.ts'

/** Thrown within this file for what it does not read: look-around, back-references, inner anchors, halves of a surrogate pair. */
class Unread extends Error {}

const digits = between(0x30, 0x39)
const word = union(digits, between(0x41, 0x5a), between(0x61, 0x7a), character('_'))
// ECMAScript's WhiteSpace and LineTerminator.
const lineEnds = union(character('\n'), character('\r'), between(0x2028, 0x2029))
const blank = union(between(0x2000, 0x200a), ...[...'\t\v\f \u00a0\u1680\u202f\u205f\u3000\ufeff'].map(character))
const sets = { digit: digits, space: union(lineEnds, blank), word } as const

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

interface Reading {
  readonly isUnicode: boolean
  readonly dot: Characters
}

/** A character that is written, and not half of one. */
function written({ value }: AST.Character): number {
  if (value >= 0xd800 && value <= 0xdfff) throw new Unread()
  return value
}

function charactersOf(node: AST.CharacterClass | AST.CharacterClassElement | AST.CharacterSet, { dot }: Reading): Characters {
  const of = (found: Characters, isNegated: boolean) => (isNegated ? complement(found) : found)
  switch (node.type) {
    case 'Character':
      return between(written(node), written(node))
    case 'CharacterClassRange':
      return between(written(node.min), written(node.max))
    case 'CharacterClass':
      return of(union(...node.elements.map((each) => charactersOf(each, { dot, isUnicode: false }))), node.negate)
    case 'CharacterSet':
      if (node.kind === 'any') return dot
      if (node.kind === 'property') return of(property(node.value === null ? node.key : `${node.key}=${node.value}`), node.negate)
      return of(sets[node.kind], node.negate)
    default:
      throw new Unread()
  }
}

/**
 * Without the `u` flag one atom matches half of a character beyond U+FFFF. Such an atom becomes 'that character, or nothing', which keeps
 * every matching text.
 */
function oneOf(characters: Characters, { isUnicode }: Reading): Expression {
  if (isUnicode || intersection(characters, surrogates).length === 0) return one(characters)
  return repeat(one(union(characters, between(0x10000, lastCode))), 0, 1)
}

function elementOf(node: AST.Element, reading: Reading): Expression {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      if (node.type === 'Group' && node.modifiers !== null) throw new Unread()
      return choice(...node.alternatives.map(({ elements }) => sequence(...elements.map((each) => elementOf(each, reading)))))
    // A lazy quantifier matches the same texts.
    case 'Quantifier':
      return repeat(elementOf(node.element, reading), node.min, node.max)
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
      return oneOf(charactersOf(node, reading), reading)
    default:
      throw new Unread()
  }
}

const isAnchor = (node: AST.Element | undefined, kind: 'start' | 'end') => node?.type === 'Assertion' && node.kind === kind

/** An expression without ^ and $ matches anywhere in a text, unless the text around it has `anchored` it. */
function read(source: string, flags: string, anchored: boolean): Expression | undefined {
  const reading = { isUnicode: flags.includes('u'), dot: flags.includes('s') ? everyCharacter : complement(lineEnds) }
  try {
    const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, { unicode: reading.isUnicode })
    const whole = alternatives.map(({ elements }) => {
      const [isStart, isEnd] = [isAnchor(elements[0], 'start'), isAnchor(elements.at(-1), 'end')]
      const parts = elements.slice(isStart ? 1 : 0, isEnd ? -1 : undefined).map((each) => elementOf(each, reading))
      return sequence(...(isStart || anchored ? [] : [anything]), ...parts, ...(isEnd || anchored ? [] : [anything]))
    })
    return choice(...whole)
  } catch (error) {
    // The syntax of a later JavaScript is not read either.
    if (error instanceof Unread || error instanceof SyntaxError) return undefined
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
