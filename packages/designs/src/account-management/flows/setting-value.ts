import type { Json } from '@freehold/table'

export type SettingType = 'string' | 'number' | 'boolean' | 'json'

/** Of one value, in bytes of UTF-8: whoever may set one setting may set many, and resolving reads them all. */
export const valueBytesMax = 65_536

/** So that whoever reads a value can walk it without exhausting the stack. */
const depthMax = 32

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1))
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
    return isDeeper(read.value, depthMax) ? { problem: `nests lists and maps more than ${depthMax} deep` } : read
  },
}

/** The value that a setting's text stands for by its type, on write and read alike (spec: settings); or what is wrong with it. */
export function readSettingValue(type: SettingType, text: string): Read {
  return readers[type](text)
}
