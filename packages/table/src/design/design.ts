import { FreeholdError } from '../errors.ts'
import { parseTemplate } from '../key/template.ts'
import { text } from './attributes.ts'
import { type CompiledPattern, compilePattern } from './compiled-pattern.ts'
import { buildEntity } from './entity.ts'
import type { Entity } from './form.ts'
import { frozen } from './frozen.ts'
import { compileNames, indexNamesOptions, type Names, namesOptions, namesProblems, type TableNames } from './names.ts'
import { checkOptions } from './options.ts'
import type { Pattern } from './pattern.ts'
import { type Dependant, dependantsOf, type Follower, followersOf, ownerOf } from './relations.ts'
import { type TenantOf, type Tenants, tenantOf, tenantProblems } from './tenants.ts'
import type { Key, None } from './types.ts'

type Entities = Readonly<Record<string, Entity>>
type Patterns = Readonly<Record<string, Pattern>>
/** Parts that a deployer may leave out. Each names all its entities, with their guards, lookup items and edge items. */
export type Features = Readonly<Record<string, readonly Entity[]>>

/** The compiled design, as the runtime and the proofs read it. */
export interface DesignForm {
  readonly entities: ReadonlyMap<string, Entity>
  /** Entities of former versions, of which only name and key are known. Their items are passed over. */
  readonly dropped: ReadonlyMap<string, Entity>
  readonly patterns: ReadonlyMap<string, CompiledPattern>
  /** Names of the global secondary indexes, sorted. */
  readonly indexes: readonly string[]
  /** Items of some entity expire, so the table needs DynamoDB's TTL on `ttl`. */
  readonly expires: boolean
  /** Absent if the table has the names that the runtime gives it. */
  readonly names?: TableNames | undefined
  /** Which tenant owns the items of an entity. Undefined if the design has no tenants. */
  readonly tenantOf?: ((entity: Entity) => TenantOf) | undefined
  /** The uniqueness guards and lookup items of an entity. */
  derivedItemsOf(entity: Entity): readonly Entity[]
  dependantsOf(entity: Entity): readonly Dependant[]
  /** Some entity refers to items of this entity by their own key. For a lookup item, that is instead of its owner. */
  isReferredTo(entity: Entity): boolean
  followersOf(entity: Entity): readonly Follower[]
}

/** A single-table design: frozen data. Everything else is derived from it. */
export interface Design<E = Entities, P = Patterns, F = Features> {
  readonly name: string
  /** The table's default name. */
  readonly table: string
  /** The purpose of the table, in one sentence. */
  readonly description?: string | undefined
  /** Tags of the deployed table. */
  readonly tags: Readonly<Record<string, string>>
  readonly noIndexes: boolean
  readonly entities: E
  readonly patterns: P
  readonly features: F
  /** The keys of entities of former versions, by name. */
  readonly dropped: Readonly<Record<string, Key>>
  /** Absent if the design has no tenants. */
  readonly tenants?: Tenants | undefined
  /** The table's own names, if another program gave it some. */
  readonly names?: Names | undefined
  readonly form: DesignForm
}

/** A design of any entities and patterns. */
export type AnyDesign = Design<Entities, Patterns, Features>

/** The partition that holds the durable jobs of every design (spec rule 12). */
export const jobsPartition = 'FREEHOLD_JOBS'

/** With a digest behind it, the partition of each call that was made under an idempotency key. */
export const callsPartition = 'FREEHOLD_CALLS'

/** The `Type`s of the runtime's own items, and what they are of. */
export const runtimeTypes: ReadonlyMap<unknown, string> = new Map([['Job', 'durable jobs']])

/** Names that a connected table uses itself. */
export const reservedNames: readonly string[] = [
  'design',
  'runtime',
  'transact',
  'take',
  'jobs',
  'repositoryNamed',
  'patternNamed',
  'forTenant',
  'close',
  'then',
]

const options = ['name', 'table', 'description', 'tags', 'noIndexes', 'entities', 'patterns', 'features', 'dropped', 'tenants', 'names']
const none: readonly never[] = []

/** The entities that an entity needs: its owner, the other items of its edge, and the targets of its references. */
function needsOf(entity: Entity): readonly Entity[] {
  const { part, references } = entity.form
  const referred = references.map(({ to }) => to)
  if (part.kind !== 'edge') return [ownerOf(entity), ...referred]
  const { sides, ends, within } = part.edge
  return [...sides, ...ends.map(({ to }) => to), ...(within === undefined ? [] : [within])]
}

/** DynamoDB's rule of names. */
const tableForm = /^[A-Za-z0-9_.-]{3,255}$/

function* nameProblems(table: string, entities: Entities, patterns: Patterns): Generator<string, void, void> {
  if (!tableForm.test(table))
    yield `'${table}' is no name of a table, which has from 3 to 255 letters, digits, underscores, hyphens and dots`
  for (const [key, entity] of Object.entries(entities)) {
    if (entity.name !== key) {
      yield `'${key}' names the entity ${entity.name}; an entity goes by its own name`
      continue
    }
    if (runtimeTypes.has(entity.name)) yield `'${entity.name}' is the Type of ${runtimeTypes.get(entity.name)}`
    const missing = needsOf(entity).find((other) => entities[other.name] !== other)
    if (missing !== undefined) yield `${entity.name} needs ${missing.name}, which is not among its entities`
  }
  for (const pattern of Object.keys(patterns))
    if (entities[pattern] !== undefined || reservedNames.includes(pattern))
      yield `the access pattern '${pattern}' has a name that is already taken`
}

