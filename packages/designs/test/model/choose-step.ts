import type { Entity } from '@freehold/table'
import type { Chance } from './chance.ts'
import { chooseQuery } from './choose-query.ts'
import { anyOf, idOf, itemsOf, leads, listed, newValues, spelled } from './choose-values.ts'
import { foresee, subjectOf } from './foresee.ts'
import { shapeOf } from './foresee-query.ts'
import { endsOf, isDerived, isEdge, keyPlaceholdersOf, referencesOf } from './parts.ts'
import { printed, type Step, type Verb } from './step.ts'
import type { Values } from './templates.ts'
import type { World } from './world.ts'

const weights: Readonly<Record<Verb, number>> = { create: 24, ensure: 5, update: 27, move: 10, remove: 8, get: 6, query: 16, wait: 4 }

const day_ms = 86_400_000
/** Milliseconds that a step may wait: an instant, a day, and until most things that end are over. */
const waits_ms = [1, day_ms, day_ms, 40 * day_ms, 100 * day_ms, 400 * day_ms] as const

function idFor(world: World, entity: Entity, chance: Chance): Values {
  const item = chance.percent(95) ? chance.one(itemsOf(world, entity)) : undefined
  if (item !== undefined) return spelled(entity, idOf(entity, item), chance)
  return idOf(entity, Object.fromEntries(keyPlaceholdersOf(entity).map((placeholder) => [placeholder, anyOf(entity, placeholder, chance)])))
}

/** The attributes that a caller may try to change; now and then one that nobody may. */
function changeFor(world: World, entity: Entity, verb: Verb, chance: Chance, isWilful: boolean): Values {
  const placeholders = keyPlaceholdersOf(entity)
  const mayChange = (name: string) =>
    entity.attributes[name]?.presence !== 'copied' &&
    !entity.form.fixed.includes(name) &&
    !endsOf(entity).includes(name) &&
    (verb === 'move' || !placeholders.includes(name))
  const names = Object.keys(entity.attributes)
  const forbidden = isWilful && chance.percent(40) ? names.filter((name) => !mayChange(name)) : []
  const candidates = forbidden.length > 0 ? forbidden : names.filter(mayChange)
  const change: Record<string, unknown> = {}
  for (let count = 1 + chance.below(3); count > 0; count--) {
    const name = (verb === 'move' && count === 1 ? chance.one(placeholders.filter(mayChange)) : undefined) ?? chance.one(candidates)
    if (name === undefined) continue
    const isReference = referencesOf(entity).some(({ attribute }) => attribute === name)
    if (entity.attributes[name]?.presence === 'optional' && chance.percent(30)) change[name] = null
    else if (isReference && !isEdge(entity)) {
      const lead = Object.entries(leads(world, entity, chance, [name]))
      Object.assign(change, Object.fromEntries(lead.filter(([own]) => own === name || candidates.includes(own))))
    } else change[name] = listed(world, entity, chance, [name])[name] ?? anyOf(entity, name, chance)
  }
  return spelled(entity, change, chance)
}

function versionFor(world: World, entity: Entity, id: Values, chance: Chance): { version?: number } {
  if (!chance.percent(25)) return {}
  const item = itemsOf(world, entity).find((each) => Object.entries(idOf(entity, each)).every(([name, value]) => id[name] === value))
  return { version: Number(item?.version ?? 1) + (chance.percent(20) ? 1 : 0) }
}

/** Of two, the one of which there is less, or more. */
function oneOfTwo(world: World, entities: readonly Entity[], which: 'rarer' | 'commoner', chance: Chance): Entity | undefined {
  const [first, second] = [chance.one(entities), chance.one(entities)]
  if (first === undefined || second === undefined) return first
  const isRarer = itemsOf(world, first).length <= itemsOf(world, second).length
  return isRarer === (which === 'rarer') ? first : second
}

/** The entity or the access pattern that a step is about. */
function chooseSubject(world: World, verb: Verb, chance: Chance): string {
  const { design } = world
  const entities = Object.values(design.entities)
  const patterns = Object.keys(design.patterns)
  if (verb === 'wait') return ''
  if (verb === 'query') return chance.one(patterns.filter((name) => shapeOf(design, name).operation === 'query')) ?? ''
  if (verb === 'get') {
    const gets = patterns.filter((name) => shapeOf(design, name).operation === 'get')
    return (chance.percent(80) ? chance.one(gets) : undefined) ?? chance.one(entities)?.name ?? ''
  }
  // A derived item is always refused: now and then is enough.
  const writable = entities.filter((entity) => !isDerived(entity) || chance.percent(5))
  if (verb === 'create' || verb === 'ensure') return oneOfTwo(world, writable, 'rarer', chance)?.name ?? ''
  const movable = writable.filter((entity) => verb !== 'move' || !isEdge(entity) || chance.percent(5))
  const there = movable.filter((entity) => itemsOf(world, entity).length > 0)
  // Items of which there are few are removed more seldom.
  return ((verb === 'remove' ? oneOfTwo(world, there, 'commoner', chance) : chance.one(there)) ?? chance.one(movable))?.name ?? ''
}

type Rest = Pick<Step, 'input' | 'change' | 'version' | 'reading' | 'inUse'>

function chooseRest(world: World, { verb, subject }: Pick<Step, 'verb' | 'subject'>, chance: Chance, isWilful: boolean): Rest {
  if (verb === 'wait') return { input: {} }
  if (verb === 'query') return chooseQuery(world, subject, chance)
  const entity = subjectOf(world, { verb, subject })
  if (verb === 'create' || verb === 'ensure') return { input: newValues(world, entity, chance) }
  const input = idFor(world, entity, chance)
  if (verb === 'get') return { input }
  const version = versionFor(world, entity, input, chance)
  if (verb === 'remove') return { input, ...version, ...(chance.percent(30) ? { inUse: 'cascade' } : {}) }
  return { input, change: changeFor(world, entity, verb, chance, isWilful), ...version }
}

/** It is done, or finds something. */
function isWorthwhile(world: World, step: Step): boolean {
  const { codes, gives } = foresee(world, step)
  const isFound = Array.isArray(gives) ? gives.length > 0 : gives !== null
  return codes.length === 0 && isFound
}

/** How often what comes to nothing is given up for something else: first of the same subject, then of another. */
const triesMax = 8

/** A step that could be next: mostly one that comes to something. `wanted`: what it is about. */
export function chooseStep(before: World, number: number, chance: Chance, wanted?: Pick<Step, 'verb' | 'subject'>): Step {
  const verb = wanted?.verb ?? chance.weighted(weights)
  const pause_ms = verb === 'wait' ? (chance.one(waits_ms) ?? 0) : chance.percent(50) ? 1000 : 0
  const world = { ...before, now: new Date(before.now.getTime() + pause_ms) }
  const isWilful = chance.percent(20)
  let subject = wanted?.subject ?? chooseSubject(world, verb, chance)
  for (let tries = 1; ; tries++) {
    const step: Step = printed({
      verb,
      subject,
      number,
      now: world.now.toISOString(),
      ...chooseRest(world, { verb, subject }, chance, isWilful),
    })
    if (isWilful || tries === triesMax || isWorthwhile(world, step)) return step
    if (tries === triesMax / 2 && wanted === undefined) subject = chooseSubject(world, verb, chance)
  }
}
