import { creating, type Json, type Steps } from '@freehold/table'
import type { ChangeEntry, FlowContext, RecordEntry } from '../../flow/flow-host.ts'
import { recorded, recordedChanges } from '../../flow/recorded-changes.ts'
import { AuditLog } from '../design.ts'

/** The user agent and the address that a caller's client tells are kept up to this length, in characters. */
const foreignTextMax = 1024

/** As it can be stored: a cut through a character, or half of one, is the replacement character. Text that cannot be stored is left out. */
function foreignText(said: string | undefined): string | undefined {
  const read = AuditLog.attributes.user_agent.schema.safeParse(Buffer.from(said?.slice(0, foreignTextMax) ?? '').toString())
  return read.success && read.data !== '' ? read.data : undefined
}

function withoutAbsent<V>(values: Readonly<Record<string, V | undefined>>): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** The step that writes an audit entry; none where the deployer left the audit out. An entry of no client is kept at SYSTEM. */
export function auditSteps({ table, caller, flow }: FlowContext, entry: RecordEntry & Partial<ChangeEntry>, step: string): Steps {
  if (table.runtime.design.form.entities.get(AuditLog.name) !== AuditLog) return {}
  const { actor, ip_address, user_agent, session_id, via } = caller
  const session = AuditLog.attributes.session_id.schema.safeParse(session_id)
  const { entity, id, tenant, before, after, severity = 'info', status = 'success', related, more = {} } = entry
  const changes = entity === undefined ? {} : recordedChanges(entity, before, after)
  const metadata: Record<string, Json> = {
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, recorded(value)])),
    ...(actor.kind === 'user' ? {} : { [actor.kind.replace('-', '_')]: actor.name ?? true }),
    ...withoutAbsent({ via: actor.kind === 'user' ? foreignText(via) : undefined }),
    // Other text than a UUID is a session of a system that is not ours.
    ...(session.success ? {} : withoutAbsent({ session: foreignText(session_id) })),
    ...(Object.keys(changes).length === 0 ? {} : { changes }),
  }
  const named = withoutAbsent(related ?? {})
  return {
    [step]: creating(AuditLog, {
      action: flow,
      entity_type: entity?.name,
      entity_id: id,
      client_id: tenant,
      user_id: actor.kind === 'user' ? actor.user_id : undefined,
      ip_address: foreignText(ip_address),
      user_agent: foreignText(user_agent),
      session_id: session.success ? session.data : undefined,
      metadata,
      related_entities: Object.keys(named).length === 0 ? undefined : named,
      severity,
      status,
    }),
  }
}
