import { z } from 'zod'
import type { Attribute, Attributes } from '../design/attribute.ts'
import type { Entity, Reference } from '../design/form.ts'
import type { Kind } from '../kind/kind.ts'
import { attributeWords } from './attribute-words.ts'

/** A schema of JSON Schema 2020-12, which OpenAPI 3.1 has. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Kinds whose stored text always has its domain's pattern, which is short enough for a reader. */
const told: ReadonlySet<string> = new Set(['uuid', 'ulid', 'opaque id', 'phone', 'instant', 'day'])

const anyObject: JsonSchema = { type: 'object' }

/** The schema of a kind. `stored`: of values as an answer has them, normalised; otherwise as a caller may spell them. */
export function kindSchema(kind: Pick<Kind, 'name' | 'schema' | 'domain' | 'isOpen' | 'format'>, stored: boolean): JsonSchema {
  const { name, domain, isOpen, format } = kind
  if (name === 'json') return {}
  if (isOpen === true) return anyObject
  const { $schema: _, ...shape } = z.toJSONSchema(kind.schema, { io: 'input', unrepresentable: 'any' })
  if (shape.type !== 'string' || shape.enum !== undefined) return shape
  const pattern = stored && told.has(name) ? domain?.pattern.source : undefined
  return { ...shape, ...(format === undefined ? {} : { format }), ...(pattern === undefined ? {} : { pattern }) }
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

/** The attributes that a caller may give for a new item. */
export function newItemSchema({ attributes, form }: Entity): JsonSchema {
  const given = Object.entries(attributes).filter(([, { presence }]) => presence !== 'copied')
  return objectSchema(Object.fromEntries(given), { side: 'given', takesNull: true }, form.references)
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
      [typeName(attributes)]: { type: 'string', const: name, description: 'The name of the entity.' },
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
