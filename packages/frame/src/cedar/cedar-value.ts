/** Serde, which reads JSON for Cedar, nests at most 128 deep. The bound also keeps a hostile context from exhausting the stack. */
const depthMax = 64

/** Why Cedar would not take this value as it is, or undefined if it does: a sentence without its subject. */
export function cedarProblem(value: unknown, depth = 1): string | undefined {
  if (typeof value === 'boolean') return undefined
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? 'holds text with half of a surrogate pair' : undefined
  if (typeof value === 'number') return Number.isSafeInteger(value) ? undefined : `holds ${value}, which is no whole number within 2^53`
  if (typeof value !== 'object' || value === null) return `holds ${value === null ? 'null' : `a value of type ${typeof value}`}`
  if (depth > depthMax) return `nests more than ${depthMax} deep`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return 'holds an object that is not plain data'
  for (const [name, part] of Object.entries(value)) {
    const problem = cedarProblem(name) ?? cedarProblem(part, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}
