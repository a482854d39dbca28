import type { AnyDesign } from '../../design/design.ts'
import type { Edge, Entity, Reference } from '../../design/form.ts'
import { ownerOf } from '../../design/relations.ts'
import { code, link, listed } from './markdown.ts'

/** One thing, with every item that is written and removed with it. */
export interface Thing {
  /** Its heading: the name of its entity, or the names of the items of its edge. */
  readonly heading: string
  /** The entity, or the items of the edge. */
  readonly items: readonly Entity[]
  readonly edge?: Edge | undefined
  /** What it refers to; an edge refers to its ends. */
  readonly references: readonly Reference[]
  /** Its guards and mirrors. */
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

/** The things of a design, in its order: an edge once, guards and mirrors with their owner. */
export function thingsOf(design: AnyDesign): Thing[] {
  const firsts = new Set([...design.form.entities.values()].map((entity) => firstOf(ownerOf(entity))))
  return [...firsts].map((first) => thing(design, first))
}

/** The entity that stands for all items of its thing. */
function firstOf(owner: Entity): Entity {
  const { part } = owner.form
  return part.kind === 'edge' ? (part.edge.sides[0] ?? owner) : owner
}

/** The name of an item as a link to the thing that it is part of. */
export function itemLink(entity: Entity): string {
  const first = firstOf(ownerOf(entity))
  const { part } = first.form
  const items = part.kind === 'edge' ? part.edge.sides : [first]
  return link(code(entity.name), listed(items.map(({ name }) => name)))
}
