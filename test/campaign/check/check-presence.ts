import type { AnyDesign, Entity } from '@freehold/table'
import { isDerived } from '../../../packages/designs/test/model/parts.ts'
import { aboveOf } from './above.ts'
import type { Compared, Finding } from './finding.ts'
import { creates, type Effect, effectsOn, historiesOf, removes } from './history.ts'

const rule = 'presence'

/** True where the one may have happened between the other two, whichever of these was first. */
function mayLieBetween(between: Effect, one: Effect, other: Effect): boolean {
  return between.from < Math.max(one.until, other.until) && between.until > Math.min(one.from, other.from)
}

/** True for two calls that may have done one removal together. */
function mayBeOne(one: Effect, other: Effect): boolean {
  return one.isShared && other.isShared && one.from < other.until && other.from < one.until
}

function pairs<T>(of: readonly T[]): [T, T][] {
  return of.slice(1).flatMap((second, index) => {
    const first = of[index]
    return first === undefined ? [] : [[first, second] as [T, T]]
  })
}

interface OfPlace {
  readonly place: string
  readonly effects: readonly Effect[]
  /** Removals of it, and of what takes it along. */
  readonly removals: readonly Effect[]
  readonly wasThere: boolean
  readonly isThere: boolean
}

function checkPlace({ place, effects, removals, wasThere, isThere }: OfPlace): Finding[] {
  const found: Finding[] = []
  const creations = effects.filter(creates)
  const sure = effects.filter(({ isSure }) => isSure)
  const finding = (message: string, ...shown: readonly Effect[]) =>
    found.push({ rule, place, message: `${place}: ${message}`, entries: shown.map(({ entry }) => entry) })

  for (const creation of sure.filter(creates))
    if (!isThere && !removals.some(({ until }) => until > creation.from))
      finding('its creation was acknowledged, nothing removed it since, and it is not there', creation)
  if (wasThere && !isThere && removals.length === 0) finding('it was there before, nothing removed it, and it is not there')

  if (!wasThere && isThere && creations.length === 0) finding('it is there, and nothing created it')

  for (const [one, other] of pairs(sure.filter(({ verb }) => verb === 'create')))
    if (!removals.some((removal) => mayLieBetween(removal, one, other)))
      finding('two creations were acknowledged, and nothing removed it between them', one, other)

  const removed = sure.filter(removes)
  for (const [one, other] of pairs(removed))
    if (!mayBeOne(one, other) && !creations.some((creation) => mayLieBetween(creation, one, other)))
      finding('two removals were acknowledged, and nothing created it between them', one, other)

  const [first, last] = [removed[0], removed.at(-1)]
  if (first !== undefined && !wasThere && !creations.some(({ from }) => from < first.until))
    finding('a removal was acknowledged of what nothing had created', first)
  if (last !== undefined && isThere && !creations.some(({ until }) => until > last.from))
    finding('its removal was acknowledged, nothing created it since, and it is there', last)
  return found
}

/** Derived items come and go with their owner. */
const isKept = (entity: Entity | undefined): boolean => entity !== undefined && !isDerived(entity)

/** Each item that is there or gone has an acknowledged or uncertain call that explains it. */
export function checkPresence(design: AnyDesign, { entries, before, after }: Compared): Finding[] {
  const histories = historiesOf(entries)
  const above = aboveOf(design, entries)
  const kept = [...before].filter(([, { Type }]) => isKept(design.entities[String(Type)])).map(([place]) => place)
  return [...new Set([...kept, ...histories.keys()])].flatMap((place) => {
    const effects = effectsOn(place, histories.get(place)?.calls ?? [])
    const removals = [place, ...above(place)].flatMap((at) => effectsOn(at, histories.get(at)?.calls ?? []).filter(removes))
    return checkPlace({ place, effects, removals, wasThere: before.has(place), isThere: after.has(place) })
  })
}
