import { isDeepStrictEqual } from 'node:util'
import type { Entity, ErrorCode } from '@freehold/table'
import { isForeign, missingMembers } from './foresee-create.ts'
import { normal } from './normal.ts'
import {
  copyingsOf,
  endsOf,
  type Item,
  isBroken,
  isDerived,
  isEdge,
  keyPlaceholdersOf,
  ownerOf,
  placeFor,
  referencesOf,
  seen,
  targetPlace,
} from './parts.ts'
import { idsOf, type Step } from './step.ts'
import type { Values } from './templates.ts'
import { draftOf, type Foreseen, live, rewrite, settle, type World } from './world.ts'

/** Refused whatever is there. */
export function neverAllowed(entity: Entity, verb: Step['verb']): ErrorCode | undefined {
  if (isDerived(entity)) return 'DerivedItem'
  if (entity.form.appendOnly) return 'Immutable'
  return isEdge(entity) && verb === 'move' ? 'InvalidInput' : undefined
}

export const normalId = ({ attributes }: Entity, id: Values): Values =>
  Object.fromEntries(Object.entries(id).map(([name, value]) => [name, normal(attributes[name]?.kind.name ?? '', value)]))

/** The item that a step is about, or why it cannot be. */
export function current(world: World, entity: Entity, { input, version }: Step): Item | ErrorCode {
  const item = live(world, placeFor(entity, normalId(entity, input)))
  if (item === undefined || item.Type !== entity.name) return 'NotFound'
  return version === undefined || version === item.version ? item : 'VersionConflict'
}

function mayNotChange(entity: Entity, verb: Step['verb'], [name, value]: [string, unknown]): boolean {
  const { presence, madeOnce, absent } = entity.attributes[name] ?? {}
  // What another program may have left out is given once, so that the item is looked at first.
  const isFixed = entity.form.fixed.includes(name) && absent === undefined
  if (presence === 'copied' || madeOnce === true || isFixed || endsOf(entity).includes(name)) return true
  return (value === null && presence !== 'optional') || (verb === 'update' && keyPlaceholdersOf(entity).includes(name))
}

/** The values after a change, stamps of the write included. */
function changed(entity: Entity, before: Item, step: Step): Record<string, unknown> {
  const after: Record<string, unknown> = { ...before }
  const ids = idsOf(step)
  for (const [name, { madeOnWrite, make }] of Object.entries(entity.attributes))
    if (madeOnWrite && make !== undefined) after[name] = make({ now: new Date(step.now), ...ids })
  for (const [name, value] of Object.entries(step.change ?? {}))
    after[name] = value === null ? undefined : normal(entity.attributes[name]?.kind.name ?? '', value)
  return after
}

/** Follows references that now lead elsewhere: what is there is copied, and nothing is left of what was copied before. */
function lead(world: World, entity: Entity, before: Item, after: Record<string, unknown>): ErrorCode[] {
  const all = copyingsOf(entity).map(({ reference, copies }) => ({
    reference,
    copies,
    from: targetPlace(reference, before),
    place: targetPlace(reference, after),
  }))
  const moved = all.filter(({ from, place }) => from !== place)
  for (const { copies } of moved) for (const { attribute } of copies) after[attribute] = undefined
  for (const { copies, place } of moved) for (const { attribute, from } of copies) after[attribute] ??= live(world, place)?.[from]
  const missing = moved.filter(({ reference, place }) =>
    place === undefined ? isBroken(reference, after) : live(world, place) === undefined,
  )
  const tenant = (values: Values) => values[world.design.form.tenantOf?.(entity).attribute ?? '']
  const checked = tenant(before) === tenant(after) ? moved : all
  const foreign = checked.some(({ reference }) => isForeign(world, entity, after, reference))
  return missing.length > 0 || foreign ? ['MissingEnd'] : []
}

/** Neither by what is given nor by a copy. What others refer to an item by never changes either. */
function isStillTheSame({ design }: World, entity: Entity, before: Item, after: Values): boolean {
  const references = Object.values(design.entities).flatMap(referencesOf)
  const placeholders = references.filter(({ to }) => ownerOf(to) === entity).flatMap(({ by }) => Object.keys(by))
  return [...placeholders, ...entity.form.fixed].every((name) => isDeepStrictEqual(before[name], after[name]))
}

export function foreseeChange(world: World, entity: Entity, step: Step): Foreseen {
  const refused = (...codes: ErrorCode[]): Foreseen => ({ codes, items: world.items })
  const never = neverAllowed(entity, step.verb)
  if (never !== undefined) return refused(never)
  placeFor(entity, normalId(entity, step.input))
  if (Object.entries(step.change ?? {}).some((each) => mayNotChange(entity, step.verb, each))) return refused('InvalidInput')
  const before = current(world, entity, step)
  if (typeof before === 'string') return refused(before)
  const after = changed(entity, before, step)
  const codes = [...lead(world, entity, before, after), ...missingMembers(world, entity, after, before)]
  if (!isStillTheSame(world, entity, before, after)) codes.push('InvalidInput')
  const draft = draftOf(world)
  codes.push(...rewrite(draft, entity, before, after, Number(before.version) + 1))
  if (codes.length > 0) return refused(...codes)
  const item = draft.items.get(placeFor(entity, after) ?? '')
  settle(draft)
  return { codes, items: draft.items, ...(item === undefined ? {} : { gives: seen(entity, item) }) }
}
