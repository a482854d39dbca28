import { FreeholdError, type Issue } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'

/** Decodes a part of a query string. Undefined if it is not UTF-8 in percent-encoding. `+` is a space, as in forms (WHATWG URL). */
function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

const none: ReadonlyMap<string, string> = new Map()

/**
 * Parses a query string. It may have only the parameters in `names`, if they are given, each once. `URLSearchParams` is not used: it takes one of two equal
 * names, and replaces a wrong encoding by U+FFFD, which would name another item.
 * @param search with its `?`, or empty
 * @throws InvalidInput, which names each wrong parameter, and TooLarge
 */
export function parseQuery(search: string, names: readonly string[] | undefined, bytes_max: number): ReadonlyMap<string, string> {
  if (search === '') return none
  if (search.length > bytes_max)
    throw new FreeholdError('TooLarge', `The query string is longer than ${bytes_max} bytes.`, {
      issues: [{ path: [], message: `is longer than ${bytes_max} bytes` }],
    })
  const values = new Map<string, string>()
  const issues: Issue[] = []
  for (const pair of search.slice(1).split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = decode(at < 0 ? '' : pair.slice(at + 1))
    if (name === undefined) issues.push({ path: [], message: 'a name is not UTF-8 in percent-encoding' })
    else if (names?.includes(name) === false) issues.push({ path: [name], message: 'is not a parameter of this request' })
    else if (value === undefined) issues.push({ path: [name], message: 'is not UTF-8 in percent-encoding' })
    else if (values.has(name)) issues.push({ path: [name], message: 'is given twice' })
    else values.set(name, value)
  }
  if (issues.length > 0) throw invalidInput('The query string', issues)
  return values
}
