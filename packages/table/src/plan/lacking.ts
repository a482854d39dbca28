import { formerlyName, schemaName } from '../design/entity.ts'
import type { Entity } from '../design/form.ts'
import { mayBeSpelledOtherwise } from '../kind/kind.ts'
import { attributesOf } from './attributes-of.ts'
import type { Condition } from './condition.ts'
import { isRemovable, storedValue } from './stored.ts'
import { holdsFor, type Operand, type Path, type Term, termText } from './term.ts'

// DynamoDB sees an item as it lies in the table. What it is asked must hold for what the item means.

/** How an item may lack an attribute that it has once it is understood. */
interface Lack {
  /** The default, if nothing else gives the attribute a value. Conditions on it can be asked exactly. */
  readonly value?: unknown
  /** The terms by which an item is told that has, or may have, another value than the one that is stored. None if a default is all. */
  readonly suspects: readonly Term[]
  /** An item without a version may have it in a key and not beside it, or in another spelling. */
  readonly isByVersion: boolean
}

const absent = (name: string): Term => ({ is: 'not', term: { is: 'exists', path: [name] } })

/** True for an attribute that may stand in a key of an item and not beside it. */
function isInKey({ form: { key, indexes } }: Entity, name: string): boolean {
  return [key, ...Object.values(indexes)].some(
    ({ partition, sort }) => partition.placeholders.includes(name) || sort.placeholders.includes(name),
  )
}

function lackIn(entity: Entity, name: string): Lack | undefined {
  const attribute = entity.attributes[name]
  if (attribute === undefined) return undefined
  const { fill, formerNames } = attribute
  const { schema } = entity.form
  const former = isRemovable(attribute) ? [...formerNames, formerlyName] : formerNames
  const suspects: Term[] = former.map((each) => ({ is: 'exists', path: [each] }))
  // What has a version has its attributes beside its keys, too, and in the spelling of the design.
  const isByVersion = isInKey(entity, name) || mayBeSpelledOtherwise(attribute.kind)
  if (isByVersion) suspects.push(absent('version'))
  if (schema !== undefined) suspects.push(absent(schemaName), { is: '<', path: [schemaName], with: { value: schema } })
  if (suspects.length === 0 && fill !== undefined && 'value' in fill)
    return { value: storedValue(attribute, fill.value), suspects, isByVersion }
  if (fill !== undefined) suspects.push(absent(name))
  return suspects.length === 0 ? undefined : { suspects, isByVersion }
}

const lacks = new WeakMap<Entity, ReadonlyMap<string, Lack>>()

function lacksOf(entity: Entity): ReadonlyMap<string, Lack> {
  const known =
    lacks.get(entity) ??
    new Map(
      attributesOf(entity).flatMap(([name]) => {
        const lack = lackIn(entity, name)
        return lack === undefined ? [] : [[name, lack] as const]
      }),
    )
  lacks.set(entity, known)
  return known
}

/** The lack of an attribute in any of these entities. If they differ, its value is not known before an item is read. */
function lackOf(entities: readonly Entity[], name: string): Lack | undefined {
  const found = entities.filter(({ attributes }) => attributes[name] !== undefined).map((entity) => lacksOf(entity).get(name))
  const [first] = found
  if (found.every((each) => each === undefined)) return undefined
  const isOne = first !== undefined && found.every((each) => each?.suspects.length === 0 && Object.is(each.value, first.value))
  const isByVersion = found.some((each) => each?.isByVersion === true)
  return isOne ? first : { suspects: [absent(name), ...found.flatMap((each) => each?.suspects ?? [])], isByVersion }
}

type Leaf = Exclude<Term, { readonly is: 'and' | 'or' | 'not' }>

const namesOfOperand = (operand: Operand): readonly string[] => ('path' in operand ? [operand.path[0]] : [])

function namesOfLeaf(leaf: Leaf): readonly string[] {
  const others = 'with' in leaf ? [leaf.with] : 'from' in leaf ? [leaf.from, leaf.to] : []
  return [leaf.path[0], ...others.flatMap(namesOfOperand)]
}

