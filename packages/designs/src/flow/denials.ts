import { isFreeholdError, type Json, type Runtime } from '@freehold/table'
import { type RecentlyUsed, recentlyUsed } from '../recently-used.ts'
import { logChange } from './change-records.ts'
import type { FlowContext, RecordEntry } from './flow-host.ts'

/** Of one actor, each process records so many denied calls one by one. It counts the others, and records their number at the end of the minute. */
const recordedMax = 10
const window_ms = 60_000
/** A minute of more actors than these is recorded as far as their first calls. */
const actorsMax = 10_000

interface Minute {
  readonly end_ms: number
  recorded: number
  counted: number
}

const minutesOf = new WeakMap<Runtime, RecentlyUsed<Minute>>()

function minuteOf({ unscoped: { runtime }, caller: { actor } }: FlowContext): Minute {
  const minutes = minutesOf.get(runtime) ?? recentlyUsed<Minute>(actorsMax)
  minutesOf.set(runtime, minutes)
  const actorKey = JSON.stringify(actor)
  const now_ms = runtime.monotonic_ms()
  const known = minutes.get(actorKey)
  if (known !== undefined && now_ms < known.end_ms) return known
  const begun = { end_ms: now_ms + window_ms, recorded: 0, counted: 0 }
  minutes.set(actorKey, begun)
  return begun
}

/** A record of what was denied is no reason to fail otherwise: the answer stays the denial. */
async function recordQuietly(context: FlowContext, entry: RecordEntry): Promise<void> {
  logChange(context, entry)
  const steps = context.host.recordDenied?.(context, entry, 'record') ?? {}
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
  if (!isFreeholdError(error, 'Denied') || context.host.recordDenied === undefined) return
  const { reason = error.code, tenant } = error.details
  const own = context.table.runtime.tenant
  // Nobody is no actor, and a user whom a tenant does not have is not that tenant's.
  if (reason === 'UnknownActor' || (own !== undefined && context.user === undefined && tenant !== own)) return
  const of = own ?? (typeof tenant === 'string' ? tenant : undefined)
  const entry = { tenant: of, status: 'failure' } as const
  const minute = minuteOf(context)
  if (minute.recorded < recordedMax) {
    minute.recorded++
    return recordQuietly(context, { ...entry, related: asked, more: { reason: String(reason) } })
  }
  minute.counted++
  if (minute.counted > 1) return
  // The process may end before: then the number is lost, and not the ten.
  const summarise = () => recordQuietly(context, { ...entry, more: { reason: 'FurtherDenials', denied: minute.counted } })
  setTimeout(() => void summarise(), minute.end_ms - context.unscoped.runtime.monotonic_ms()).unref()
}
