import type { Item } from '../../../packages/designs/test/model/parts.ts'
import { type Entry, isRefused } from '../record.ts'
import type { Compared, Finding } from './finding.ts'

const markers = /m-\d+-\d+-\d+-m/g

/** The markers that an item holds, anywhere. */
export const markersIn = (item: Item | undefined): ReadonlySet<string> => new Set(JSON.stringify(item ?? {}).match(markers) ?? [])

/** An audit entry of something that was not done is no trace of its having been done. */
const audits: ReadonlySet<unknown> = new Set(['AuditLog', 'Change', 'ActorChange'])
const tellsOfFailure = ({ Type, status }: Item) => audits.has(Type) && status !== 'success'

/** A call that was refused, and not as uncertain, was never applied: what it alone writes stands nowhere. */
export function checkTraces({ entries, after }: Compared): Finding[] {
  const refused = new Map<string, Entry>(entries.filter(isRefused).map((entry) => [entry.marker, entry]))
  const found: Finding[] = []
  for (const [place, item] of after) {
    if (tellsOfFailure(item)) continue
    for (const marker of markersIn(item)) {
      const entry = refused.get(marker)
      if (entry === undefined) continue
      const message = `${place} holds ${marker}, which only a call wrote that was refused for certain`
      found.push({ rule: 'traces', place, message, entries: [entry] })
    }
  }
  return found
}
