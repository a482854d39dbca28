import { literalPrefix } from '../key/template.ts'
import type { Copy, Edge } from './edge.ts'
import type { Entity } from './entity.ts'
import { keyHoles, type OnRemove, type Reference } from './reference.ts'

/** How everything that hangs on an item is found from that item: one query of the table, with a consistent read. */
export interface Enumeration {
  /** The items that the query returns. */
  readonly side: Entity
  /** For each hole of the side's partition key, the attribute of the item we come from. */
  readonly partition: Readonly<Record<string, string>>
  /** What the sort keys begin with. */
  readonly sortPrefix: string
  /** Attributes of the side that must equal attributes of the item we come from. */
  readonly filters: Readonly<Record<string, string>>
}

/** Something that cannot be without an item: an edge at one of its ends, an entity that refers to it, an edge within an edge. */
export interface Dependant {
  readonly kind: 'edge' | 'reference' | 'within'
  readonly onRemove: OnRemove
  /** The edge, where it is one; else the referring entity is `entity`. */
  readonly edge?: Edge | undefined
  readonly entity: Entity
  readonly reference?: Reference | undefined
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

function enumerate(
  sides: readonly Entity[],
  known: Readonly<Record<string, string>>,
  mustMatch: readonly string[],
): Enumeration | undefined {
  for (const side of sides) {
    const { partition, sort } = side.form.key
    const [only] = sort.alternatives
    if (partition.alternatives.length > 1 || sort.alternatives.length > 1 || only === undefined) continue
    if (partition.holes.length === 0 || !partition.holes.every((hole) => known[hole] !== undefined)) continue
    const rest = mustMatch.filter((own) => !partition.holes.includes(own))
    if (!rest.every((own) => side.attributes[own] !== undefined)) continue
    const pick = (names: readonly string[]) =>
      Object.fromEntries(names.flatMap((own) => (known[own] === undefined ? [] : [[own, known[own]]])))
    return Object.freeze({ side, partition: pick(partition.holes), sortPrefix: literalPrefix(only), filters: pick(rest) })
  }
  return undefined
}

/** For a reference of `from`: our attribute > the attribute of the target that fills it; without those that both may lack. */
function known(reference: Reference, from: Entity): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reference.by).flatMap(([hole, own]) => (from.attributes[own] === undefined ? [] : [[own, hole]])),
  )
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
    const attributes = known(reference, first)
    return {
      kind: 'edge',
      onRemove: 'cascade',
      edge,
      entity: first,
      reference,
      enumeration: enumerate(edge.sides, attributes, Object.keys(attributes)),
    }
  })
  if (edge.within === undefined || !isOfEdge(edge.within, target)) return atEnds
  const holes = keyHoles(edge.within)
  const attributes = Object.fromEntries(holes.map((hole) => [hole, hole]))
  return [...atEnds, { kind: 'within', onRemove: 'cascade', edge, entity: first, enumeration: enumerate(edge.sides, attributes, holes) }]
}

/** Everything that hangs on items of `target`, over all entities of a design. */
export function dependantsOf(target: Entity, entities: readonly Entity[]): readonly Dependant[] {
  const edges = new Set(entities.flatMap(({ form }) => (form.part.kind === 'edge' ? [form.part.edge] : [])))
  const referring = entities.flatMap((entity) =>
    entity.form.references
      .filter(({ to }) => ownerOf(to) === target)
      .map((reference): Dependant => {
        const attributes = known(reference, entity)
        const items = [entity, ...entities.filter((other) => other !== entity && ownerOf(other) === entity)]
        return {
          kind: 'reference',
          onRemove: reference.onRemove,
          entity,
          reference,
          enumeration: enumerate(items, attributes, Object.keys(attributes)),
        }
      }),
  )
  return [...[...edges].flatMap((edge) => edgeDependants(edge, target)), ...referring]
}

/** The copies elsewhere that follow attributes of `target`. */
export function followersOf(target: Entity, entities: readonly Entity[]): readonly Follower[] {
  return dependantsOf(target, entities).flatMap((dependant): Follower[] => {
    const { edge, reference, entity } = dependant
    if (reference === undefined) return []
    if (edge === undefined) {
      const copies = Object.entries(entity.attributes).flatMap(([name, { source }]): Copy[] =>
        source?.through === reference.attribute ? [{ attribute: name, through: source.through, from: source.attribute ?? name }] : [],
      )
      return copies.length === 0 ? [] : [{ side: entity, copies, dependant }]
    }
    return edge.sides.flatMap((side) => {
      const copies = (edge.copies[side.name] ?? []).filter(({ through }) => through === reference.attribute)
      return copies.length === 0 ? [] : [{ side, copies, dependant }]
    })
  })
}
