import { FreeholdError } from '../errors.ts'
import { type CompiledPattern, compilePattern } from './compiled-pattern.ts'
import type { Entity } from './entity.ts'
import type { Pattern } from './pattern.ts'
import { type Dependant, dependantsOf, type Follower, followersOf, ownerOf } from './relations.ts'

type Entities = Readonly<Record<string, Entity>>
type Patterns = Readonly<Record<string, Pattern>>

/** What the runtime and the proofs read of a design. */
export interface DesignForm {
  readonly entities: ReadonlyMap<string, Entity>
  readonly patterns: ReadonlyMap<string, CompiledPattern>
  /** Names of the global secondary indexes, sorted. */
  readonly indexes: readonly string[]
  /** True where items of some entity expire, so that the table needs DynamoDB's TTL on `ttl`. */
  readonly expires: boolean
  /** Guards and mirrors of an entity. */
  furthersOf(entity: Entity): readonly Entity[]
  dependantsOf(entity: Entity): readonly Dependant[]
  followersOf(entity: Entity): readonly Follower[]
}

/** A single-table design: frozen data, from which everything else is derived. */
export interface Design<E = Entities, P = Patterns> {
  readonly name: string
  /** The table's name unless the deployer gives another. */
  readonly table: string
  /** One sentence: what the table is for. */
  readonly description?: string | undefined
  /** Tags that the table gets wherever it is deployed. */
  readonly tags: Readonly<Record<string, string>>
  readonly noIndexes: boolean
  readonly entities: E
  readonly patterns: P
  readonly form: DesignForm
}

/** A design of any entities and patterns. */
export type AnyDesign = Design<Entities, Readonly<Record<string, Pattern>>>

/** The partition that holds the durable jobs of every design (spec rule 12). */
export const jobsPartition = 'FREEHOLD_JOBS'

/** Names that a connected table uses itself. */
export const reservedNames: readonly string[] = [
  'design',
  'runtime',
  'transact',
  'jobs',
  'repositoryNamed',
  'patternNamed',
  'close',
  'then',
]

const none: readonly never[] = []

function checkNames(name: string, entities: Entities, patterns: Patterns): void {
  const refuse = (message: string) => new FreeholdError('InvalidDesign', `The design ${name}: ${message}.`, { design: name })
  for (const [key, entity] of Object.entries(entities)) {
    if (entity.name !== key) throw refuse(`'${key}' names the entity ${entity.name}; an entity goes by its own name`)
    if (entity.name === 'Job') throw refuse(`'Job' is the Type of durable jobs`)
    const others = [ownerOf(entity), ...entity.form.references.map(({ to }) => to)]
    if (entity.form.part.kind === 'edge') {
      const { sides, ends, within } = entity.form.part.edge
      others.push(...sides, ...ends.map(({ to }) => to), ...(within === undefined ? [] : [within]))
    }
    const missing = others.find((other) => entities[other.name] !== other)
    if (missing !== undefined) throw refuse(`${entity.name} needs ${missing.name}, which is not among its entities`)
  }
  for (const pattern of Object.keys(patterns)) {
    if (entities[pattern] !== undefined || reservedNames.includes(pattern))
      throw refuse(`the access pattern '${pattern}' has a name that is taken`)
  }
}

function remembering<V>(find: (entity: Entity) => readonly V[]): (entity: Entity) => readonly V[] {
  const found = new Map<Entity, readonly V[]>()
  return (entity) => {
    const values = found.get(entity) ?? find(entity)
    found.set(entity, values)
    return values
  }
}

function compile(entities: Entities, patterns: Patterns): DesignForm {
  const all = Object.values(entities)
  return Object.freeze({
    entities: new Map(Object.entries(entities)),
    patterns: new Map(Object.entries(patterns).map(([name, pattern]) => [name, compilePattern(name, pattern)])),
    indexes: Object.freeze([...new Set(all.flatMap(({ form }) => Object.keys(form.indexes)))].sort()),
    expires: all.some(({ form }) => form.expires !== undefined),
    furthersOf: remembering((entity) => {
      const furthers = all.filter((other) => other !== entity && ownerOf(other) === entity)
      return furthers.length === 0 ? none : furthers
    }),
    dependantsOf: remembering((entity) => dependantsOf(entity, all)),
    followersOf: remembering((entity) => followersOf(entity, all)),
  })
}

/**
 * Defines a design. Throws `InvalidDesign` for what contradicts itself: a pattern that cannot return what it says, an index in a
 * design that declares `noIndexes`, a part whose owner or end is missing. What is merely unwise is left to `prove`.
 */
export function design<const E extends Entities, const P extends Patterns>(shape: {
  name: string
  table: string
  description?: string
  tags?: Readonly<Record<string, string>>
  noIndexes?: true
  entities: E
  patterns: P
}): Design<E, P> {
  const { name, table, description, tags = {}, noIndexes = false, entities, patterns } = shape
  checkNames(name, entities, patterns)
  const form = compile(entities, patterns)
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
    form,
  })
}
