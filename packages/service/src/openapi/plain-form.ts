import { type JsonSchema, nameWords } from '@freehold/table/publish'

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value, if a schema is of a value or null. */
export function valueOrNull({ anyOf }: JsonSchema): JsonSchema | undefined {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined
  const [value, none]: readonly JsonSchema[] = anyOf
  return none?.type === 'null' ? value : undefined
}

/** A value or null as one schema with two types: generators make a field that may be null of it, and of a union a class. */
function withoutUnion(schema: JsonSchema): JsonSchema | undefined {
  const { anyOf: _, ...others } = schema
  const value = valueOrNull(schema)
  if (typeof value?.type !== 'string') return undefined
  const values = Array.isArray(value.enum) ? { enum: [...value.enum, null] } : {}
  return { ...others, ...value, type: [value.type, 'null'], ...values }
}

const formats: ReadonlySet<unknown> = new Set(['uuid', 'date-time', 'date'])

const isOf = ({ type }: JsonSchema, wanted: string) => type === wanted || (Array.isArray(type) && type.includes(wanted))

/**
 * A schema in the forms that generators of clients read alike: no union for a value that may be null, whole numbers of 64 bits, open objects that say so,
 * and a sentence for each property.
 */
export function plainForm(given: JsonSchema): JsonSchema {
  const schema = withoutUnion(given) ?? given
  const parts: Record<string, unknown> = { ...schema }
  // A format says all that the pattern does, and generators make a type of it that has no pattern.
  if (formats.has(schema.format)) delete parts.pattern
  if (isOf(schema, 'integer') && schema.format === undefined) parts.format = 'int64'
  if (isOf(schema, 'object') && schema.properties === undefined && schema.additionalProperties === undefined)
    parts.additionalProperties = true
  if (isOf(schema, 'array')) parts.items = plainForm(isSchema(schema.items) ? schema.items : {})
  if (isSchema(schema.additionalProperties)) parts.additionalProperties = plainForm(schema.additionalProperties)
  for (const union of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[union])) parts[union] = schema[union].map((each) => (isSchema(each) ? plainForm(each) : each))
  if (isSchema(schema.properties))
    parts.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, each]) => {
        const told = isSchema(each) ? plainForm(each) : {}
        const isTold = told.$ref !== undefined || valueOrNull(told) !== undefined
        return [name, isTold ? told : { ...told, description: told.description ?? nameWords(name) }]
      }),
    )
  return parts
}
