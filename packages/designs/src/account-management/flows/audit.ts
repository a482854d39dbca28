import {
  type ChangeEntry,
  cleanText,
  type FlowContext,
  present,
  type RecordEntry,
  type RecordForm,
  recorded,
  recordedChanges,
} from '@freehold/frame/flow'
import { creating, type Json, type Steps } from '@freehold/table'
import { AuditLog } from '../design.ts'

/** Where an entry tells what. */
export const auditForm: RecordForm = {
  entity: AuditLog,
  ...{ actor: 'user_id', subject: 'entity_type', id: 'entity_id', changes: 'metadata.changes', related: 'related_entities' },
  from: ['ip_address', 'user_agent', 'session_id', 'metadata.session'],
  fixed: ['action', 'entity_type'],
}

/** The step that writes an audit entry; none where the deployer left the audit out. An entry of no client is kept at SYSTEM. */
export function auditSteps({ table, caller, flow }: FlowContext, entry: RecordEntry & Partial<ChangeEntry>, step: string): Steps {
  if (table.runtime.design.form.entities.get(AuditLog.name) !== AuditLog) return {}
  const { actor, ip_address, user_agent, session_id, via } = caller
  const session = AuditLog.attributes.session_id.schema.safeParse(session_id)
  const { entity, id, tenant, user, before, after, severity = 'info', status = 'success', related, more = {} } = entry
  const user_id = actor.kind === 'user' ? actor.user_id : user
  const changes = entity === undefined ? {} : recordedChanges(entity, before, after)
  const metadata: Record<string, Json> = {
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, recorded(value)])),
    ...(actor.kind === 'user' ? {} : { [actor.kind.replace('-', '_')]: actor.name ?? true }),
    ...present({ via: user_id === undefined ? undefined : cleanText(via) }),
    // Other text than a UUID is a session of a system that is not ours.
    ...(session.success ? {} : present({ session: cleanText(session_id) })),
    ...(Object.keys(changes).length === 0 ? {} : { changes }),
  }
  return {
    [step]: creating(AuditLog, {
      action: flow,
      entity_type: entity?.name,
      entity_id: id,
      client_id: tenant,
      user_id,
      ip_address: cleanText(ip_address),
      user_agent: cleanText(user_agent),
      session_id: session.success ? session.data : undefined,
      metadata,
      related_entities: present(related),
      severity,
      status,
    }),
  }
}
