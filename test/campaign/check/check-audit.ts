import type { Item } from '../../../packages/designs/test/model/parts.ts'
import { type Entry, isOk, isRefused } from '../record.ts'
import type { Compared, Finding } from './finding.ts'

const rule = 'audit'

interface AuditEntry {
  readonly marker: string
  readonly action: unknown
  readonly entity_id: unknown
}

/** The entry of a design that audits, or the change of one that keeps changes. */
function asEntry({ Type, user_agent, action, entity_id, from, flow, entityId }: Item): AuditEntry | undefined {
  if (Type === 'AuditLog') return { marker: String(user_agent), action, entity_id }
  // A change says by a map where it came from.
  const caller = from as Readonly<Record<string, unknown>> | undefined
  return Type === 'Change' ? { marker: String(caller?.user_agent), action: flow, entity_id: entityId } : undefined
}

/** Which call an audit entry tells of: each calls its flow as a client that names itself by the call's marker. */
function entriesByMarker(after: Compared['after']): ReadonlyMap<string, readonly AuditEntry[]> {
  const found = new Map<string, AuditEntry[]>()
  for (const item of after.values()) {
    if (item.status !== 'success') continue
    const entry = asEntry(item)
    if (entry !== undefined) found.set(entry.marker, [...(found.get(entry.marker) ?? []), entry])
  }
  return found
}

function isAbout({ audited }: Entry, item: AuditEntry): boolean {
  return item.action === audited?.action && (audited?.entity_id === undefined || item.entity_id === audited.entity_id)
}

/** The audit tells of each acknowledged change once, of each uncertain one at most once, and of no refused one. */
export function checkAudit({ entries, after }: Compared): Finding[] {
  const written = entriesByMarker(after)
  return entries.flatMap((entry): Finding[] => {
    if (entry.audited === undefined) return []
    const count = (written.get(entry.marker) ?? []).filter((item) => isAbout(entry, item)).length
    const isRight = isOk(entry) ? count === 1 : isRefused(entry) ? count === 0 : count <= 1
    if (isRight) return []
    const was = isOk(entry) ? 'acknowledged' : isRefused(entry) ? 'refused for certain' : 'uncertain'
    return [{ rule, message: `The audit tells ${count} times of ${entry.marker}, a ${entry.name} that was ${was}`, entries: [entry] }]
  })
}
