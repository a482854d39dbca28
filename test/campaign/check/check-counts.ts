import type { Item } from '../../../packages/designs/test/model/parts.ts'
import { type Counting, type Entry, isOk, isUncertain } from '../record.ts'
import type { Compared, Finding } from './finding.ts'

const rule = 'counts'

function numberAt(item: Item | undefined, path: readonly string[]): number {
  let value: unknown = item
  for (const name of path) value = typeof value === 'object' && value !== null ? (value as Item)[name] : undefined
  return Number(value)
}

function checkCount({ place, path, by }: Counting, calls: readonly Entry[], { before, after }: Compared): Finding[] {
  const what = `${place} ${path.join('.')}`
  const done = calls.filter(isOk)
  const unsure = calls.filter(isUncertain).length
  const [first, last] = [numberAt(before.get(place), path), numberAt(after.get(place), path)]
  const times = (last - first) / by
  const found: Finding[] = []
  if (!(times >= done.length && times <= done.length + unsure)) {
    const message = `${what} went from ${first} to ${last}: ${times} times by ${by}, with ${done.length} acknowledged and ${unsure} uncertain calls`
    found.push({ rule, place, message })
  }
  const told = new Map<number, Entry>()
  for (const entry of done) {
    const count = entry.outcome.is === 'ok' ? entry.outcome.count : undefined
    if (count === undefined) continue
    const other = told.get(count)
    if (other !== undefined) found.push({ rule, place, message: `${what}: two calls were both told ${count}`, entries: [other, entry] })
    told.set(count, entry)
  }
  return found
}

/** A number that is read and written counts each acknowledged call once, no refused one, and each uncertain one at most once. */
export function checkCounts(compared: Compared): Finding[] {
  const groups = new Map<string, Entry[]>()
  for (const entry of compared.entries) {
    if (entry.counting === undefined) continue
    const key = JSON.stringify(entry.counting)
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return [...groups.values()].flatMap((calls) => (calls[0]?.counting === undefined ? [] : checkCount(calls[0].counting, calls, compared)))
}