function* droppedProblems(dropped: Design['dropped'], entities: Entities): Generator<string, void, void> {
  for (const name of Object.keys(dropped))
    if (entities[name] !== undefined || runtimeTypes.has(name)) yield `'${name}' is dropped, and is among its entities`
}

/** An entity outside a feature must not need one inside, since the feature may be left out. */
function* featureProblems(entities: Entities, features: Features): Generator<string, void, void> {
  for (const [name, parts] of Object.entries(features)) {
    for (const stray of parts.filter((part) => entities[part.name] !== part))
      yield `the feature '${name}' has ${stray.name}, which is not among its entities`
    for (const entity of Object.values(entities)) {
      const needed = parts.includes(entity) ? undefined : needsOf(entity).find((other) => parts.includes(other))
      if (needed !== undefined) yield `${entity.name} is not in the feature '${name}', but needs ${needed.name}, which is`
    }
  }
}

function remembering<V>(find: (entity: Entity) => V): (entity: Entity) => V {
  const found = new Map<Entity, V>()
  return (entity) => {
    const values = found.get(entity) ?? find(entity)
    found.set(entity, values)
    return values
  }
}

/** An entity that is no longer there. Its placeholders may have been anything. */
function droppedEntity(name: string, key: Key): Entity {
  const attributes = Object.fromEntries(key.flatMap((template) => parseTemplate(template).placeholders).map((each) => [each, text()]))
  const built: unknown = buildEntity(name, attributes, key, {}, { part: { kind: 'entity' }, fixed: [], appendOnly: false })
  // Built of the same attributes, whose names its type would have.
  return built as Entity
}

function compile(
  entities: Entities,
  patterns: Patterns,
  tenants: Tenants | undefined,
  dropped: Design['dropped'],
  names: Names | undefined,
): DesignForm {
  const all = Object.values(entities)
  return Object.freeze({
    entities: new Map(Object.entries(entities)),
    dropped: new Map(Object.entries(dropped).map(([name, key]) => [name, droppedEntity(name, key)])),
    patterns: new Map(Object.entries(patterns).map(([name, pattern]) => [name, compilePattern(name, pattern)])),
    indexes: Object.freeze([...new Set(all.flatMap(({ form }) => Object.keys(form.indexes)))].sort()),
    expires: all.some(({ form }) => form.expires !== undefined),
    names: names === undefined ? undefined : compileNames(names, all),
    tenantOf: tenants === undefined ? undefined : remembering((entity) => tenantOf(tenants, entity)),
    derivedItemsOf: remembering((entity) => {
      const derivedItems = all.filter((other) => other !== entity && ownerOf(other) === entity)
      return derivedItems.length === 0 ? none : derivedItems
    }),
    dependantsOf: remembering((entity) => dependantsOf(entity, all)),
    isReferredTo: remembering((entity) =>
      all.some(({ form: { part, references } }) => {
        const ends = part.kind === 'edge' ? part.edge.ends : references
        return ends.some(({ to }) => to === entity)
      }),
    ),
    followersOf: remembering((entity) => followersOf(entity, all)),
  })
}

function checkNamesOptions(design: string, names: Names | undefined): void {
  if (names === undefined) return
  checkOptions(`The design ${design}: 'names'`, names, namesOptions)
  for (const [index, given] of Object.entries(names.indexes ?? {}))
    checkOptions(`The design ${design}: 'names' of the index ${index}`, given, indexNamesOptions)
}

/**
 * Defines a design. Throws `InvalidDesign` for a contradiction: a pattern that cannot return one of its entities, an index in a design
 * that declares `noIndexes`, an entity whose owner or end is missing. `prove` reports designs that are valid but unwise.
 */
export function design<const E extends Entities, const P extends Patterns, const F extends Features = None>(shape: {
  name: string
  table: string
  description?: string | undefined
  tags?: Readonly<Record<string, string>>
  noIndexes?: true
  entities: E
  patterns: P
  features?: F
  /** Entities of former versions, with their keys: their items are neither malformed nor returned, until a migration removes them. */
  dropped?: Readonly<Record<string, Key>>
  tenants?: Tenants
  /** What the table calls things, if another program fills it. */
  names?: Names<E> | undefined
}): Design<E, P, F> {
  checkOptions(`The design ${shape.name}`, shape, options)
  const {
    name,
    table,
    description,
    tags = {},
    noIndexes = false,
    entities,
    patterns,
    features = {} as F,
    dropped = {},
    tenants,
    names,
  } = shape
  checkNamesOptions(name, names)
  const problems = [
    ...nameProblems(table, entities, patterns),
    ...featureProblems(entities, features),
    ...droppedProblems(dropped, entities),
    ...(tenants === undefined ? [] : tenantProblems(tenants, entities, patterns)),
    ...(names === undefined ? [] : namesProblems(names, Object.values(entities))),
  ]
  if (problems.length > 0) throw new FreeholdError('InvalidDesign', `The design ${name}: ${problems.join('; ')}.`, { design: name })
  const form = compile(entities, patterns, tenants, dropped, names)
  if (noIndexes && form.indexes.length > 0) {
    throw new FreeholdError('InvalidDesign', `The design ${name} declares that it has no indexes, but has ${form.indexes.join(', ')}.`, {
      design: name,
      indexes: form.indexes,
    })
  }
  return Object.freeze({
    name,
    table,
    description,
    tags: Object.freeze({ ...tags }),
    noIndexes,
    entities: Object.freeze(entities),
    patterns: Object.freeze(patterns),
    features: frozen(features),
    dropped: frozen(dropped),
    tenants: frozen(tenants),
    names: frozen(names),
    form,
  })
}
