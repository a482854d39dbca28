import { readJson } from '@freehold/frame/reading'
import type { Json } from '@freehold/table'

export type SettingType = 'string' | 'number' | 'boolean' | 'json'

/** Of one value, in bytes of UTF-8. A caller that may set one setting may set many, and resolving reads them all. */
export const valueBytesMax = 65_536

/** A reader walks a value of this depth without exhausting the stack. */
const depthMax = 32

/** The reason why a parsed value differs from its text, or is deeper than a reader can walk; undefined for a good value. */
function problemOf(value: Json, levels: number): string | undefined {
  // JSON knows no infinity, and yet `1e999` is parsed as one: its receiver would read null.
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'holds a number that is not finite'
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return `nests lists and maps more than ${depthMax} deep`
  for (const part of Object.values(value)) {
    const problem = problemOf(part, levels - 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function parsed(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

export type Read = { readonly value: Json; readonly problem?: undefined } | { readonly problem: string }

const readers: Readonly<Record<SettingType, (text: string) => Read>> = {
  string: (text) => ({ value: text }),
  number: (text) => {
    const value = parsed(text)?.value
    return typeof value === 'number' && Number.isFinite(value) ? { value } : { problem: 'is not a number as JSON has them' }
  },
  boolean: (text) => {
    const value = parsed(text)?.value
    return typeof value === 'boolean' ? { value } : { problem: 'is not true or false' }
  },
  json: (text) => {
    const read = parsed(text)
    if (read === undefined) return { problem: 'is not JSON' }
    const problem = problemOf(read.value, depthMax)
    return problem === undefined ? read : { problem }
  },
}

/** A reader in another language, or in JavaScript, takes a number beyond 2^53 for its neighbour. */
function isBeyondSafe(value: Json): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER
  return typeof value === 'object' && value !== null && Object.values(value).some(isBeyondSafe)
}

/**
 * The problem with the text of a setting that is to be written. It is stricter than reading, which gives all that an earlier version wrote: a
 * number beyond 2^53 is refused, and so is an object that names something twice.
 */
export function settingProblem(type: SettingType, text: string): string | undefined {
  const { problem, value } = { value: null, ...readSettingValue(type, text) }
  if (problem !== undefined || type === 'string') return problem
  return (
    readJson(text).problem ?? (isBeyondSafe(value) ? 'holds a number beyond 2^53, which would be rounded: write it as text' : undefined)
  )
}

/** The value of a setting's text by its type (spec: settings), or the problem with it. */
export function readSettingValue(type: SettingType, text: string): Read {
  return readers[type](text)
}
