import { isExactDecimal } from '@freehold/table/runtime'

/** JSON as it was read, or what is wrong with it: a sentence without its subject. */
export type ReadJson =
  | { readonly value: unknown; readonly problem?: undefined }
  /** `name` is given twice by one object. `cause` is the parser's error for text that is no JSON. */
  | { readonly problem: string; readonly name?: string; readonly cause?: unknown }

/** A string, perhaps as the name of what follows; a number; or an end of an object or list. */
const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|[{}[\]]/g

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

/** What a parser passes over in silence in valid JSON: a name that is given twice, where another reader takes the first; a number that is rounded. */
function silentProblem(json: string): Exclude<ReadJson, { readonly value: unknown }> | undefined {
  const objects: (Set<string> | undefined)[] = []
  for (const [token, colon] of json.matchAll(tokens)) {
    if (token === '{') objects.push(new Set())
    else if (token === '[') objects.push(undefined)
    else if (token === '}' || token === ']') objects.pop()
    else if (colon !== undefined) {
      const name: string = JSON.parse(token.slice(0, -colon.length))
      const names = objects.at(-1)
      if (names?.has(name)) return { problem: `names ${JSON.stringify(name)} twice`, name }
      names?.add(name)
    } else if (!token.startsWith('"')) {
      const problem = numberProblem(token)
      if (problem !== undefined) return { problem }
    }
  }
  return undefined
}

/** Reads JSON that somebody else wrote: bodies, operands, files, settings. Nothing in it is dropped or becomes another value. */
export function readJson(text: string): ReadJson {
  try {
    const value: unknown = JSON.parse(text)
    return silentProblem(text) ?? { value }
  } catch (cause) {
    return { problem: 'is not JSON', cause }
  }
}
