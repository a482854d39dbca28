import { FreeholdError, isFreeholdError, type Json, type Runtime } from '@freehold/table'
import type { FlowContext, RecordEntry } from '../flow-host.ts'
import { logChange } from './change-records.ts'

/** Of one actor, each process records so many denied calls one by one. It counts the others, and records their number after the minute. */
const recordedMax = 10
const window_ms = 60_000
/** If more actors than these are denied in a minute, the minute of the first one ends early. */
const actorsMax = 10_000

interface Minute {
  readonly context: FlowContext
  readonly tenant: string | undefined
  readonly end_ms: number
  recorded: number
  counted: number
}

/** By what reaches the tables: each call has a runtime of its own. */
const minutesOf = new WeakMap<Runtime['sender'], Map<string, Minute>>()

/** If the record cannot be written, the answer is still the denial. */
async function recordQuietly(context: FlowContext, entry: RecordEntry): Promise<void> {
  logChange(context, entry)
  const steps = context.host.recordEvent?.(context, entry, 'record') ?? {}
  try {
    if (Object.keys(steps).length > 0) await context.table.transact(steps)
  } catch (error) {
    if (!isFreeholdError(error)) throw error
  }
}

/**
 * Records that a call was denied, if it was (spec rule 24). Ten of each actor in a minute are recorded one by one, the others by their number.
 * @param context within the tenant that the record is for, if any
 * @param asked ids that the call named
 */
export async function recordDenial(context: FlowContext, error: unknown, asked: Readonly<Record<string, Json>> = {}): Promise<void> {
  if (!isFreeholdError(error, 'Denied') || context.host.recordEvent === undefined) return
  const { reason = error.code, tenant } = error.details
  const own = context.table.runtime.tenant
  // An unknown actor is not recorded, nor is a foreign user in a tenant's record.
  if (reason === 'UnknownActor' || (own !== undefined && context.user === undefined && tenant !== own)) return
  const of = own ?? (typeof tenant === 'string' ? tenant : undefined)
  const { runtime } = context.unscoped
  const minutes = minutesOf.get(runtime.sender) ?? new Map<string, Minute>()
  minutesOf.set(runtime.sender, minutes)
  // A provider speaks for strangers, of whom those of one tenant must not hide those of another.
  const isProvider = context.caller.actor.kind === 'identity-provider'
  const actor = JSON.stringify([runtime.table, context.caller.actor, isProvider ? of : undefined])
  const known = minutes.get(actor)
  const now_ms = runtime.now().getTime()
  if (known !== undefined && known.end_ms <= now_ms) await recordCount(minutes, actor, known)
  // Another call of the actor may have begun a minute meanwhile.
  const minute = minutes.get(actor) ?? { context, tenant: of, end_ms: now_ms + window_ms, recorded: 0, counted: 0 }
  minutes.set(actor, minute)
  const [[oldest, itsMinute] = []] = minutes
  if (minutes.size > actorsMax && oldest !== undefined && itsMinute !== undefined) await recordCount(minutes, oldest, itsMinute)
  if (minute.recorded >= recordedMax) minute.counted++
  else {
    minute.recorded++
    await recordQuietly(context, { tenant: of, status: 'failure', related: asked, more: { reason: String(reason) } })
  }
}

async function recordCount(minutes: Map<string, Minute>, actor: string, minute: Minute): Promise<void> {
  const { context, tenant, counted } = minute
  if (minutes.get(actor) !== minute) return
  minutes.delete(actor)
  if (counted > 0) await recordQuietly(context, { tenant, status: 'failure', more: { reason: 'FurtherDenials', denied: counted } })
}

/**
 * Records the numbers of denied calls of minutes that have ended. The next denied call of an actor does so for that actor; a server calls this from
 * time to time, since an actor may have stopped.
 */
export async function recordCounts({ runtime }: FlowContext['unscoped']): Promise<void> {
  const now_ms = runtime.now().getTime()
  const minutes = minutesOf.get(runtime.sender) ?? new Map<string, Minute>()
  for (const [actor, minute] of minutes)
    if (minute.context.unscoped.runtime.table === runtime.table && minute.end_ms <= now_ms) await recordCount(minutes, actor, minute)
}

/** An error names no more permissions. */
const namedMax = 10

/** A caller grants what it does not hold itself (spec rule 23). @param may what it may not do with these: `may not open` */
export function notHeld(flow: string, may: string, all: readonly string[]): FreeholdError {
  const missing = all.slice(0, namedMax)
  const message = `Nobody grants more than they hold here, and this caller ${may} ${missing.join(', ')}.`
  return new FreeholdError('Denied', message, { flow, reason: 'NotHeld', missing })
}
