import { keyNames } from './compiled-pattern.ts'
import type { Entity } from './form.ts'

/** The names of an index. */
export interface IndexNames {
  readonly name?: string
  readonly partitionKey?: string
  readonly sortKey?: string
}

/** The names of a table that another program fills. Things without a name here have the one that the design gives them. */
export interface Names<E = Readonly<Record<string, Entity>>> {
  readonly partitionKey?: string
  readonly sortKey?: string
  /** The attribute that tells entities apart. */
  readonly type?: string
  /** The attribute in which every program counts its writes. Without it no write can name the version of an item. */
  readonly version?: string
  readonly ttl?: string
  readonly indexes?: Readonly<Record<string, IndexNames>>
  /** The stored names of attributes. One name is the same attribute in all entities that have it. */
  readonly attributes?: Readonly<Record<string, string>>
  /** By entity: the value of its `type`. */
  readonly types?: { readonly [N in keyof E]?: string }
}

/** Names, each with the one that it has in the table, in both directions. A name that is not here is the same. */
export interface Renaming {
  readonly toTable: ReadonlyMap<string, string>
  readonly fromTable: ReadonlyMap<string, string>
}

/** The compiled names of a table. */
export interface TableNames {
  readonly attributes: Renaming
  readonly types: Renaming
  readonly indexes: ReadonlyMap<string, string>
  /** Every program that writes counts its writes in `version`. */
  readonly isCounted: boolean
}

export const namesOptions = ['partitionKey', 'sortKey', 'type', 'version', 'ttl', 'indexes', 'attributes', 'types']
export const indexNamesOptions = ['name', 'partitionKey', 'sortKey']

/** DynamoDB's rule of names of indexes. */
const indexForm = /^[A-Za-z0-9_.-]{3,255}$/

/** Attributes of the runtime's own that `names` has no option for. */
const ownAttributes = ['writeId', 'deleting', 'schema', 'formerly']

type Pair = readonly [name: string, stored: string]

const attributeNames = ({ attributes }: Entity) => Object.entries(attributes).flatMap(([name, { formerNames }]) => [name, ...formerNames])

const indexesOf = (entities: readonly Entity[]) => [...new Set(entities.flatMap(({ form }) => Object.keys(form.indexes)))]

function attributePairs(names: Names, entities: readonly Entity[]): Pair[] {
  const { partitionKey, sortKey, type, version, ttl, indexes = {}, attributes = {} } = names
  const keys = [undefined, ...indexesOf(entities)].flatMap((index): Pair[] => {
    const [partition, sort] = keyNames(index)
    const given = index === undefined ? { partitionKey, sortKey } : indexes[index]
    return [
      [partition, given?.partitionKey ?? partition],
      [sort, given?.sortKey ?? sort],
    ]
  })
  const own = new Set(known(entities).attributes)
  return [
    ...keys,
    ['Type', type ?? 'Type'],
    ['version', version ?? 'version'],
    ['ttl', ttl ?? 'ttl'],
    ...[...own].map((name): Pair => [name, Object.hasOwn(attributes, name) ? (attributes[name] ?? name) : name]),
  ]
}

const typePairs = ({ types = {} }: Names, entities: readonly Entity[]) =>
  [...entities.map(({ name }) => name), 'Job'].map((name): Pair => [name, types[name] ?? name])

const indexPairs = ({ indexes = {} }: Names, entities: readonly Entity[]) =>
  indexesOf(entities).map((index): Pair => [index, indexes[index]?.name ?? index])

function* sharedNames(pairs: readonly Pair[], what: string): Generator<string, void, void> {
  const taken = new Map<string, string>()
  for (const [name, stored] of pairs) {
    const other = taken.get(stored)
    if (other !== undefined) yield `${what} '${other}' and '${name}' have one name in the table, '${stored}'`
    else taken.set(stored, name)
    if (stored === '' || stored.length > 255) yield `${what} '${name}' has '${stored}' for a name, which has from 1 to 255 characters`
  }
}

/** The things that may have a name. */
function known(entities: readonly Entity[]) {
  return {
    attributes: [...ownAttributes, ...entities.flatMap(attributeNames)],
    types: entities.map(({ name }) => name),
    indexes: indexesOf(entities),
  }
}

/** Why the names would lose something: two things never have one name in the table, and each thing that is named is there. */
export function* namesProblems(names: Names, entities: readonly Entity[]): Generator<string, void, void> {
  const there = known(entities)
  for (const part of ['attributes', 'types', 'indexes'] as const)
    for (const name of Object.keys(names[part] ?? {}))
      if (!there[part].includes(name)) yield `names.${part} has '${name}', which no entity has`
  yield* sharedNames(attributePairs(names, entities), 'the attributes')
  yield* sharedNames(typePairs(names, entities), 'the types')
  const indexes = indexPairs(names, entities)
  yield* sharedNames(indexes, 'the indexes')
  for (const [index, name] of indexes)
    if (!indexForm.test(name)) yield `the index ${index} is called '${name}', which is not a name that DynamoDB gives an index`
}

/**
 * Every name has one of its own in the table, also a name that only the table knows. If `PK` is stored as `pk`, then an attribute of the table that
 * is called `PK` is read as `pk`.
 */
function renaming(pairs: readonly Pair[]): Renaming {
  const changed = pairs.filter(([name, stored]) => name !== stored)
  const toTable = new Map(changed)
  const back = new Map(changed.map(([name, stored]): Pair => [stored, name]))
  for (const [, stored] of changed) {
    if (toTable.has(stored)) continue
    let free = stored
    for (let name = back.get(free); name !== undefined; name = back.get(free)) free = name
    toTable.set(stored, free)
  }
  return { toTable, fromTable: new Map([...toTable].map(([name, stored]) => [stored, name])) }
}

/** Compiles names without problems. */
export function compileNames(names: Names, entities: readonly Entity[]): TableNames {
  return {
    attributes: renaming(attributePairs(names, entities)),
    types: renaming(typePairs(names, entities)),
    indexes: new Map(indexPairs(names, entities)),
    isCounted: names.version !== undefined,
  }
}

/** The names for a design that has only these entities left. */
export function namesWithout(names: Names, entities: readonly Entity[]): Names {
  const { attributes, types, indexes } = known(entities)
  const kept = <V>(given: Readonly<Record<string, V>> = {}, left: readonly string[]) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => left.includes(name)))
  return {
    ...names,
    attributes: kept(names.attributes, attributes),
    types: kept(names.types, types),
    indexes: kept(names.indexes, indexes),
  }
}

/** The name of an attribute in the table. */
export function storedName(names: TableNames | undefined, attribute: string): string {
  return names?.attributes.toTable.get(attribute) ?? attribute
}

/** The name of an index of the table. */
export function storedIndex(names: TableNames | undefined, index: string): string {
  return names?.indexes.get(index) ?? index
}
