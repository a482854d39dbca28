import { compareKeys } from '@freehold/table/runtime'
import type { Cedar } from './cedar.ts'
import type { PolicySchema } from './policy-engine.ts'

interface Type {
  readonly type: string
  readonly attributes?: Readonly<Record<string, unknown>>
}

const nameWithin = (namespace: string, name: string) => (namespace === '' ? name : `${namespace}::${name}`)

/** Reads a schema that parses: both engines answer by this. A schema that does not parse declares nothing. */
export function readSchema(cedar: Cedar, schema: string): PolicySchema {
  const read = cedar.schemaToJsonWithResolvedTypes(schema)
  const namespaces = Object.entries(read.type === 'failure' ? {} : read.json)
  const attributes = new Map<string, readonly string[]>()
  const common = new Map<string, Type>()
  for (const [namespace, { entityTypes, commonTypes = {} }] of namespaces) {
    for (const [name, { shape }] of Object.entries(entityTypes))
      attributes.set(nameWithin(namespace, name), Object.keys(shape?.attributes ?? {}))
    for (const [name, type] of Object.entries(commonTypes)) common.set(nameWithin(namespace, name), type)
  }
  // Requests name actions without a namespace.
  const actions = new Map(Object.entries(namespaces.find(([namespace]) => namespace === '')?.[1].actions ?? {}))
  /** Cedar refuses types that refer to themselves, so this ends. */
  const namesOf = (type: Type | undefined): readonly string[] =>
    type === undefined ? [] : type.type === 'Record' ? Object.keys(type.attributes ?? {}) : namesOf(common.get(type.type))
  return {
    actionsOn: (type, principal = 'User') =>
      [...actions]
        .flatMap(([name, { appliesTo }]) =>
          appliesTo?.resourceTypes.includes(type) && appliesTo.principalTypes.includes(principal) ? [name] : [],
        )
        .sort(compareKeys),
    attributesOf: (type) => attributes.get(type),
    contextOf: (action) => namesOf(actions.get(action)?.appliesTo?.context),
  }
}
