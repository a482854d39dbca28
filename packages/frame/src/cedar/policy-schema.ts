import { compareKeys } from '@freehold/table/runtime'
import type { Cedar } from './cedar.ts'
import type { PolicySchema } from './policy-engine.ts'

interface Type {
  readonly type: string
  readonly attributes?: Readonly<Record<string, unknown>>
}

/** What a schema declares, as JSON. */
export interface DeclaredSchema {
  /** The names of the attributes of each entity type. */
  readonly types: readonly (readonly [type: string, attributes: readonly string[]])[]
  readonly actions: readonly DeclaredAction[]
}

interface DeclaredAction {
  readonly name: string
  readonly principals: readonly string[]
  readonly resources: readonly string[]
  /** The names that its context may have. */
  readonly context: readonly string[]
}

const nameWithin = (namespace: string, name: string) => (namespace === '' ? name : `${namespace}::${name}`)

/** Reads a schema that parses. One that does not parse declares nothing. */
export function declaredSchema(cedar: Cedar, schema: string): DeclaredSchema {
  const read = cedar.schemaToJsonWithResolvedTypes(schema)
  const namespaces = Object.entries(read.type === 'failure' ? {} : read.json)
  const common = new Map<string, Type>()
  for (const [namespace, { commonTypes = {} }] of namespaces)
    for (const [name, type] of Object.entries(commonTypes)) common.set(nameWithin(namespace, name), type)
  /** Cedar refuses types that refer to themselves, so this ends. */
  const namesOf = (type: Type | undefined): readonly string[] =>
    type === undefined ? [] : type.type === 'Record' ? Object.keys(type.attributes ?? {}) : namesOf(common.get(type.type))
  // Requests name actions without a namespace.
  const actions = namespaces.find(([namespace]) => namespace === '')?.[1].actions ?? {}
  return {
    types: namespaces.flatMap(([namespace, { entityTypes }]) =>
      Object.entries(entityTypes).map(([name, { shape }]) => [nameWithin(namespace, name), Object.keys(shape?.attributes ?? {})] as const),
    ),
    actions: Object.entries(actions).map(([name, { appliesTo }]) => ({
      ...{ name, principals: appliesTo?.principalTypes ?? [], resources: appliesTo?.resourceTypes ?? [] },
      context: namesOf(appliesTo?.context),
    })),
  }
}

/** Both engines answer by this. */
export function schemaOf({ types, actions }: DeclaredSchema): PolicySchema {
  const attributes = new Map(types)
  const contexts = new Map(actions.map(({ name, context }) => [name, context]))
  return {
    actionsOn: (type, principal = 'User') =>
      actions
        .flatMap(({ name, principals, resources }) => (resources.includes(type) && principals.includes(principal) ? [name] : []))
        .sort(compareKeys),
    attributesOf: (type) => attributes.get(type),
    contextOf: (action) => contexts.get(action) ?? [],
  }
}
