import { literalPrefix } from '../key/template.ts'
import { sourceName } from './attribute.ts'
import type { Copy, Edge, Entity, OnRemove, Reference } from './form.ts'
import { keyPlaceholders } from './reference.ts'

/** What an attribute of a dependant is, as the item that it hangs on has it: an attribute of that item, or a value where that is absent. */
export interface Known {
  readonly attribute?: string | undefined
  readonly otherwise?: string | undefined
}

/** By attribute of the dependant. */
export type KnownAttributes = Readonly<Record<string, Known>>

/** The value that a dependant of `item` has. */
export function knownValue(item: Readonly<Record<string, unknown>>, { attribute, otherwise }: Known): unknown {
  return (attribute === undefined ? undefined : item[attribute]) ?? otherwise
}

/** How everything that hangs on an item is found from that item: one query of the table, with a consistent read. */
export interface Enumeration {
  /** The items that the query returns. */
  readonly side: Entity
  /** For each placeholder of the side's partition key, what it is. */
  readonly partition: KnownAttributes
  /** What the sort keys begin with. */
  readonly sortPrefix: string
  /** Other attributes of the side that tell the item we come from. */
  readonly filters: KnownAttributes
}

/** Something that cannot be without an item: an edge at one of its ends, an entity that refers to it, an edge within an edge. */
export interface Dependant {
  readonly kind: 'edge' | 'reference' | 'within'
  readonly onRemove: OnRemove
  /** The edge, where it is one; else the referring entity is `entity`. */
  readonly edge?: Edge | undefined
  readonly entity: Entity
  readonly reference?: Reference | undefined
  /** Attributes of a dependant by which it hangs on the item. */
  readonly known: KnownAttributes
  /** Undefined where the design has no way to find them; `prove` reports that, and removing refuses. */
  readonly enumeration?: Enumeration | undefined
}

/** Attributes elsewhere that follow this entity's: on which items, and how those are found. */
export interface Follower {
  /** The item that carries the copies. */
  readonly side: Entity
  readonly copies: readonly Copy[]
  readonly dependant: Dependant
}

/** The item a guard or mirror belongs to; every other entity is its own. */
export function ownerOf(entity: Entity): Entity {
  const { part } = entity.form
  return part.kind === 'guard' || part.kind === 'mirror' ? part.owner : entity
}

/**
 * Where the partition key has alternatives, what is known of all their placeholders says which of them is meant. Of several sides the one whose
 * partitions are `of` the item alone is asked, before one that has to filter.
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

/** What is known of the attributes of `from` that refer: without those that both it and the target may lack. */
function knownBy({ by, absent, when }: Reference, from: Entity): KnownAttributes {
  const filled = Object.entries(by).flatMap(([placeholder, own]) =>
    from.attributes[own] === undefined ? [] : [[own, Object.freeze({ attribute: placeholder, otherwise: absent[own] })] as const],
  )
  const cases = Object.entries(when).map(([own, value]) => [own, Object.freeze({ otherwise: value })] as const)
  return Object.freeze(Object.fromEntries([...filled, ...cases]))
}

/** Any item of an edge stands for the whole: what lies within it goes from whichever side it is removed. */
function isOfEdge(within: Entity, { form: { part } }: Entity): boolean {
  return part.kind === 'edge' && part.edge.sides.includes(within)
}

function edgeDependants(edge: Edge, target: Entity): Dependant[] {
  const ends = edge.ends.filter(({ to }) => ownerOf(to) === target)
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
      enumeration: enumerate(edge.sides, known, reference),
    }
  })
  if (edge.within === undefined || !isOfEdge(edge.within, target)) return atEnds
  const known = Object.freeze(
    Object.fromEntries(keyPlaceholders(edge.within).map((placeholder) => [placeholder, Object.freeze({ attribute: placeholder })])),
  )
  return [...atEnds, { kind: 'within', onRemove: 'cascade', edge, entity: first, known, enumeration: enumerate(edge.sides, known) }]
}

/** Everything that hangs on items of `target`, over all entities of a design. */
export function dependantsOf(target: Entity, entities: readonly Entity[]): readonly Dependant[] {
  const edges = new Set(entities.flatMap(({ form }) => (form.part.kind === 'edge' ? [form.part.edge] : [])))
  const referring = entities.flatMap((entity) =>
    entity.form.references
      .filter(({ to }) => ownerOf(to) === target)
      .map((reference): Dependant => {
        const known = knownBy(reference, entity)
        const items = [entity, ...entities.filter((other) => other !== entity && ownerOf(other) === entity)]
        return {
          kind: 'reference',
          onRemove: reference.onRemove,
          entity,
          reference,
          known,
          enumeration: enumerate(items, known, reference),
        }
      }),
  )
  return [...[...edges].flatMap((edge) => edgeDependants(edge, target)), ...referring]
}

/** The copies that an entity makes of what one of its references leads to. */
function copiesThrough(entity: Entity, { attribute: through, to }: Reference): readonly Copy[] {
  return Object.entries(entity.attributes).flatMap(([attribute, { source }]) =>
    source?.through === through ? [{ attribute, through, from: sourceName(source, attribute, to.name) }] : [],
  )
}

/** The copies elsewhere that follow attributes of `target`. */
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
