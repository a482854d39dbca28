import type { Runtime } from '@freehold/table'
import { day_ms } from '@freehold/table/runtime'

// Days are ISO dates, UTC. An end date counts whole.

/** The day of an instant. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** The current day. */
export const todayOf = ({ table: { runtime } }: { readonly table: { readonly runtime: Pick<Runtime, 'now'> } }): string =>
  dayOf(runtime.now())

/** The day so many days later; negative: earlier. */
export const dayAfter = (day: string, days: number): string => dayOf(new Date(Date.parse(day) + days * day_ms))

export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / day_ms)

/** True for an end date that is over. */
export const isPast = (endDate: string | null | undefined, today: string): boolean =>
  endDate !== undefined && endDate !== null && endDate < today
