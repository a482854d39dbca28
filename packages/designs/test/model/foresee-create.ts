import type { Entity, ErrorCode } from '@freehold/table'
import { normal } from './normal.ts'
import {
  copyingsOf,
  derivedItemsOf,
  isBroken,
  isDerived,
  isEdge,
  listReferencesOf,
  membersOf,
  placeFor,
  placeOfItem,
  type Reference,
  seen,
  sidesOf,
  stored,
  targetPlace,
  withinOf,
} from './parts.ts'
import { idsOf, type Step } from './step.ts'
import type { Values } from './templates.ts'
import { copiedValues, draftOf, type Foreseen, live, settle, type World } from './world.ts'

/** The given values, as they are stored, with those that the design makes. */
function createdValues(entity: Entity, step: Step): Values {
  const ids = idsOf(step)
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(step.input))
    if (value !== undefined && value !== null) values[name] = normal(entity.attributes[name]?.kind.name ?? '', value)
  for (const [name, { make }] of Object.entries(entity.attributes))
    if (make !== undefined) values[name] ??= make({ now: new Date(step.now), ...ids })
  for (const [name, { fill }] of Object.entries(entity.attributes))
    if (fill !== undefined) values[name] ??= 'by' in fill ? fill.by({ ...values }) : fill.value
  return values
}

/** True where a reference leads from an item of one tenant to one of another. */
export function isForeign(world: World, entity: Entity, values: Values, reference: Reference): boolean {
  const owner = (of: Entity, item: Values | undefined) => item?.[world.design.form.tenantOf?.(of).attribute ?? '']
  const ours = owner(entity, values)
  const theirs = owner(reference.to, live(world, targetPlace(reference, values)))
  return ours !== undefined && theirs !== undefined && theirs !== ours
}

/** Ends that are not there. An item may refer to itself, unless it copies from what it refers to. */
function missingEnds(world: World, entity: Entity, values: Values, own: readonly string[]): ErrorCode[] {
  const missing = copyingsOf(entity).filter(({ reference, copies }) => {
    const place = targetPlace(reference, values)
    if (place === undefined) return isBroken(reference, values)
    if (live(world, place) !== undefined) return false
    return !own.includes(place) || copies.length > 0
  })
  const foreign = copyingsOf(entity).some(({ reference }) => isForeign(world, entity, values, reference))
  const within = withinOf(entity)
  const outer = within === undefined ? undefined : live(world, placeFor(within, values))
  return missing.length > 0 || foreign || (within !== undefined && outer === undefined) ? ['MissingEnd'] : []
}

/** New members of a list that name nothing, or something that is not as the reference asks. */
export function missingMembers(world: World, entity: Entity, values: Values, before: Values = {}): ErrorCode[] {
  const isMissing = (reference: Reference) => {
    const known = membersOf(before, reference)
    const { to, by, where = {} } = reference
    return membersOf(values, reference).some((member) => {
      const target = live(world, placeFor(to, Object.fromEntries(Object.keys(by).map((placeholder) => [placeholder, member]))))
      return !known.includes(member) && !(target !== undefined && Object.entries(where).every(([name, value]) => target[name] === value))
    })
  }
  return listReferencesOf(entity).some(isMissing) ? ['MissingEnd'] : []
}

export function foreseeCreate(world: World, entity: Entity, step: Step): Foreseen {
  if (isDerived(entity)) return { codes: ['DerivedItem'], items: world.items }
  const values = createdValues(entity, step)
  const sides = sidesOf(entity)
  const all = Object.assign({}, values, ...sides.map((side) => copiedValues(world, side, values)))
  const parts = sides.map((side) => stored(side, { ...values, ...copiedValues(world, side, values) }, 1))
  const derivedItems = isEdge(entity) ? [] : derivedItemsOf(world.design, entity).map((derived) => stored(derived, all, 1))
  const items = [...parts, ...derivedItems].filter((item) => item !== undefined)
  const codes = [...missingEnds(world, entity, all, items.map(placeOfItem)), ...missingMembers(world, entity, all)]
  if (parts.includes(undefined)) codes.push('InvalidKey')
  if (items.some((item) => live(world, placeOfItem(item)) !== undefined)) codes.push('AlreadyExists')
  const own = items.find(({ Type }) => Type === entity.name)
  if (codes.length > 0 || own === undefined) {
    const there = own === undefined ? undefined : live(world, placeOfItem(own))
    const isEnsured = step.verb === 'ensure' && there !== undefined
    const others = codes.filter((code) => code !== 'AlreadyExists')
    return { codes: isEnsured ? others : codes, items: world.items, ...(isEnsured ? { gives: seen(entity, there) } : {}) }
  }
  const draft = draftOf(world)
  for (const item of items) draft.items.set(placeOfItem(item), item)
  settle(draft)
  return { codes: [], items: draft.items, gives: seen(entity, own) }
}
