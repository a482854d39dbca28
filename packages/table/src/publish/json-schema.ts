import { z } from 'zod'
import type { Attribute, Attributes } from '../design/attribute.ts'
import type { Entity, Reference } from '../design/form.ts'
import { delimiter, type Template } from '../key/template.ts'
import { type Kind, nameMark, storedPattern } from '../kind/kind.ts'
import { keySpelled } from '../kind/text.ts'
import { attributeWords, namePartWords } from './attribute-words.ts'

/** A schema of JSON Schema 2020-12, which OpenAPI 3.1 has. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Kinds of texts that may have any characters. */
const freeTexts: ReadonlySet<string> = new Set(['text', 'code', 'username'])

const anyObject: JsonSchema = { type: 'object' }

/** The parts of an object, of which names say what they refuse. */
const withNames = (parts: object): object =>
  Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      part?.[nameMark] === true ? { ...part, description: namePartWords(name, part.description) } : part,
    ]),
  )

/** Texts in a schema of Zod as one side has them: as a caller may give them, or as they are stored. */
function sideOf(schema: unknown, stored: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((each) => sideOf(each, stored))
  if (typeof schema !== 'object' || schema === null) return schema
  const { [storedPattern]: form, [nameMark]: _, ...parts }: JsonSchema = { ...schema }
  const { properties } = parts
  const named = stored || typeof properties !== 'object' || properties === null ? parts : { ...parts, properties: withNames(properties) }
  const isTold = ([name, part]: [string, unknown]) => !stored || name !== 'pattern' || typeof part !== 'string'
  const told = Object.entries(named).flatMap((each) => (isTold(each) ? [[each[0], sideOf(each[1], stored)] as const] : []))
  return Object.fromEntries(stored && typeof form === 'string' ? [...told, ['pattern', form]] : told)
}

/** The schema of a kind. `stored`: of values as an answer has them, normalised; otherwise as a caller may spell them. */
export function kindSchema(kind: Pick<Kind, 'name' | 'schema' | 'isOpen' | 'membersMax'>, stored: boolean): JsonSchema {
  const { name, isOpen, membersMax } = kind
  if (name === 'json') return {}
  if (isOpen === true) return anyObject
  const { $schema: _, ...shape } = z.toJSONSchema(kind.schema, { io: 'input', unrepresentable: 'any' })
  // A schema stays one.
  const told = sideOf(shape, stored) as JsonSchema
  return stored || membersMax === undefined ? told : { ...told, maxItems: membersMax }
}

/**
 * The schema of an attribute's value, given for a key: free text says something there, without control characters.
 * @param templates of the keys that it may stand in. A placeholder that does not end a key takes no delimiter.
 * @param isWhole the last segments of the templates end the keys
 */
export function keySchema(
  schema: JsonSchema,
  { name, limits = {} }: Kind,
  placeholder: string,
  templates: readonly Template[],
  isWhole = true,
): JsonSchema {
  const within = templates.flatMap(({ alternatives }) => alternatives).filter(({ placeholders }) => placeholders.includes(placeholder))
  if (!freeTexts.has(name) || limits.pattern !== undefined || limits.otherSpellings !== undefined || within.length === 0) return schema
  const isLast = isWhole && within.every(({ segments }) => segments.at(-1)?.placeholder === placeholder)
  return { ...schema, pattern: keySpelled(isLast ? '' : delimiter).source }
}

/** The schema of the end of a range: a value, or a part of one, as a day is of an instant. */
export function boundSchema(kind: Kind): JsonSchema {
  if (kind.bound === undefined) return kindSchema(kind, false)
  return kind.format === 'date-time' ? { anyOf: [kindSchema(kind, false), { type: 'string', format: 'date' }] } : { type: 'string' }
}

/** The value may also be null, which stands for none. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string' && schema.enum === undefined) return { ...schema, type: [schema.type, 'null'] }
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
}

/** How values of attributes are told: as a caller gives them, `given`, perhaps with null; or as an answer has them, `stored`. */
export interface SchemaSide {
  readonly side: 'given' | 'stored'
  /** Optional attributes may be null. */
  readonly takesNull?: boolean
  /** Of an attribute that takes several forms only the first is told. */
  readonly isPlain?: boolean
}

