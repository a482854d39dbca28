import { creating, type Entity, type Steps } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { actorText, type Caller, cleanText } from '../actor.ts'
import { asJson } from '../as-json.ts'
import type { ChangeEntry, ChangeLine, FlowContext, FlowHost, RecordEntry } from '../flow-host.ts'
import { changeAttributes } from './change-attributes.ts'
import { recorded, recordedChanges, type View } from './recorded-changes.ts'

type Entry = RecordEntry & Partial<ChangeEntry>

/** The values that are there; undefined for none. */
export function present<V>(values: Readonly<Record<string, V | undefined>> = {}): Readonly<Record<string, V>> | undefined {
  const there = Object.entries(values).flatMap(([name, value]): [string, V][] => (value === undefined ? [] : [[name, value]]))
  return there.length === 0 ? undefined : Object.fromEntries(there)
}

function callerFrom({ actor, ip_address, user_agent, session_id, via }: Caller): Readonly<Record<string, string>> | undefined {
  // An operator is what passed its call on.
  const said = Object.entries({ via: actor.kind === 'operator' ? undefined : via, ip_address, user_agent, session_id })
  return present(Object.fromEntries(said.map(([name, value]) => [name, cleanText(value)])))
}

/** The id of an item as records tell it; where it has none, the attributes of its key. */
function idText(entity: Entity, view: View): string {
  const names = typeof view.id === 'string' ? ['id'] : keyPlaceholders(entity)
  return names.flatMap((name) => view[name] ?? []).join(' ')
}

/** The scope of a change: that of the flow, or that of an item which belongs to one, and its tenant. */
function scopeOf(
  { host: { design, scopes = [] }, within }: FlowContext,
  { before, after, tenant }: Entry,
): Readonly<Record<string, string>> | undefined {
  const { by } = design.tenants ?? {}
  const own: View = by === undefined || tenant === undefined ? {} : { [by]: tenant }
  const of: View = typeof within === 'object' && within !== null ? { ...within } : { ...after, ...before, ...own }
  return present(Object.fromEntries(scopes.map((name) => [name, typeof of[name] === 'string' ? of[name] : undefined])))
}

/** The content of a record, as log and table have it. */
function contentOf(
  { caller, flow }: FlowContext,
  { entity, id, before, after, related, more, severity = 'info', status = 'success' }: Entry,
) {
  const changes = entity === undefined ? {} : recordedChanges(entity, before, after)
  const told = more === undefined ? {} : Object.fromEntries(Object.entries(more).map(([name, value]) => [name, recorded(value)]))
  return {
    flow,
    from: callerFrom(caller),
    entity: entity?.name,
    changes: present(changes),
    related: present(related),
    more: present(told),
    severity,
    status,
    id: id ?? (entity === undefined ? undefined : idText(entity, before ?? after ?? {})),
  }
}

/** Logs what was written. A log that fails is no reason to report a written change as not done. */
export function logChange(context: FlowContext, entry: Entry): void {
  const { host, unscoped, caller } = context
  if (host.log === undefined) return
  const { flow, ...content } = contentOf(context, entry)
  const line = {
    time: unscoped.runtime.now().toISOString(),
    design: host.design.name,
    flow,
    actor: caller.actor,
    scope: scopeOf(context, entry),
    ...content,
  }
  try {
    // The fields are those of a line.
    host.log(asJson(line) as unknown as ChangeLine)
  } catch {
    // The change is written, and the log is the deployer's.
  }
}

/**
 * Records changes and denied calls in a structured log, and, unless the deployer left the entity out, in the table.
 * @param entity has `changeAttributes`, and those attributes of the design's scopes by which its items are listed
 */
export function changeRecorder(
  entity: Entity,
): Required<Pick<FlowHost, 'record' | 'records' | 'recordEvent' | 'recordsImports' | 'log' | 'scopes'>> {
  const record = (context: FlowContext, entry: Entry, step: string): Steps => {
    const { table, caller } = context
    if (table.runtime.design.form.entities.get(entity.name) !== entity) return {}
    const { id: entityId, ...content } = contentOf(context, entry)
    // The entity has the attributes of `changeAttributes`.
    return { [step]: creating(entity, { ...scopeOf(context, entry), actor: actorText(caller), ...content, entityId } as never) }
  }
  const scopes = Object.keys(entity.attributes).filter((name) => !Object.hasOwn(changeAttributes, name))
  const said = ['ip_address', 'user_agent', 'session_id'].map((name) => `from.${name}`)
  const paths = { actor: 'actor', subject: 'entity', id: 'entityId', changes: 'changes', related: 'related' }
  const records = { entity, ...paths, from: said, fixed: ['flow', 'entity'] }
  return { record, records, recordEvent: record, recordsImports: true, log: () => {}, scopes }
}
