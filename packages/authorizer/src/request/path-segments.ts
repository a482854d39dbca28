import { segmentsOf } from '@freehold/frame/gateway'
import { requestDenial } from '../denial.ts'

/** A segment of a path as it was sent, and decoded once. */
export interface PathSegment {
  readonly raw: string
  readonly text: string
}

const malformed = (message: string) => requestDenial('PathMalformed', message)

function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    throw malformed('The path has a percent sign that encodes nothing.')
  }
}

/**
 * A segment of a path, decoded once. Other programs read some segments in another way: they resolve dots, take a backslash for a slash, decode twice, or
 * cut at a semicolon. Such a one is denied, so that what is decided is what is served.
 * @param isDecoded whether a gateway has decoded it
 */
export function pathSegment(raw: string, isDecoded = false): PathSegment {
  const text = isDecoded ? raw : decoded(raw)
  if (text === '') throw malformed('The path has an empty segment.')
  if (text === '.' || text === '..') throw malformed('The path has a segment of dots.')
  if (/[/\\]/.test(text)) throw malformed('The path has an encoded slash, or a backslash.')
  if (/\p{Cc}|\p{Surrogate}/u.test(text)) throw malformed('The path has a control character.')
  // Half an escape, too: a lenient reader would decode it.
  if (/%[0-9a-f]/i.test(text)) throw malformed('The path is encoded twice.')
  // No path is sent with a plain `#`.
  if ((isDecoded ? /[?;]/ : /[?#;]/).test(raw)) throw malformed('The path has a character that ends it elsewhere.')
  return { raw, text }
}

/** The segments of a path that was sent. */
export function pathSegments(path: string, isDecoded?: boolean): readonly PathSegment[] {
  if (!path.startsWith('/')) throw malformed('The path does not begin with a slash.')
  return segmentsOf(path).map((segment) => pathSegment(segment, isDecoded))
}
