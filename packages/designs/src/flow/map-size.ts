import type { Attribute } from '@freehold/table'

/** Of a free-form map, in bytes of its JSON as UTF-8: whoever may write one may write many, and lists give them all. */
export const mapBytesMax = 16_384

/** Those that describe a thing as whole as it is: outlines on a plan, what a device is set up with. */
const larger: Readonly<Record<string, number>> = { geo_json: 65_536, configuration: 65_536 }

/** What a map of this name may have at most. */
export function mapMax(name: string): number {
  return (Object.hasOwn(larger, name) ? larger[name] : undefined) ?? mapBytesMax
}

/** An attribute as the input of a flow: a map is of a bounded size. Designs themselves keep whatever DynamoDB keeps, 400 KB of an item. */
export function asSizedMap(name: string, attribute: Attribute): Attribute {
  if (attribute.kind.name !== 'map') return attribute
  const max = mapMax(name)
  const schema = attribute.schema.superRefine((value, context) => {
    // What is not JSON has been refused already, and may be none to count.
    if (context.issues.length > 0 || Buffer.byteLength(JSON.stringify(value)) <= max) return
    context.addIssue({ code: 'custom', message: `has more than ${max} bytes as JSON` })
  })
  return { ...attribute, schema }
}