/** Calls `each` for the leaves of a term, and joins what it gives as they were joined. */
function mapLeaves(term: Term, each: (leaf: Leaf) => Term): Term {
  switch (term.is) {
    case 'and':
    case 'or':
      return { is: term.is, terms: term.terms.map((one) => mapLeaves(one, each)) }
    case 'not':
      return { is: 'not', term: mapLeaves(term.term, each) }
    default:
      return each(term)
  }
}

function leavesOf(term: Term): readonly Leaf[] {
  if (term.is === 'not') return leavesOf(term.term)
  return 'terms' in term ? term.terms.flatMap(leavesOf) : [term]
}

/** How a condition on items of these entities is asked of DynamoDB. */
interface AskedTerm {
  /** It holds for each item that satisfies the condition once it is understood. */
  readonly term: Term
  /** False if it may hold for other items, too. */
  readonly isExact: boolean
}

/** A leaf for items that lack an attribute with a default. Of two attributes that are compared, neither default is asked. */
function withDefault(entities: readonly Entity[], leaf: Leaf): Term {
  const [name = '', ...others] = namesOfLeaf(leaf)
  const lack = lackOf(entities, name)
  if (lack === undefined || lack.suspects.length > 0 || others.length > 0) return leaf
  return holdsFor(leaf, { [name]: lack.value }) ? { is: 'or', terms: [leaf, absent(name)] } : leaf
}

const withDefaults = (entities: readonly Entity[], term: Term) => mapLeaves(term, (leaf) => withDefault(entities, leaf))

function suspectsOf(entities: readonly Entity[], leaf: Leaf): readonly Term[] {
  const names = namesOfLeaf(leaf)
  return names.flatMap((name) => {
    const lack = lackOf(entities, name)
    return lack?.suspects.length === 0 && names.length > 1 ? [absent(name)] : (lack?.suspects ?? [])
  })
}

/** The filter by which DynamoDB is asked for the items of these entities that satisfy a term. */
export function askedTerm(entities: readonly Entity[], term: Term): AskedTerm {
  const suspects = new Map(leavesOf(term).flatMap((leaf) => suspectsOf(entities, leaf).map((each) => [termText(each), each])))
  const asked = withDefaults(entities, term)
  if (suspects.size === 0) return { term: asked, isExact: true }
  return { term: { is: 'or', terms: [asked, ...suspects.values()] }, isExact: false }
}

/**
 * The conditions by which a write asks for a term, and takes the stored values of attributes.
 * @param changed those of which an atomic change takes the stored value
 */
export function askingConditions(entity: Entity, term: Term | undefined, changed: readonly string[] = []): readonly Condition[] {
  if (term === undefined && changed.length === 0) return []
  const leaves = term === undefined ? [] : leavesOf(term)
  const asked = [...new Set(leaves.flatMap(namesOfLeaf))]
  const taken = [...changed, ...leaves.flatMap((leaf) => (namesOfLeaf(leaf).length > 1 ? namesOfLeaf(leaf) : []))]
  const names = [...new Set([...asked, ...changed])].filter((name) => entity.attributes[name] !== undefined)
  const present = names.filter((name) => {
    const { fill } = entity.attributes[name] ?? {}
    return fill !== undefined && (taken.includes(name) || lackOf([entity], name)?.suspects.length !== 0)
  })
  const same = names.flatMap((name) => (entity.attributes[name]?.formerNames ?? []).map((former): Path => [name, former]))
  const { schema } = entity.form
  const beside = names.some((name) => lacksOf(entity).get(name)?.isByVersion === true) ? ['version'] : []
  const isSettled = schema === undefined && same.length === 0 && present.length + beside.length === 0
  return [
    ...(term === undefined ? [] : [{ is: 'where', term: withDefaults([entity], term) } as const]),
    ...(isSettled ? [] : [{ is: 'settled', schema, present: [...present, ...beside], same } as const]),
  ]
}
