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
 */
export function pathSegment(raw: string): PathSegment {
  const text = decoded(raw)
  if (text === '') throw malformed('The path has an empty segment.')
  if (text === '.' || text === '..') throw malformed('The path has a segment of dots.')
  if (/[/\\]/.test(text)) throw malformed('The path has an encoded slash, or a backslash.')
  if (/\p{Cc}|\p{Surrogate}/u.test(text)) throw malformed('The path has a control character.')
  if (/%[0-9a-f]{2}/i.test(text)) throw malformed('The path is encoded twice.')
  if (/[?#;]/.test(raw)) throw malformed('The path has a character that ends it elsewhere.')
  return { raw, text }
}

/** The segments of a path that was sent. */
export function pathSegments(path: string): readonly PathSegment[] {
  if (!path.startsWith('/')) throw malformed('The path does not begin with a slash.')
  return path === '/' ? [] : path.slice(1).split('/').map(pathSegment)
}
