import type { JsonSchema } from '@freehold/table/publish'
import type { Components } from './operation.ts'
import { pascal } from './pascal.ts'
import { plainForm } from './plain-form.ts'

/** A part of the document's `components`, whose members are told once and referred to. */
export interface Section extends Components {
  readonly all: Map<string, JsonSchema>
}

/** @param finish puts a member into its form, before it is kept */
export function section(kind: string, finish: (name: string, member: JsonSchema) => JsonSchema = (_, member) => member): Section {
  const all = new Map<string, JsonSchema>()
  const owners = new Map<string, string>()
  return {
    all,
    named: (wanted, make, owner = 'service') => {
      let name = wanted
      for (let index = 2; owners.has(name) && owners.get(name) !== owner; index++) name = `${wanted}_${index}`
      if (!owners.has(name)) {
        // Set before it is made, since a schema may refer to itself.
        owners.set(name, owner)
        all.set(name, {})
        all.set(name, finish(name, make()))
      }
      return { $ref: `#/components/${kind}/${name}` }
    },
  }
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

export interface Schemas extends Section {
  /** The names of objects within others. */
  readonly within: ReadonlySet<string>
}

/**
 * The schemas of a document. An object within another is a component, too, so that its name in a client is ours and not a
 * generator's.
 */
export function componentsOf(): Schemas {
  const within = new Set<string>()
  const withNames = (name: string, schema: JsonSchema): JsonSchema => {
    if (!isSchema(schema.properties)) return schema
    const properties = Object.entries(schema.properties).map(([part, each]) => [part, asComponent(`${name}${pascal(part)}`, each)])
    return { ...schema, properties: Object.fromEntries(properties) }
  }
  const asComponent = (name: string, schema: unknown): unknown => {
    if (!isSchema(schema)) return schema
    if (schema.type === 'array') return { ...schema, items: asComponent(name, schema.items) }
    if (schema.type !== 'object' || !isSchema(schema.properties)) return schema
    const { description } = schema
    const told = schemas.named(name, () => schema, name)
    within.add(String(told.$ref).slice('#/components/schemas/'.length))
    return description === undefined ? told : { ...told, description }
  }
  const schemas: Section = section('schemas', (name, schema) => withNames(name, plainForm(schema)))
  return { ...schemas, within }
}
