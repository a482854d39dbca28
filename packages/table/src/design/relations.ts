import { literalPrefix } from '../key/template.ts'
import { sourceName } from './attribute.ts'
import type { Copy, Edge, Entity, OnRemove, Reference } from './form.ts'
import { keyPlaceholders } from './reference.ts'

/** How the value of a dependant's attribute follows from the item: it is an attribute of the item, or `otherwise` if that is absent. */
export interface Known {
  readonly attribute?: string | undefined
  readonly otherwise?: string | undefined
}

/** By attribute of the dependant. */
export type KnownAttributes = Readonly<Record<string, Known>>

/**
 * The value of the attribute in dependants of `item`. Undefined if its own value is the one that stands for an absent attribute: what has that refers to
 * another item.
 */
export function knownValue(item: Readonly<Record<string, unknown>>, { attribute, otherwise }: Known): unknown {
  const own = attribute === undefined ? undefined : item[attribute]
  if (own === undefined || own === null) return otherwise
  return own === otherwise ? undefined : own
}

/** How the dependants of an item are found: one consistent query of the table. */
export interface Enumeration {
  /** The items that the query returns. */
  readonly side: Entity
  /** The value of each placeholder of the side's partition key. */
  readonly partition: KnownAttributes
  /** The prefix of the sort keys. */
  readonly sortPrefix: string
  /** Other attributes of the side that must match the item. */
  readonly filters: KnownAttributes
}

/** A dependant of an item: an edge that has it as an end, an entity that refers to it, or an edge within its edge. */
export interface Dependant {
  readonly kind: 'edge' | 'reference' | 'within'
  readonly onRemove: OnRemove
  /** The edge, if the dependant is one. Otherwise `entity` is the referring entity. */
  readonly edge?: Edge | undefined
  readonly entity: Entity
  readonly reference?: Reference | undefined
  /** The attributes by which the dependant refers to the item. */
  readonly known: KnownAttributes
  /** Optional attributes of the item's key that no dependant has: each refers to the item without them. */
  readonly lacking: readonly string[]
  /** Undefined if no query finds the dependants. `prove` reports that, and removals are refused. */
  readonly enumeration?: Enumeration | undefined
}

/** Copies of this entity's attributes: the items that have them, and how those are found. */
export interface Follower {
  /** The entity whose items have the copies. */
  readonly side: Entity
  readonly copies: readonly Copy[]
  readonly dependant: Dependant
}

/** The owner of a guard or lookup item. Every other entity is its own owner. */
export function ownerOf(entity: Entity): Entity {
  const { part } = entity.form
  return part.kind === 'guard' || part.kind === 'mirror' ? part.owner : entity
}

/**
 * The query that finds dependants. All placeholders of its partition key must be known; their values also select the alternative. Sides whose
 * partition belongs to the item alone come before sides that need a filter.
 */
function enumerate(sides: readonly Entity[], known: KnownAttributes, of?: Reference): Enumeration | undefined {
  const isNarrow = ({ form }: Entity) => of !== undefined && form.key.partition.placeholders.includes(of.attribute)
  for (const side of [...sides.filter(isNarrow), ...sides.filter((each) => !isNarrow(each))]) {
    const { partition, sort } = side.form.key
    const [only] = sort.alternatives
    if (sort.alternatives.length > 1 || only === undefined) continue
    if (partition.placeholders.length === 0 || !partition.placeholders.every((placeholder) => known[placeholder] !== undefined)) continue
    const rest = Object.keys(known).filter((own) => !partition.placeholders.includes(own))
    if (!rest.every((own) => side.attributes[own] !== undefined)) continue
    const pick = (names: readonly string[]) =>
      Object.freeze(Object.fromEntries(names.flatMap((own) => (known[own] === undefined ? [] : [[own, known[own]]]))))
    return Object.freeze({ side, partition: pick(partition.placeholders), sortPrefix: literalPrefix(only), filters: pick(rest) })
  }
  return undefined
}

/** The known values of the attributes by which `from` refers, without attributes that both it and the target may lack. */
function knownBy({ by, absent, when }: Reference, from: Entity): KnownAttributes {
  const filled = Object.entries(by).flatMap(([placeholder, own]) =>
    from.attributes[own] === undefined ? [] : [[own, Object.freeze({ attribute: placeholder, otherwise: absent[own] })] as const],
  )
  const cases = Object.entries(when).map(([own, value]) => [own, Object.freeze({ otherwise: value })] as const)
  return Object.freeze(Object.fromEntries([...filled, ...cases]))
}