/** The JSON Schema of one attribute's values. Its own schema is read where it differs from its kind's, as in a question or a flow. */
export function attributeSchema(attribute: Attribute, { side, takesNull = false, isPlain = false }: SchemaSide): JsonSchema {
  const { presence, isSecret, description } = attribute
  const { kind, schema } = (isPlain ? attribute.told : undefined) ?? attribute
  const own = kindSchema({ ...kind, schema: kind.isOpen === true ? kind.schema : schema }, side === 'stored')
  const value = takesNull && presence === 'optional' ? orNull(own) : own
  const told = description === undefined ? value : { ...value, description }
  return isSecret && side === 'given' ? { ...told, writeOnly: true } : told
}

function toldAttribute(name: string, attribute: Attribute, how: SchemaSide, references: readonly Reference[]): JsonSchema {
  return { ...attributeSchema(attribute, how), description: attributeWords(name, attribute, references, how.side) }
}

/** The JSON Schema of an object of these attributes and no others. Those with a default need not be given. */
export function objectSchema(attributes: Attributes, how: SchemaSide, references: readonly Reference[] = []): JsonSchema {
  const entries = Object.entries(attributes)
  const isRequired = ({ presence, absent }: Attribute) =>
    how.side === 'stored' ? (presence === 'given' || presence === 'made') && absent === undefined : presence === 'given'
  const required = entries.flatMap(([name, attribute]) => (isRequired(attribute) ? [name] : []))
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, attribute]) => [name, toldAttribute(name, attribute, how, references)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

/** The templates of all keys of an entity. */
const templatesOf = ({ form: { key, indexes } }: Entity): readonly Template[] =>
  [key, ...Object.values(indexes)].flatMap(({ partition, sort }) => [partition, sort])

/**
 * The attributes that a caller may give for a new item.
 * @param derived its uniqueness guards and lookup items, whose keys hold them, too
 */
export function newItemSchema(entity: Entity, derived: readonly Entity[] = []): JsonSchema {
  const { attributes, form } = entity
  const templates = [entity, ...derived].flatMap(templatesOf)
  const given = Object.entries(attributes).filter(([, { presence }]) => presence !== 'copied')
  const schema = objectSchema(Object.fromEntries(given), { side: 'given', takesNull: true }, form.references)
  const inKey = given.map(([name, { kind }]) => [name, keySchema(Object(schema.properties)[name], kind, name, templates)])
  return { ...schema, properties: Object.fromEntries(inKey) }
}

/**
 * The name by which JSON for other languages tells the entity of an item: `Type`, as the table and the library do. An item with an attribute that differs
 * from that by case alone, such as `type`, tells it as `entity`: many languages make one name of the two.
 */
export function typeName(attributes: Attributes): 'Type' | 'entity' {
  return Object.keys(attributes).some((each) => each.toLowerCase() === 'type') ? 'entity' : 'Type'
}

/** An item as an answer has it: without secrets, with the name of its entity and its `version`. */
export function itemSchema({ name, attributes, form }: Entity): JsonSchema {
  const shown = Object.entries(attributes).filter(([, { isSecret }]) => !isSecret)
  // A set that is empty is not stored, and is shown all the same.
  const isSure = ({ presence, absent }: Attribute) => presence !== 'optional' && presence !== 'copied' && absent === undefined
  return {
    type: 'object',
    properties: {
      [typeName(attributes)]: { type: 'string', const: name, description: 'The entity.' },
      version: {
        type: 'integer',
        minimum: 0,
        description: 'The number of writes, which `If-Match` names; 0 for an item of another program.',
      },
      ...Object.fromEntries(shown.map(([each, attribute]) => [each, toldAttribute(each, attribute, { side: 'stored' }, form.references)])),
      deleting: { type: 'string', description: 'Present while the item is being removed.' },
    },
    required: [typeName(attributes), 'version', ...shown.flatMap(([each, attribute]) => (isSure(attribute) ? [each] : []))],
    additionalProperties: false,
  }
}
