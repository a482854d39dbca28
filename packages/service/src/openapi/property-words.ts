import type { Words } from '@freehold/frame'
import { type JsonSchema, nameWords } from '@freehold/table/publish'
import { pascal } from './pascal.ts'
import { valueOrNull } from './plain-form.ts'

/** `LocationCode` as `location code`. */
const plain = (name: string): string => nameWords(name).slice(0, -1).toLowerCase()

/** A sentence that tells no more than the name, or what it refers to. */
const namesItem = /^Names an? \w+(?: or an? \w+)*\./

/** What has a property, the nearest first: a schema by its name, an entity. */
export type Owners = readonly string[]

/** `assignRole` of `assignRoleRequest`, and `Client` of `NewClient`. */
const ownerOf = (schema: string): string => schema.replace(/^New(?=[A-Z])/, '').replace(/(?:Request|Result|Query|Change|Move)$/, '')

const ownWords = (words: Words, owners: Owners, property: string): string | undefined =>
  owners.map((owner) => words[`${owner}.${property}`]).find((each) => each !== undefined)

/** The sentence of a property, by the words of its design; of an id, what it is the id of. */
function sentenceOf(words: Words, owners: Owners, property: string): string | undefined {
  const own = ownWords(words, owners, property)
  const [, base] = /^(.+?)_?[iI]d$/.exec(property) ?? []
  if (own !== undefined || words[property] !== undefined) return own ?? words[property]
  if (base !== undefined) return `The id of the ${plain(base)}.`
  const of = owners.at(-1)
  return property === 'id' && of !== undefined ? `The id of the ${plain(of)}.` : undefined
}

/** The description of a property, in which the design's sentence takes the place of its name in words. */
export function propertyWords(words: Words, owners: Owners, property: string, description = nameWords(property)): string {
  const made = description.startsWith(nameWords(property)) ? nameWords(property) : namesItem.exec(description)?.[0]
  const sentence = made === undefined ? undefined : sentenceOf(words, owners, property)
  return sentence === undefined ? description : sentence + description.slice(made?.length)
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A schema whose properties have the sentences of their design, also those within them.
 * @param of the entity that it is about
 */
export function withWords(words: Words, schema: JsonSchema, name: string, of: string | undefined): JsonSchema {
  if (isSchema(schema.items)) return { ...schema, items: withWords(words, schema.items, name, of) }
  if (!isSchema(schema.properties)) return schema
  const owners = [name, ownerOf(name), ...(of === undefined ? [] : [of])]
  const properties = Object.entries(schema.properties).map(([property, each]): [string, unknown] => {
    if (!isSchema(each)) return [property, each]
    if ((valueOrNull(each) ?? each).$ref !== undefined) {
      // The component describes itself, unless this is another use of it.
      const own = ownWords(words, owners, property)
      return [property, own === undefined ? each : { ...each, description: own }]
    }
    const description = typeof each.description === 'string' ? each.description : undefined
    const told = { ...each, description: propertyWords(words, owners, property, description) }
    return [property, withWords(words, told, `${name}${pascal(property)}`, undefined)]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}
