import { connect, type FlowJob, type Json } from '@freehold/table'
import type { Caller } from '../../flow/actor.ts'
import type { AccountContext } from './account-context.ts'
import type { AccountTable } from './account-table.ts'
import { deciderOf } from './decider-of.ts'

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
  return { actor: kind === 'user' ? { kind, user_id } : { kind: 'operator', name }, ...from }
}

/**
 * What a flow's durable job runs in: whoever started it was allowed to then, and is not asked again. It works on the whole table, so that it
 * names the client of all that it touches.
 */
export function jobContext({ runtime }: FlowJob, flow: string, caller: unknown): AccountContext {
  const { table: name, sender, secret, now, random, sleep, patience_ms, jobHandlers, making } = runtime
  const ids = { uuid: () => making().uuid(), ulid: () => making().ulid() }
  const table = connect(runtime.design, { table: name, sender, secret, now, random, sleep, patience_ms, jobHandlers, ids })
  // Only connections to account-management are given these jobs.
  const whole = table as unknown as AccountTable
  return { table: whole, whole, caller: callerOf(caller), decider: () => deciderOf(whole.runtime), flow }
}
