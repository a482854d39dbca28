/** A segment of a path: a literal text, or a variable by its name. */
export type Segment = { readonly literal: string } | { readonly variable: string }

const variableForm = /^\{([A-Za-z_][\w-]*)\}$/
/** Unreserved characters of RFC 3986 and some that need no encoding: a literal stands in requests as it stands here. */
const literalForm = /^[\w.~@:$!*'(),=+-]+$/

/** Reads the template of a path: `/tenants/{tenant}/tickets`. A variable is a whole segment, and none stands twice. */
export function readPathTemplate(path: string): readonly Segment[] | { readonly problem: string } {
  if (!path.startsWith('/')) return { problem: 'has a path that does not begin with /' }
  if (path === '/') return []
  const segments: Segment[] = []
  const names = new Set<string>()
  for (const text of path.slice(1).split('/')) {
    const [, variable] = variableForm.exec(text) ?? []
    if (variable !== undefined) {
      if (names.has(variable)) return { problem: `names {${variable}} twice` }
      names.add(variable)
      segments.push({ variable })
    } else if (literalForm.test(text) && text !== '.' && text !== '..') segments.push({ literal: text })
    else return { problem: `has the segment ${JSON.stringify(text)}, which is neither plain text nor one variable` }
  }
  return segments
}

const isLiteral = (segment: Segment | undefined): segment is { readonly literal: string } => segment !== undefined && 'literal' in segment

/** The variables of a path of these segments, or undefined if it does not match. */
export function matchPath(
  template: readonly Segment[],
  segments: readonly { readonly raw: string; readonly text: string }[],
): ReadonlyMap<string, string> | undefined {
  if (template.length !== segments.length) return undefined
  const variables = new Map<string, string>()
  for (const [index, { raw, text }] of segments.entries()) {
    const segment = template[index]
    // A literal that is encoded matches nothing: a gateway might route it elsewhere.
    if (isLiteral(segment)) {
      if (segment.literal !== raw) return undefined
    } else if (segment !== undefined) variables.set(segment.variable, text)
  }
  return variables
}

/**
 * Which of two templates is asked of a path that both match: the one with a literal where the other has a variable. `neither` if no path matches both,
 * `unclear` if each has such a literal, or none has.
 */
export function moreSpecific(one: readonly Segment[], other: readonly Segment[]): 'first' | 'second' | 'neither' | 'unclear' {
  if (one.length !== other.length) return 'neither'
  let [first, second] = [false, false]
  for (const [index, left] of one.entries()) {
    const right = other[index]
    if (isLiteral(left) && isLiteral(right)) {
      if (left.literal !== right.literal) return 'neither'
    } else if (isLiteral(left)) first = true
    else if (isLiteral(right)) second = true
  }
  if (first === second) return 'unclear'
  return first ? 'first' : 'second'
}
