import type { AnyDesign, Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import {
  endsOf,
  type Ids,
  isLack,
  listingOf,
  type Naming,
  namingsOf,
  ownNaming,
  type Reference,
  referenceOf,
  refuse,
  type Tie,
  toOne,
} from './tie.ts'
import { type TiedActions, tiedOf } from './tied-route.ts'
import { everything, type Granting, type WayStep } from './way.ts'

// A way, resolved against the design. Nothing is read here.

export interface Route {
  readonly name: string
  readonly references: readonly Reference[]
  /** The tie between the hub, to which the references lead, and the subject; or those on both sides of a group. */
  readonly ties: readonly [Tie] | readonly [Tie, Tie]
  /** If groups are nodes that refer to the place: the attributes by which the items of the outer tie tell the place, too. They must say the same. */
  readonly copied?: Naming | undefined
  readonly tied?: TiedActions | undefined
}

/** The attributes by which the items that tie groups to subjects copy the reference of the group. */
function copiedIn({ near: group, toNear }: Tie, { node, by }: Naming): Naming | undefined {
  if (isLack(toNear) || toNear.side.form.part.kind !== 'edge') return undefined
  const copies = toNear.side.form.part.edge.copies[toNear.side.name] ?? []
  const through = Object.values(group.by)
  const of = (own: string) => copies.find((copy) => copy.from === own && through.includes(copy.through))?.attribute
  const all = Object.entries(by).map(([placeholder, own]) => [placeholder, of(own)] as const)
  return all.every(([, own]) => own !== undefined) ? { node, by: Object.fromEntries(all) as Ids } : undefined
}

/** What the step declares, checked against its entity. */
function checked({ from, until, allowing }: WayStep, entity: Entity, actions: readonly string[]) {
  for (const name of [from, until])
    if (name !== undefined && !['day', 'instant'].includes(entity.attributes[name]?.kind.name ?? ''))
      refuse(`A way has the bound '${name}', which is neither a day nor an instant of ${entity.name}.`)
  const named =
    allowing === undefined || allowing.kind === 'role'
      ? []
      : allowing.kind === 'ties'
        ? Object.keys(allowing.flagged?.flags ?? {})
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
  action?: Entity,
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
  const isTied = (step: typeof one) => step.allowing?.kind === 'ties'
  if (action !== undefined && !isTied(one)) refuse(`The way ${name} says by its group which ${action.name} it allows: byTies().`)
  if (second === undefined) {
    if (isTied(one)) refuse(`The way ${name} says by ties which actions it allows, but has no group from which they lead.`)
    const [near, far] = endsOf(first, node, (each) => each === subject)
    const [nearNames, farNames] = [Object.values(near.by), Object.values(far.by)]
    const open = keyPlaceholders(first).find((each) => !nearNames.includes(each) && !farNames.includes(each))
    if (open !== undefined) refuse(`The key of ${first.name} has {${open}}, which neither ${near.node.name} nor ${far.node.name} gives.`)
    const toFar = listingOf(design, first, near, subject, farNames)
    const toNear = listingOf(design, first, far, near.node, nearNames)
    return { name, references, ties: [{ ...one, near, far, isNode: false, toFar, toNear }] }
  }
  const groups = namingsOf(second).filter(({ node: end }) => end !== subject)
  const isNode = groups.some((end) => end.node === first)
  const [near, group] = isNode
    ? [toOne(first, node), ownNaming(first)]
    : endsOf(first, node, (each) => groups.some((end) => end.node === each))
  const [from, far] = endsOf(second, group.node, (each) => each === subject)
  const [nearNames, groupNames] = [Object.values(near.by), Object.values(group.by)]
  const inner: Tie = {
    ...{ ...one, near, far: group, isNode },
    toFar: listingOf(design, first, near, group.node, groupNames, !isNode),
    toNear: listingOf(design, first, group, near.node, nearNames),
  }
  const outer: Tie = {
    ...{ ...(two ?? one), near: from, far, isNode: false },
    toFar: listingOf(design, second, from, subject, Object.values(far.by)),
    toNear: listingOf(design, second, far, from.node, Object.values(from.by), true),
  }
  for (const needed of isNode ? [outer.toNear] : [inner.toFar, outer.toNear])
    if (isLack(needed))
      refuse(`No items list each ${needed.lists} by ${needed.by}, by which the way ${name} is decided. Add ${needed.addition}.`)
  const { allowing } = one
  return {
    ...{ name, references, ties: [inner, outer] },
    // Within a tenant a copy may be missing.
    copied: isNode && (allowing?.kind !== 'ties' || allowing.flagged === undefined) ? copiedIn(outer, near) : undefined,
    tied: allowing?.kind === 'ties' ? tiedOf(design, group.node, allowing, action) : undefined,
  }
}
