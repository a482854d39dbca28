import { toldItem } from '../outcome-of.ts'
import { type Entry, isOk, isRefused, isUncertain, type ToldItem } from '../record.ts'
import type { Compared, Finding } from './finding.ts'
import { creates, historiesOf } from './history.ts'

const rule = 'versions'

interface Written {
  readonly entry: Entry
  readonly told: ToldItem
}

/**
 * True where two incarnations may have been created in the same millisecond, so that the instant does not name one of them: an uncertain creation ran
 * beside another, and was done once that one's item was gone. The order of calls is checked in any case.
 */
function mayBeTwo(place: string, calls: readonly Entry[], born: string): boolean {
  const creations = calls.filter(
    (entry) =>
      entry.touches.some((touch) => touch.place === place && creates(touch)) &&
      (isUncertain(entry) || (entry.outcome.is === 'ok' && entry.outcome.items[place]?.born === born)),
  )
  return creations.some((one) =>
    creations.some((other) => one !== other && isUncertain(other) && one.start_ms <= other.end_ms && other.start_ms <= one.end_ms),
  )
}

/** Writes that were acknowledged of one incarnation have versions of their own, and its last version counts them (spec rule 8). */
function checkIncarnation(place: string, calls: readonly Entry[], { before, after }: Compared): Finding[] {
  const told = (entry: Entry): ToldItem => (entry.outcome.is === 'ok' ? (entry.outcome.items[place] ?? {}) : {})
  const written: readonly Written[] = calls.filter(isOk).map((entry) => ({ entry, told: told(entry) }))
  const found: Finding[] = []
  const seen = new Map<string, Written>()
  for (const each of written) {
    const { version, born } = each.told
    if (version === undefined || born === undefined) continue
    const other = seen.get(`${born} ${version}`)
    if (other !== undefined && !mayBeTwo(place, calls, born))
      found.push({ rule, place, message: `Two writes were both told version ${version} of ${place}`, entries: [other.entry, each.entry] })
    seen.set(`${born} ${version}`, each)
  }
  const last = after.get(place)
  if (last === undefined) return found
  const now = toldItem(last)
  if (now.born !== undefined && mayBeTwo(place, calls, now.born)) return found
  const earlier = toldItem(before.get(place))
  const isSame = (other: ToldItem) => other.born !== undefined && other.born === now.born
  const updates = written.filter(
    (each) => isSame(each.told) && each.entry.touches.some((touch) => touch.place === place && touch.verb === 'update'),
  )
  // A removal that is refused, or whose answer was lost, may have marked the item and taken the mark off again.
  const more = calls.map((entry): number => {
    const removes = entry.touches.some((touch) => touch.place === place && touch.verb === 'remove')
    const isInUse = entry.outcome.is === 'error' && entry.outcome.code === 'InUse'
    if (removes) return isRefused(entry) && !isInUse ? 0 : 2
    const isMaybe = entry.touches.some((touch) => touch.place === place && touch.verb === 'may-update')
    return (isOk(entry) && isMaybe) || !(isOk(entry) || isRefused(entry)) ? 1 : 0
  })
  const least = (isSame(earlier) ? (earlier.version ?? 1) : 1) + updates.length
  const most = least + more.reduce((sum, count) => sum + count, 0)
  if (now.born !== undefined && !(Number(now.version) >= least && Number(now.version) <= most)) {
    const message = `${place} has version ${now.version}, and ${updates.length} acknowledged updates of it make that ${least} to ${most}`
    found.push({ rule, place, message })
  }
  return found
}

/** Holds for items that only calls which name them write. */
export function checkVersions(compared: Compared): Finding[] {
  return [...historiesOf(compared.entries)].flatMap(([place, { isAlone, calls }]) =>
    isAlone ? checkIncarnation(place, calls, compared) : [],
  )
}
