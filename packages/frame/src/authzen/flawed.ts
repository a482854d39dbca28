import { endOfNumber, endOfString, isSpace, numberProblem, quote } from '../reading/read-json.ts'

const problem = Symbol('problem')

/** A part of a request that cannot be read exactly. It is refused where it is used, and left out where it is not (spec rule 28). No JSON is one. */
export interface Flawed {
  /** What is wrong with it: a sentence without its subject. */
  readonly [problem]: string
  /** Its text, by which two requests are told apart. */
  readonly source: string
}

/** What is wrong with a value itself; undefined for one that is read. */
export function problemOf(value: unknown): string | undefined {
  // A value with this symbol was made here.
  return typeof value === 'object' && value !== null && problem in value ? (value as Flawed)[problem] : undefined
}

/** What is wrong with a value, or with a part of it. */
export function problemWithin(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const own = problemOf(value)
  if (own !== undefined) return own
  for (const part of Object.values(value)) {
    const found = problemWithin(part)
    if (found !== undefined) return found
  }
  return undefined
}

/** Deeper than any attribute, and shallow enough for recursive code. */
const depth_max = 64

/**
 * Reads JSON of which each part that has no exact value is `Flawed`: a number that would be rounded, a name that is given twice, text that is not well-formed, and
 * what nests too deep.
 * @param json valid JSON
 */
export function readFlawed(json: string): unknown {
  let at = 0
  const skip = () => {
    while (isSpace(json.charCodeAt(at))) at++
  }
  const flawed = (why: string, from: number): Flawed => ({ [problem]: why, source: json.slice(from, at) })
  const text = (): string => {
    const from = at
    at = endOfString(json, at)
    return JSON.parse(json.slice(from, at))
  }
  const passOver = () => {
    let open = 0
    do {
      const sign = json[at]
      if (sign === '"') at = endOfString(json, at) - 1
      else if (sign === '{' || sign === '[') open++
      else if (sign === '}' || sign === ']') open--
      at++
    } while (open > 0)
  }
  /** Calls for each part, at its first character, until the list or object ends. */
  const parts = (end: string, read: () => void) => {
    at++
    for (skip(); json[at] !== end; skip()) {
      if (json[at] === ',') at++
      skip()
      read()
    }
    at++
  }
  const list = (depth: number): unknown[] => {
    const values: unknown[] = []
    parts(']', () => values.push(value(depth + 1)))
    return values
  }
  const object = (depth: number): object => {
    const members = new Map<string, unknown>()
    parts('}', () => {
      const from = at
      const name = text()
      skip()
      at++
      const read = value(depth + 1)
      const isName = name !== '__proto__' && name.isWellFormed()
      const why = members.has(name) ? 'is given twice' : isName ? undefined : 'is not a valid name here'
      members.set(name, why === undefined ? read : flawed(why, from))
    })
    return Object.fromEntries(members)
  }
  const value = (depth: number): unknown => {
    skip()
    const from = at
    const sign = json[at] ?? ''
    if (json.charCodeAt(at) === quote) {
      const read = text()
      return read.isWellFormed() ? read : flawed('holds an unpaired surrogate', from)
    }
    if (sign === '{' || sign === '[') {
      if (depth <= depth_max) return sign === '{' ? object(depth) : list(depth)
      passOver()
      return flawed(`nests more than ${depth_max} deep`, from)
    }
    if (/[-0-9]/.test(sign)) {
      at = endOfNumber(json, at)
      const why = numberProblem(json.slice(from, at))
      return why === undefined ? Number(json.slice(from, at)) : flawed(why, from)
    }
    at += sign === 'f' ? 5 : 4
    return JSON.parse(json.slice(from, at))
  }
  return value(1)
}
