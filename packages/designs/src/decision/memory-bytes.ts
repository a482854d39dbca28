// What a 64-bit JavaScript engine takes for plain data, rather more than less. A text is counted as two bytes a unit, though most take one.
const textHead_bytes = 24
const primitive_bytes = 8
const container_bytes = 100
/** For each element, property or entry, besides what it holds. */
const slot_bytes = 32

/** What plain data, with Maps and Sets, takes in memory, in bytes: an estimate. What is held twice counts twice; names of properties are shared. */
export function memoryBytes(value: unknown): number {
  if (typeof value === 'string') return textHead_bytes + 2 * value.length
  if (typeof value !== 'object' || value === null) return primitive_bytes
  let bytes = container_bytes
  if (value instanceof Map) for (const [key, of] of value) bytes += slot_bytes + memoryBytes(key) + memoryBytes(of)
  else for (const of of value instanceof Set ? value : Object.values(value)) bytes += slot_bytes + memoryBytes(of)
  return bytes
}
