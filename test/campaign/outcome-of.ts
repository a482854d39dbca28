import { isFreeholdError } from '@freehold/table'
import type { Outcome, PendingJob, ToldItem } from './record.ts'

type Unknowns = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Unknowns => typeof value === 'object' && value !== null

/** The jobs that a result or an error says are not finished. */
export function pendingOf(told: unknown): readonly PendingJob[] {
  if (!isObject(told) || !Array.isArray(told.pending)) return []
  return told.pending.filter((each): each is PendingJob => isObject(each) && typeof each.job === 'string')
}

/** The key and state of an item that was given back. */
export function toldItem(item: unknown): ToldItem {
  if (!isObject(item)) return {}
  const born = item.createdAt ?? item.created_at
  return {
    ...(typeof item.version === 'number' ? { version: item.version } : {}),
    ...(typeof born === 'string' ? { born } : {}),
  }
}

/** The result of a call, as far as the campaign compares it with the table. */
export interface Told {
  readonly items?: Readonly<Record<string, ToldItem>>
  readonly count?: number
  readonly isNew?: boolean
  readonly said?: string
  /** As it was given back, for the jobs that it says are pending. */
  readonly result?: unknown
}

export function okOf({ items = {}, count, isNew, said, result }: Told): Outcome {
  return {
    is: 'ok',
    items,
    ...(count === undefined ? {} : { count }),
    ...(isNew === undefined ? {} : { isNew }),
    ...(said === undefined ? {} : { said }),
    pending: pendingOf(result),
  }
}

export function errorOutcome(error: unknown): Outcome {
  if (!isFreeholdError(error)) {
    // On one line: whoever reports a finding would take the lines for places in its own code.
    const message = error instanceof Error ? `${error.stack}`.split(/\n\s*/).slice(0, 5).join(' | ') : String(error)
    return { is: 'error', code: 'thrown', message, uncertain: false, failures: [], pending: [] }
  }
  const { code, message, details } = error
  return {
    is: 'error',
    code,
    message,
    uncertain: details.uncertain === true,
    ...(details.guard === undefined ? {} : { guard: details.guard }),
    failures: Object.values(details.failures ?? {}).map((failure) => failure.code),
    pending: pendingOf(details),
  }
}
