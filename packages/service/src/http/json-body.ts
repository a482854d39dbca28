import { readFlawed } from '@freehold/frame/authzen'
import { readJson } from '@freehold/frame/reading'
import { type FreeholdError, isFreeholdError } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import type { RequestHeaders } from './service-request.ts'

/** The media type of every body, with the one encoding that RFC 8259 allows. */
const jsonForm = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** True for a request whose headers declare a body of plain JSON. */
export function isJson(headers: RequestHeaders): boolean {
  const encoding = headers.get('content-encoding')
  return jsonForm.test(headers.get('content-type') ?? '') && (encoding === null || /^identity$/i.test(encoding))
}

/** Deeper than any attribute, and shallow enough for recursive code, as that which looks for more. */
const depth_max = 64

/** More than the attributes of any entity. Each wrong name is answered with sentences of its own. */
const names_max = 1000

function refuse(message: string): FreeholdError {
  return invalidInput('The body', [{ path: [], message }])
}

/** Refuses JSON that no attribute can hold exactly: it would be stored as another value, or be silently ignored. */
function checkValue(value: unknown, depth = 1): void {
  if (typeof value === 'string' && !value.isWellFormed()) throw refuse('holds an unpaired surrogate')
  if (typeof value !== 'object' || value === null) return
  if (depth > depth_max) throw refuse(`nests more than ${depth_max} deep`)
  if (Array.isArray(value)) {
    for (const part of value) checkValue(part, depth + 1)
    return
  }
  for (const name of Object.keys(value)) {
    if (name === '__proto__') throw invalidInput('The body', [{ path: [name], message: 'is not a valid name here' }])
    if (!name.isWellFormed()) throw refuse('holds a name with an unpaired surrogate')
    checkValue(Reflect.get(value, name), depth + 1)
  }
}

/** Parses the JSON object of a body. Throws `InvalidInput` for anything else, for a repeated name, and for a number that would be rounded. */
export function parseBody(bytes: Uint8Array): Record<string, unknown> {
  const read = readJson(bytes)
  if (read.problem !== undefined)
    throw read.name === undefined ? refuse(read.problem) : invalidInput('The body', [{ path: [read.name], message: 'is given twice' }])
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('is not a JSON object')
  if (Object.keys(value).length > names_max) throw refuse(`has more than ${names_max} names`)
  checkValue(value)
  // It is an object from parsed JSON.
  return value as Record<string, unknown>
}

const isJsonObject = (text: string): boolean => /^\s*\{/.test(text) && readJson(text).problem !== 'is not JSON'

/** The same for a request that may hold more than is read of it. Each part that `parseBody` would refuse is marked, and refused where it is used (spec rule 28). */
export function parseOpenBody(bytes: Uint8Array): Record<string, unknown> {
  try {
    return parseBody(bytes)
  } catch (error) {
    // What is not UTF-8 has these instead, and stands for nobody's text.
    const text = new TextDecoder().decode(bytes)
    if (!isFreeholdError(error, 'InvalidInput') || text.includes('\ufffd') || !isJsonObject(text)) throw error
    // It is an object, as it begins.
    const read = readFlawed(text) as Record<string, unknown>
    if (Object.keys(read).length > names_max) throw error
    return read
  }
}
