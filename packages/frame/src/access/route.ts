import { type AnyDesign, type Entity, FreeholdError } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { type Allowing, everything, type Granting, type WayStep } from './way.ts'

// A way, resolved against the design: which attributes lead from one node to the next, and which items list what. Nothing is read here.

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
  /** Lists far nodes by a near one. */
  readonly toFar: Listing | Lack
  /** Lists near nodes by a far one. */
  readonly toNear: Listing | Lack
}

export interface Route {
  readonly name: string
  readonly references: readonly Reference[]
  /** The tie between the hub, to which the references lead, and the subject; or those on both sides of a group. */
  readonly ties: readonly [Tie] | readonly [Tie, Tie]
}

export const isLack = (listing: Listing | Lack): listing is Lack => 'addition' in listing

export function refuse(message: string): never {
  throw new FreeholdError('InvalidDesign', message)
}

/** True of a reference to one node by its own key. A lookup item has another key than its owner, and a list many targets. */
function isOne({ to, isEach, when }: { to: Entity; isEach?: true; when: Ids }): boolean {
  return isEach !== true && Object.keys(when).length === 0 && to.form.part.kind === 'entity'
}

/** Each way in which items of an entity name others. */
function namingsOf({ form: { part, references } }: Entity): readonly Naming[] {
  const all = part.kind === 'edge' ? part.edge.ends : references
  return all.filter(isOne).map(({ to, by }) => ({ node: to, by }))
}

/** Items of the same fact: the other sides of an edge, or the entity and its lookup items. The declared one comes first. */
function sidesOf({ form }: AnyDesign, entity: Entity): readonly Entity[] {
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
function listingOf(design: AnyDesign, entity: Entity, by: Naming, of: Entity, names: readonly string[], isOwn = false): Listing | Lack {
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

function referenceOf(design: AnyDesign, from: Entity, attribute: string): Reference {
  const found = from.form.references.find((each) => each.attribute === attribute && isOne(each))
  if (found === undefined) refuse(`A way goes through '${attribute}', by which ${from.name} refers to no one node.`)
  const to: Naming = { node: found.to, by: found.by }
  return { attribute, from, to, down: listingOf(design, from, to, from, keyPlaceholders(from)) }
}

function endsOf(entity: Entity, near: Entity, isNext: (node: Entity) => boolean): readonly [near: Naming, far: Naming] {
  const all = namingsOf(entity)
  const [nearEnd, ...nearer] = all.filter(({ node }) => node === near)
  const [farEnd, ...farther] = all.filter(({ node }) => node !== near && isNext(node))
  if (nearEnd === undefined || farEnd === undefined || nearer.length + farther.length > 0)
    refuse(`A way goes from ${near.name} through ${entity.name}, which ties it to no one node that the way goes on from.`)
  return [nearEnd, farEnd]
}

/** What the step declares, checked against its entity. */
function checked({ from, until, allowing }: WayStep, entity: Entity, actions: readonly string[]) {
  for (const name of [from, until])
    if (name !== undefined && !['day', 'instant'].includes(entity.attributes[name]?.kind.name ?? ''))
      refuse(`A way has the bound '${name}', which is neither a day nor an instant of ${entity.name}.`)
  const named =
    allowing === undefined || allowing.kind === 'role'
      ? []
      : allowing.kind === 'all'
        ? allowing.actions
        : Object.values(allowing.actions).flat()
  const stray = named.find((action) => action !== everything && !actions.includes(action))
  if (stray !== undefined) refuse(`A way allows '${stray}', which is no action: these are ${actions.join(', ')}.`)
  if (allowing?.kind === 'role' && keyPlaceholders(allowing.role).length !== 1)
    refuse(`A way takes the role ${allowing.role.name} by one attribute, but its key has several.`)
  return { entity, from, until, allowing }
}

const isEntity = (by: string | Entity): by is Entity => typeof by !== 'string'

/** Resolves a way. Throws `InvalidDesign` if the design has no such way. */
export function routeOf(
  design: AnyDesign,
  { steps }: Pick<Granting, 'steps'>,
  place: Entity,
  subject: Entity,
  actions: readonly string[],
): Route {
  const references: Reference[] = []
  let node = place
  const rest = [...steps]
  for (let step = rest[0]; step !== undefined && !isEntity(step.by); step = rest[0]) {
    const reference = referenceOf(design, node, step.by)
    references.push(reference)
    node = reference.to.node
    rest.shift()
  }
  const entities = rest.map(({ by }) => (isEntity(by) ? by : refuse(`A way goes through '${by}' behind a tie: references come first.`)))
  const [first, second, ...more] = entities
  const name = steps.map(({ by }) => (isEntity(by) ? by.name : by)).join(' > ')
  if (first === undefined || more.length > 0)
    refuse(`The way ${name} has ${entities.length} ties: it has one, or two with a group between.`)
  if (rest.filter(({ allowing }) => allowing !== undefined).length !== 1)
    refuse(`The way ${name} says once which actions it allows: by(), byRole() or allowing().`)
  const declared = rest.map((step, index) => checked(step, entities[index] ?? first, actions))
  const [one, two] = declared
  if (one === undefined) refuse(`The way ${name} has no tie.`)
  if (second === undefined) {
    const [near, far] = endsOf(first, node, (each) => each === subject)
    const [nearNames, farNames] = [Object.values(near.by), Object.values(far.by)]
    const open = keyPlaceholders(first).find((each) => !nearNames.includes(each) && !farNames.includes(each))
    if (open !== undefined) refuse(`The key of ${first.name} has {${open}}, which neither ${near.node.name} nor ${far.node.name} gives.`)
    const toFar = listingOf(design, first, near, subject, farNames)
    return { name, references, ties: [{ ...one, near, far, toFar, toNear: listingOf(design, first, far, near.node, nearNames) }] }
  }
  const groups = namingsOf(second).filter(({ node: end }) => end !== subject)
  const [near, group] = endsOf(first, node, (each) => groups.some((end) => end.node === each))
  const [from, far] = endsOf(second, group.node, (each) => each === subject)
  const [nearNames, groupNames] = [Object.values(near.by), Object.values(group.by)]
  const inner: Tie = {
    ...{ ...one, near, far: group },
    toFar: listingOf(design, first, near, group.node, groupNames, true),
    toNear: listingOf(design, first, group, near.node, nearNames),
  }
  const outer: Tie = {
    ...{ ...(two ?? one), near: from, far },
    toFar: listingOf(design, second, from, subject, Object.values(far.by)),
    toNear: listingOf(design, second, far, from.node, Object.values(from.by), true),
  }
  for (const needed of [inner.toFar, outer.toNear])
    if (isLack(needed))
      refuse(`No items list each ${needed.lists} by ${needed.by}, by which the way ${name} is decided. Add ${needed.addition}.`)
  return { name, references, ties: [inner, outer] }
}
