import type { AnyDesign } from '../../design/design.ts'
import type { Edge, Entity, Reference } from '../../design/form.ts'
import { ownerOf } from '../../design/relations.ts'
import { code, link, listed } from './markdown.ts'

/** An entity or an edge, with every item that is written and removed with it. */
export interface Thing {
  /** The heading: the name of the entity, or the names of the edge's items. */
  readonly heading: string
  /** The entity, or the items of the edge. */
  readonly items: readonly Entity[]
  readonly edge?: Edge | undefined
  /** Its references. An edge refers to its ends. */
  readonly references: readonly Reference[]
  /** Its uniqueness guards and lookup items. */
  readonly derivedItems: readonly Entity[]
}

function thing(design: AnyDesign, first: Entity): Thing {
  const { part, references } = first.form
  const edge = part.kind === 'edge' ? part.edge : undefined
  const items = edge?.sides ?? [first]
  return {
    heading: listed(items.map(({ name }) => name)),
    items,
    edge,
    references: edge?.ends ?? references,
    derivedItems: items.flatMap((item) => design.form.derivedItemsOf(item)),
  }
}

/** The groups of a design, in its order. An edge is listed once, derived items with their owner. */
export function thingsOf(design: AnyDesign): Thing[] {
  const firsts = new Set([...design.form.entities.values()].map((entity) => firstOf(ownerOf(entity))))
  return [...firsts].map((first) => thing(design, first))
}

/** The entity that stands for all items of its group. */
function firstOf(owner: Entity): Entity {
  const { part } = owner.form
  return part.kind === 'edge' ? (part.edge.sides[0] ?? owner) : owner
}

/** The name of an item as a link to its group. */
export function itemLink(entity: Entity): string {
  const first = firstOf(ownerOf(entity))
  const { part } = first.form
  const items = part.kind === 'edge' ? part.edge.sides : [first]
  return link(code(entity.name), listed(items.map(({ name }) => name)))
}
