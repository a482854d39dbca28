import type { FlowJob, Json } from '@freehold/table'
import { tableOn } from '@freehold/table/runtime'
import type { Caller } from './actor.ts'
import { type ActingUser, deciderOf, type FlowContext, type FlowHost, type FlowTable, tableOfTenant, type Within } from './flow-host.ts'

/** Who started a job, as its record keeps it: the record of what the job does says so. */
export function recordedCaller({ actor, ip_address, user_agent, session_id }: Caller): Json {
  const { kind, ...who } = actor
  const known = { ...who, ip_address, user_agent, session_id }
  const told = Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return { kind, ...Object.fromEntries(told) }
}

function callerOf(recorded: unknown): Caller {
  // Only `recordedCaller` writes these.
  const { kind, user_id = '', name, ...from } = recorded as Readonly<Record<string, string>>
  return { actor: kind === 'operator' ? { kind, name } : { kind: 'user', user_id }, ...from }
}

/** Equal jobs have the same input and the same actor. A job that has not begun does the work of all that equal it. */
export function sameJob<I extends Readonly<Record<string, Json>>>(input: I, { actor }: Caller): Json {
  return { ...input, caller: recordedCaller({ actor }) }
}

/** The tenant that a job is for: that of its scope, or of a user whose own it is; undefined for the system's. */
export function tenantOfWork<T extends FlowTable, U extends ActingUser, S>(
  { host, user }: FlowContext<T, U, S>,
  within: Within<S>,
): string | undefined {
  if (within === 'system') return undefined
  if (within !== 'own') return host.tenants?.of(within)
  return user === undefined ? undefined : host.tenants?.ofUser(user)
}

/**
 * The context of a durable job: with the table of its tenant, or the unscoped table if it is for none (spec rule 22). Its starter was allowed to start
 * it then. A job that grants, or takes from others, decides again by the design's own decisions (see `FlowOptions`).
 */
export function jobContext<T extends FlowTable, U extends ActingUser, S>(
  host: FlowHost<T, U, S>,
  { runtime }: FlowJob,
  flow: string,
  caller: unknown,
  tenant?: string,
): FlowContext<T, U, S> {
  // Only connections to the host's design are given its jobs.
  const unscoped = tableOn(runtime) as FlowTable as T
  const table = tenant === undefined ? unscoped : tableOfTenant(unscoped, tenant)
  return { host, table, unscoped, caller: callerOf(caller), decider: () => deciderOf(host, unscoped.runtime), flow }
}

/** The same work in the job's own name, since the user who asked may not act any more; each record tells who asked, and when. */
export function byJob<C extends FlowContext>(context: C, { id, createdAt }: FlowJob): C {
  const { actor } = context.caller
  const told = { asked_by: actor.kind === 'user' ? actor.user_id : null, asked_at: createdAt }
  return { ...context, user: undefined, caller: { actor: { kind: 'operator', name: `job ${id}` } }, told }
}
