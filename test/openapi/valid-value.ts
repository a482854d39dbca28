import fc from 'fast-check'

type Schema = { readonly [keyword: string]: unknown }

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Any text, and those that a service may wrongly take for another or for none. */
const anyText = fc.oneof(
  fc.constantFrom('', ' ', 'a', 'ada@example.org', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'Ａ', 'a\u200bb', 'a\0b', '\u202e', '#', 'a#b'),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ maxLength: 8 }),
)

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  'date-time': fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }).map((each) => each.toISOString()),
  date: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .map((each) => each.toISOString().slice(0, 10)),
  'idn-email': fc.emailAddress(),
  uri: fc.webUrl(),
}

function textOf({ format, pattern, minLength = 0, maxLength = Number.MAX_SAFE_INTEGER }: Schema): fc.Arbitrary<string> {
  const known = typeof format === 'string' ? formats[format] : undefined
  if (known !== undefined) return known
  const any = typeof pattern === 'string' ? fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' }) : anyText
  return any.filter((each) => [...each].length >= Number(minLength) && [...each].length <= Number(maxLength))
}

/** Values that a JSON Schema takes, in the keywords that the document of the API has. */
export function validValue(root: Schema, schema: Schema): fc.Arbitrary<unknown> {
  const { $ref, anyOf, type, items } = schema
  if (typeof $ref === 'string') {
    const at = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((from, part) => Object(from)[part], root)
    return validValue(root, isSchema(at) ? at : {})
  }
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((each) => validValue(root, each)))
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => validValue(root, { ...schema, type: each })))
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? -100), max: Math.min(Number(schema.maximum ?? 1000), 2 ** 31 - 1) })
    case 'number':
      return fc.double({ noNaN: true, min: Number(schema.minimum ?? -1e6), max: Number(schema.maximum ?? 1e6) })
    case 'array':
      return fc.array(validValue(root, isSchema(items) ? items : {}), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(Number(schema.maxItems ?? 3), 3),
      })
    case 'object': {
      const { properties = {}, required = [] } = schema
      const parts = Object.entries(Object(properties)).map(([name, each]) => [name, validValue(root, isSchema(each) ? each : {})])
      const named = fc.record<Record<string, unknown>>(Object.fromEntries(parts), { requiredKeys: Array.isArray(required) ? required : [] })
      if (schema.additionalProperties === false) return named
      return fc
        .tuple(fc.dictionary(anyText, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }), named)
        .map(([more, one]) => ({ ...more, ...one }))
    }
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}
