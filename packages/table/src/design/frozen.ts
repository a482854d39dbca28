/** Freezes plain data with everything in it. Data that is already frozen is assumed to be frozen throughout. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || !isPlain(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}

/** Not a Map, a regular expression or one of Zod's schemas. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}
