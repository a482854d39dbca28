/** A value as DynamoDB's JSON protocol has it, checked and in its one spelling: numbers without zeros at their ends, bytes as base64. */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly M: Item }
  | { readonly L: readonly AttributeValue[] }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] }

export type Item = Readonly<Record<string, AttributeValue>>

export type MutableItem = Record<string, AttributeValue>

export type ValueType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'M' | 'L' | 'SS' | 'NS' | 'BS'

export type KeyType = 'S' | 'N' | 'B'

/** Names by which some of DynamoDB's messages call the types. */
export const typeNames: Readonly<Record<ValueType, string>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
  M: 'MAP',
  L: 'LIST',
  SS: 'STRING_SET',
  NS: 'NUMBER_SET',
  BS: 'BINARY_SET',
}

export function isValueType(name: string): name is ValueType {
  return Object.hasOwn(typeNames, name)
}

/** The type of a checked value, which has one member. */
export function typeOf(value: AttributeValue): ValueType {
  for (const type in value) return type as ValueType // A checked value has exactly one of the types.
  throw new Error('A value has no type.')
}

/** The content of a checked value, if it is of this type. */
export function contentOf(value: AttributeValue, type: 'S' | 'N' | 'B'): string | undefined {
  // Each type is an optional member of the union.
  return (value as { readonly [type in 'S' | 'N' | 'B']?: string })[type]
}

/** The attribute of this name. An item may have no attribute of its own named `constructor`, say, but inherits one. */
export function attributeOf(item: Item | undefined, name: string): AttributeValue | undefined {
  return item !== undefined && Object.hasOwn(item, name) ? item[name] : undefined
}

/** Sets an own attribute. Plain assignment to `__proto__` would set the prototype. */
export function setAttribute(item: MutableItem, name: string, value: AttributeValue): void {
  if (name === '__proto__') Object.defineProperty(item, name, { value, enumerable: true, writable: true, configurable: true })
  else item[name] = value
}

/** A copy whose attributes can be changed. */
export function copyOf(item: Item): MutableItem {
  // A spread makes own properties, `__proto__` among them.
  return { ...item }
}

/** A value as DynamoDB's messages print it: `{S:text}`. */
export function printed(value: AttributeValue): string {
  const [[type, content] = ['', '']] = Object.entries(value)
  if (type === 'L') return `{L:[${content.map((each: AttributeValue) => printed(each)).join(', ')}]}`
  if (type === 'M')
    return `{M:{${Object.entries<AttributeValue>(content)
      .map(([name, each]) => `${name}=${printed(each)}`)
      .join(', ')}}}`
  return `{${type}:${Array.isArray(content) ? `[${content.join(', ')}]` : String(content)}}`
}
