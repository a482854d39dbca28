import type { JsonSchema } from '@freehold/table/publish'
import { pascal } from './pascal.ts'

type Properties = Readonly<Record<string, JsonSchema>>

/** What a reference has in bytes beside the name that it holds. */
const referenceBytes = '{"$ref":"#/components/schemas/"}'.length

const propertiesOf = ({ properties }: JsonSchema): Properties => Object(properties)

/** `AccountBuildingId` of `building_id`, and of the `id` of a building; another name for the value that may be null. */
function nameOf(prefix: string, property: string, { type, description }: JsonSchema): string {
  const [, of] = (property === 'id' && /^The id of the (.+)\.$/.exec(String(description))) || []
  const name = of === undefined ? pascal(property) : `${pascal(of)}Id`
  return `${prefix}${name}${Array.isArray(type) && type.includes('null') ? 'OrNull' : ''}`
}

interface Repeated {
  readonly schema: JsonSchema
  readonly bytes: number
  /** How often it has each name. */
  readonly names: Map<string, number>
  times: number
}

/**
 * Makes a component of each property that several schemas tell in the same words, so that a document tells them once, and an enumeration is one type in a
 * client. Of several forms of one name the one that takes the most bytes gets it.
 * @param schemas the components, in which each such property becomes a reference
 * @param prefixes the words that the names of a design's components begin with: the properties of two designs stay apart
 */
export function shareProperties(schemas: Map<string, JsonSchema>, prefixes: readonly string[]): void {
  const prefixOf = (name: string) => prefixes.find((prefix) => name.startsWith(prefix)) ?? ''
  const keyOf = (owner: string, schema: JsonSchema) => `${prefixOf(owner)} ${JSON.stringify(schema)}`
  const repeated = new Map<string, Repeated>()
  for (const [owner, schema] of schemas)
    for (const [property, each] of Object.entries(propertiesOf(schema))) {
      // What an object within is called stays as it is: some generators make a type of it for each of its uses, as others do of a union that has a name.
      if ([each.$ref, each.const, each.properties, each.anyOf].some((part) => part !== undefined)) continue
      const key = keyOf(owner, each)
      const known = repeated.get(key) ?? {
        prefix: prefixOf(owner),
        schema: each,
        bytes: JSON.stringify(each).length,
        names: new Map<string, number>(),
        times: 0,
      }
      const name = nameOf(prefixOf(owner), property, each)
      known.names.set(name, (known.names.get(name) ?? 0) + 1)
      known.times++
      repeated.set(key, known)
    }
  const sparedBy = ({ bytes, times }: Repeated, name: string) => times * (bytes - referenceBytes - name.length) - bytes - name.length - 4
  const mostSpared = ({ bytes, times }: Repeated) => times * bytes
  const taken = new Set(schemas.keys())
  // Generators name the type of an enumeration so: `RebacUserType` of the `Type` of a `RebacUser`.
  for (const [owner, schema] of schemas)
    for (const [property, each] of Object.entries(propertiesOf(schema)))
      if (each.enum !== undefined || each.const !== undefined) taken.add(owner + pascal(property))
  const shared = new Map<string, string>()
  for (const [key, each] of [...repeated].sort(([, one], [, other]) => mostSpared(other) - mostSpared(one))) {
    if (each.times < 2) continue
    const names = [...each.names].sort(([, one], [, other]) => other - one).map(([name]) => name)
    // Generators of Go have one name for a value of all enumerations.
    const others = each.schema.enum === undefined ? [`${names[0]}Value`] : []
    const name = [...names, ...others].find((one) => !taken.has(one))
    if (name === undefined || sparedBy(each, name) <= 0) continue
    taken.add(name)
    shared.set(key, name)
    schemas.set(name, each.schema)
  }
  for (const [owner, schema] of [...schemas]) {
    if (schema.properties === undefined) continue
    const properties = Object.entries(propertiesOf(schema)).map(([property, each]) => {
      const name = shared.get(keyOf(owner, each))
      return [property, name === undefined ? each : { $ref: `#/components/schemas/${name}` }]
    })
    schemas.set(owner, { ...schema, properties: Object.fromEntries(properties) })
  }
}
