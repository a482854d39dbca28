import { creating, type Entity, type Json, type Results, type Steps } from '@freehold/table'
import { recorded, recordedChanges, type View } from '../../flow/recorded-changes.ts'
import { type WritingWhole, writeWhole } from '../../flow/write-whole.ts'
import { AuditLog } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { besideOf } from './grounds.ts'

/** What a flow did, as its audit tells it. */
export interface AuditEntry {
  readonly entity: Entity
  /** The item's id. */
  readonly id: string
  /** Undefined for what belongs to no client: it is kept at SYSTEM. */
  readonly client_id: string | undefined
  /** The item as it was; undefined for a new one. */
  readonly before?: View | undefined
  /** The item as it is; undefined for one that goes. */
  readonly after?: View | undefined
  /** `warning` for what is dangerous. */
  readonly severity?: 'info' | 'warning' | 'critical'
  readonly status?: 'success' | 'failure' | 'error'
  /** Ids of other items that this is about, by what they are. */
  readonly related?: Readonly<Record<string, Json | undefined>>
  /** Whatever else is worth telling. */
  readonly more?: Readonly<Record<string, Json>>
}

/** What a caller's client says of itself is kept up to this length, in characters. */
const foreignTextMax = 1024

/** As it can be stored: a cut through a character, or half of one, is the replacement character. What is no text at all is left out. */
function foreignText(said: string | undefined): string | undefined {
  const read = AuditLog.attributes.user_agent.schema.safeParse(Buffer.from(said?.slice(0, foreignTextMax) ?? '').toString())
  return read.success && read.data !== '' ? read.data : undefined
}

function withoutAbsent<V>(values: Readonly<Record<string, V | undefined>>): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** True where the deployer left the audit to the design. */
export function isAudited({ table }: Pick<AccountContext, 'table'>): boolean {
  return table.runtime.design.form.entities.get(AuditLog.name) === AuditLog
}

/** The step that writes an audit entry, to be written with the change that it records; none where the design has no audit. */
export function auditSteps(context: AccountContext, entry: AuditEntry, step = 'audit'): Steps {
  if (!isAudited(context)) return {}
  const { caller, flow } = context
  const { actor, ip_address, user_agent, session_id } = caller
  const { entity, id, client_id, before, after, severity = 'info', status = 'success', related, more = {} } = entry
  const changes = recordedChanges(entity, before, after)
  const metadata: Record<string, Json> = {
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, recorded(value)])),
    ...(actor.kind === 'operator' ? { operator: actor.name ?? true } : {}),
    ...(Object.keys(changes).length === 0 ? {} : { changes }),
  }
  const named = withoutAbsent(related ?? {})
  return {
    [step]: creating(AuditLog, {
      action: flow,
      entity_type: entity.name,
      entity_id: id,
      client_id,
      user_id: actor.kind === 'user' ? actor.user_id : undefined,
      ip_address: foreignText(ip_address),
      user_agent: foreignText(user_agent),
      session_id,
      metadata,
      related_entities: Object.keys(named).length === 0 ? undefined : named,
      severity,
      status,
    }),
  }
}

/** Writes a flow's steps and its audit entry in one transaction. Throws the error of the first step that failed. */
export async function writeAudited<const S extends Steps>(
  context: AccountContext,
  steps: S,
  entry: AuditEntry,
  how: WritingWhole = {},
): Promise<Results<S>> {
  const results = await writeWhole(context.table, { ...steps, ...auditSteps(context, entry) }, { ...how, grounds: besideOf(context) })
  // The audit's step is one more than the caller named.
  return results as unknown as Results<S>
}
