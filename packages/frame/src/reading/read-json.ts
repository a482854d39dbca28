import { isExactDecimal } from '@freehold/table/runtime'
import { readText } from './read-text.ts'

/** JSON as it was read, or what is wrong with it: a sentence without its subject. */
export type ReadJson =
  | { readonly value: unknown; readonly problem?: undefined }
  /** `name` is given twice by one object. `cause` is the parser's error for text that is no JSON. */
  | { readonly problem: string; readonly name?: string; readonly cause?: unknown }

/**
 * Why a JSON number would become another one. RFC 8259, section 6: only whole numbers within 2^53 mean the same to all readers, and a fraction is
 * as exact as a double is.
 */
export function numberProblem(text: string): string | undefined {
  const value = Number(text)
  if (!Number.isFinite(value)) return 'holds a number that is too large'
  if (value !== 0 && (!Number.isInteger(value) || Number.isSafeInteger(value))) return undefined
  return isExactDecimal(text) ? undefined : `holds the number ${text.slice(0, 100)}, which would be rounded: write it as text`
}

export const quote = 0x22
const backslash = 0x5c

/** The index after a string of valid JSON that begins here. */
export function endOfString(json: string, begin: number): number {
  let end = json.indexOf('"', begin + 1)
  for (;;) {
    let slashes = 0
    while (json.charCodeAt(end - 1 - slashes) === backslash) slashes++
    // Pairs of them stand for themselves.
    if (slashes % 2 === 0) return end + 1
    end = json.indexOf('"', end + 1)
  }
}

const restOfNumber = /[-+.0-9eE]*/y

export function endOfNumber(json: string, begin: number): number {
  restOfNumber.lastIndex = begin
  restOfNumber.test(json)
  return restOfNumber.lastIndex
}

const colon = 0x3a
/** RFC 8259, section 2. */
export const isSpace = (sign: number) => sign === 0x20 || sign === 0x09 || sign === 0x0a || sign === 0x0d

/** True if the string that ends here is the name of a member. */
function isBeforeColon(json: string, end: number): boolean {
  let at = end
  while (isSpace(json.charCodeAt(at))) at++
  return json.charCodeAt(at) === colon
}

/** Every whole number of so few characters means the same to all readers. */
const plainLength_max = 15

/**
 * What a parser passes over in silence in valid JSON: a name that is given twice, where another reader takes the first; a number that is rounded. It looks at
 * each character once: anybody with a key may send a megabyte of brackets.
 */
function silentProblem(json: string): Exclude<ReadJson, { readonly value: unknown }> | undefined {
  /** The names of each open object, or its only name so far. Null in a list. */
  const open: (Set<string> | string | undefined | null)[] = []
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    if (sign === quote) {
      const end = endOfString(json, at)
      const isName = open.at(-1) !== null && isBeforeColon(json, end)
      if (isName) {
        const text = json.slice(at, end)
        const name: string = text.includes('\\') ? JSON.parse(text) : text.slice(1, -1)
        const names = open.at(-1)
        if (names === name || (names instanceof Set && names.has(name))) return { problem: `names ${JSON.stringify(name)} twice`, name }
        if (names instanceof Set) names.add(name)
        else open[open.length - 1] = typeof names === 'string' ? new Set([names, name]) : name
      }
      at = end - 1
    } else if (sign === 0x7b) open.push(undefined)
    else if (sign === 0x5b) open.push(null)
    else if (sign === 0x7d || sign === 0x5d) open.pop()
    else if (sign === 0x2d || (sign >= 0x30 && sign <= 0x39)) {
      const end = endOfNumber(json, at)
      const problem = end - at > plainLength_max || /[.eE]/.test(json.slice(at, end)) ? numberProblem(json.slice(at, end)) : undefined
      if (problem !== undefined) return { problem }
      at = end - 1
    }
  }
  return undefined
}

/** Reads JSON that somebody else wrote: bodies, operands, files, settings. Nothing in it is dropped or becomes another value. */
export function readJson(json: string | Uint8Array): ReadJson {
  const read = typeof json === 'string' ? { text: json } : readText(json)
  if (read.problem !== undefined) return read
  const { text } = read
  try {
    const value: unknown = JSON.parse(text)
    return silentProblem(text) ?? { value }
  } catch (cause) {
    return { problem: 'is not JSON', cause }
  }
}