/** The placeholders of the target's key that `from` has no attribute to fill. */
function lackedBy({ by }: Reference, from: Entity): readonly string[] {
  return Object.entries(by).flatMap(([placeholder, own]) => (from.attributes[own] === undefined ? [placeholder] : []))
}

/** True if `within` is an item of the same edge. Each item stands for the whole edge: what needs one of them, such as an inner edge, hangs on all. */
function isOfEdge(within: Entity, { form: { part } }: Entity): boolean {
  return part.kind === 'edge' && part.edge.sides.includes(within)
}

function edgeDependants(edge: Edge, target: Entity): Dependant[] {
  const ends = edge.ends.filter(({ to }) => ownerOf(to) === target || isOfEdge(to, target))
  const [first] = edge.sides
  if (first === undefined) return []
  const atEnds = ends.map((reference): Dependant => {
    const known = knownBy(reference, first)
    return {
      kind: 'edge',
      onRemove: reference.onRemove,
      edge,
      entity: first,
      reference,
      known,
      lacking: lackedBy(reference, first),
      enumeration: enumerate(edge.sides, known, reference),
    }
  })
  if (edge.within === undefined || !isOfEdge(edge.within, target)) return atEnds
  const known = Object.freeze(
    Object.fromEntries(keyPlaceholders(edge.within).map((placeholder) => [placeholder, Object.freeze({ attribute: placeholder })])),
  )
  return [
    ...atEnds,
    { kind: 'within', onRemove: 'cascade', edge, entity: first, known, lacking: [], enumeration: enumerate(edge.sides, known) },
  ]
}

/** The dependants of `target` among all entities of a design. */
export function dependantsOf(target: Entity, entities: readonly Entity[]): readonly Dependant[] {
  const edges = new Set(entities.flatMap(({ form }) => (form.part.kind === 'edge' ? [form.part.edge] : [])))
  const referring = entities.flatMap((entity) =>
    entity.form.references
      .filter(({ to }) => ownerOf(to) === target || isOfEdge(to, target))
      .map((reference): Dependant => {
        const known = knownBy(reference, entity)
        const items = [entity, ...entities.filter((other) => other !== entity && ownerOf(other) === entity)]
        return {
          kind: 'reference',
          onRemove: reference.onRemove,
          entity,
          reference,
          known,
          lacking: lackedBy(reference, entity),
          enumeration: enumerate(items, known, reference),
        }
      }),
  )
  return [...[...edges].flatMap((edge) => edgeDependants(edge, target)), ...referring]
}

/** The attributes that an entity copies from the target of one of its references. */
function copiesThrough(entity: Entity, { attribute: through, to }: Reference): readonly Copy[] {
  return Object.entries(entity.attributes).flatMap(([attribute, { source }]) =>
    source?.through === through ? [{ attribute, through, from: sourceName(source, attribute, to.name) }] : [],
  )
}

/** The copies of the attributes of `target` in other entities. */
export function followersOf(target: Entity, entities: readonly Entity[]): readonly Follower[] {
  return dependantsOf(target, entities).flatMap((dependant): Follower[] => {
    const { edge, reference, entity } = dependant
    if (reference === undefined) return []
    if (edge === undefined) {
      const copies = copiesThrough(entity, reference)
      return copies.length === 0 ? [] : [{ side: entity, copies, dependant }]
    }
    return edge.sides.flatMap((side) => {
      const copies = (edge.copies[side.name] ?? []).filter(({ through }) => through === reference.attribute)
      return copies.length === 0 ? [] : [{ side, copies, dependant }]
    })
  })
}

/** True if the item is removed with another to which it refers, or with an end of its edge. */
function goesAlong({ form: { part, references } }: Entity): boolean {
  if (part.kind !== 'edge') return references.some(({ onRemove }) => onRemove === 'cascade')
  return part.edge.within !== undefined || part.edge.ends.some(({ onRemove }) => onRemove === 'cascade')
}

/**
 * True if an item may be there without the target of its reference: it stays, the target expires, or the target goes along with another, which is not
 * refused.
 */
export function mayOutlive({ to, onRemove }: Reference): boolean {
  const owner = ownerOf(to)
  return onRemove === 'keep' || owner.form.expires !== undefined || (onRemove === 'refuse' && goesAlong(owner))
}
