import type { FlowJob, Json } from '@freehold/table'
import { tableOn } from '@freehold/table/runtime'
import type { Caller } from '../../flow/actor.ts'
import type { AccountContext } from './account-context.ts'
import type { AccountTable } from './account-table.ts'
import { deciderOf } from './decider-of.ts'
import type { Where } from './place.ts'

/** Who started a job, as its record keeps it: the audit of what the job does says so. */
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

/** What jobs have in common that would do the same for the same actor, from wherever it called: one that has not begun does it for all of them. */
export function sameJob<I extends Readonly<Record<string, Json>>>(asked: I, { actor }: Caller): Json {
  return { ...asked, caller: recordedCaller({ actor }) }
}

/** The client that a job is for, as its record keeps it: that of its place, or of a user whose own it is; none for the system's. */
export function clientOfJob({ user }: AccountContext, place: Where): { readonly client_id?: string } {
  const client_id = place === 'system' ? undefined : place === 'own' ? user?.client_id : place.client_id
  return client_id === undefined ? {} : { client_id }
}

/**
 * What a flow's durable job runs in: the whole table for what is of no client, else behind the wall of the client that the job is for (spec rule
 * 22). Whoever started it was allowed to then; a job that grants, or takes away what is another's, asks again with `permittedAgain`, which asks the design's own
 * decisions whatever decided then (see `AccountOptions`).
 */
export function jobContext({ runtime }: FlowJob, flow: string, caller: unknown, client_id?: string): AccountContext {
  // Only connections to account-management are given these jobs.
  const whole = tableOn(runtime) as unknown as AccountTable
  const scoped = client_id === undefined ? whole : whole.forTenant(client_id)
  return { table: scoped, whole, caller: callerOf(caller), decider: () => deciderOf(whole.runtime), flow }
}
