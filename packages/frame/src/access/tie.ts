import { type AnyDesign, type Entity, FreeholdError } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import type { Allowing } from './way.ts'

// What ties two nodes together, resolved against the design: which attributes lead from one to the other, and which items list what. Nothing is read here.

/** The attributes of a node's key. */
export type Ids = Readonly<Record<string, string>>

/** Attributes that name a node: by placeholder of its key, the attribute that has the value. */
export interface Naming {
  readonly node: Entity
  readonly by: Ids
}

/** Items that list by a range: their keys differ in `last` alone, once the others are known. */
export interface Listing {
  readonly side: Entity
  readonly last: string
}

/** What a list lacks, and the addition that would mend it. */
export interface Lack {
  readonly lists: string
  readonly by: string
  readonly addition: string
}

/** A reference from a node to the next one up. */
export interface Reference {
  readonly attribute: string
  readonly from: Entity
  readonly to: Naming
  /** Lists the nodes that refer to one. */
  readonly down: Listing | Lack
}

/** Items that tie a node, nearer to the place, to one that is nearer to the subject. */
export interface Tie {
  readonly entity: Entity
  readonly near: Naming
  readonly far: Naming
  readonly from: string | undefined
  readonly until: string | undefined
  readonly allowing: Allowing | undefined
  /** The items are the far nodes themselves, which refer to the near one. */
  readonly isNode: boolean
  /** Lists far nodes by a near one. */
  readonly toFar: Listing | Lack
  /** Lists near nodes by a far one. */
  readonly toNear: Listing | Lack
}

/** `fact`: read by every question. `definition`: `bounded` may take it from memory (spec rule 18). */
export type Sort = 'fact' | 'definition'

/** How nodes of one kind are read with the items that tie them to others. */
export interface TiedNode {
  readonly name: string
  readonly by: Naming
  readonly listing: Listing
  /** Nothing lies between a node and these items. */
  readonly isBeside: boolean
  /** The attributes that are kept of them. */
  readonly keeps: readonly string[]
}

export const isLack = (listing: Listing | Lack): listing is Lack => 'addition' in listing

export function refuse(message: string): never {
  throw new FreeholdError('InvalidDesign', message)
}

/** True of a reference to one node by its own key. A lookup item has another key than its owner, and a list many targets. */
export function isOne({ to, isEach, when }: { to: Entity; isEach?: true; when: Ids }): boolean {
  return isEach !== true && Object.keys(when).length === 0 && to.form.part.kind === 'entity'
}

/** Each way in which items of an entity name others. */
export function namingsOf({ form: { part, references } }: Entity): readonly Naming[] {
  const all = part.kind === 'edge' ? part.edge.ends : references
  return all.filter(isOne).map(({ to, by }) => ({ node: to, by }))
}

/** The one reference from an entity to a node. */
export function toOne(entity: Entity, node: Entity): Naming {
  const [one, ...more] = namingsOf(entity).filter((each) => each.node === node)
  return one === undefined || more.length > 0
    ? refuse(`A way goes from ${node.name} through ${entity.name}, which refers to no one such node.`)
    : one
}

/** Items of the same fact: the other sides of an edge, or the entity and its lookup items. The declared one comes first. */
export function sidesOf({ form }: AnyDesign, entity: Entity): readonly Entity[] {
  const { part } = entity.form
  const others = part.kind === 'edge' ? part.edge.sides : form.derivedItemsOf(entity).filter((each) => each.form.part.kind === 'mirror')
  return [entity, ...others.filter((each) => each !== entity)]
}

/** True if the side lists: all of its key is known but the end. */
function lists({ form: { key } }: Entity, known: readonly string[], last: string): boolean {
  const [sort] = key.sort.alternatives
  if (sort === undefined || key.sort.alternatives.length > 1 || key.partition.alternatives.length > 1) return false
  const end = sort.segments.at(-1)
  const isKnown = (placeholder: string) => known.includes(placeholder)
  return (
    key.partition.placeholders.length > 0 &&
    key.partition.placeholders.every(isKnown) &&
    end?.placeholder === last &&
    end.behind === '' &&
    sort.placeholders.every((placeholder) => placeholder === last || isKnown(placeholder))
  )
}

const capitals = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()

/** @param isOwn true if decisions rest on what is listed: a lookup item, which only says where to look, is not enough then */
export function listingOf(
  design: AnyDesign,
  entity: Entity,
  by: Naming,
  of: Entity,
  names: readonly string[],
  isOwn = false,
): Listing | Lack {
  const known = Object.values(by.by)
  const open = names.filter((name) => !known.includes(name))
  const [last, ...more] = open
  const sides = sidesOf(design, entity).filter(({ form }) => !(isOwn && form.part.kind === 'mirror'))
  const side = last === undefined || more.length > 0 ? undefined : sides.find((each) => lists(each, known, last))
  if (side !== undefined && last !== undefined) return { side, last }
  const name = `${by.node.name}${entity.name}`
  const braces = (all: readonly string[]) => all.map((each) => `{${each}}`).join('#')
  const key = `['${capitals(name)}#${braces(known)}', '${capitals(of.name)}#${braces(open)}']`
  const isEdge = entity.form.part.kind === 'edge'
  return {
    lists: of.name,
    by: by.node.name,
    addition: isEdge ? `the item ${name}: ${key} of the edge of ${entity.name}` : `mirror('${name}', ${entity.name}, ${key})`,
  }
}

export function referenceOf(design: AnyDesign, from: Entity, attribute: string): Reference {
  const found = from.form.references.find((each) => each.attribute === attribute && isOne(each))
  if (found === undefined) refuse(`A way goes through '${attribute}', by which ${from.name} refers to no one node.`)
  const to: Naming = { node: found.to, by: found.by }
  return { attribute, from, to, down: listingOf(design, from, to, from, keyPlaceholders(from)) }
}

export function endsOf(entity: Entity, near: Entity, isNext: (node: Entity) => boolean): readonly [near: Naming, far: Naming] {
  const all = namingsOf(entity)
  const [nearEnd, ...nearer] = all.filter(({ node }) => node === near)
  const [farEnd, ...farther] = all.filter(({ node }) => node !== near && isNext(node))
  if (nearEnd === undefined || farEnd === undefined || nearer.length + farther.length > 0)
    refuse(`A way goes from ${near.name} through ${entity.name}, which ties it to no one node that the way goes on from.`)
  return [nearEnd, farEnd]
}

export const ownNaming = (node: Entity): Naming => ({ node, by: Object.fromEntries(keyPlaceholders(node).map((own) => [own, own])) })
