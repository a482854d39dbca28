import type { Item, Page } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import type { NotificationAudit } from '../design.ts'
import type { PlatformContext } from '../flows/platform-host.ts'

type Audit = Item<typeof NotificationAudit>

export const statuses = ['sent', 'failed', 'skipped'] as const
export type Status = (typeof statuses)[number]

/** The audits that are asked for. The ends of the period belong to it. */
export interface AuditsAsked {
  readonly accountId?: string | null | undefined
  readonly status?: Status | null | undefined
  readonly type?: string | null | undefined
  readonly recipient?: string | null | undefined
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
}

interface Asking {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

const ever = { from: '1970-01-01', to: '9999-12-31' }

/** Reads a page of the audits that are asked for, recent first: of one account, or of all accounts with one status. */
export function auditsOf({ table }: PlatformContext, asked: AuditsAsked): (asking: Asking) => Promise<Page<Audit>> {
  const { accountId, status, type, recipient, from, to } = asked
  const period = { from: from ?? ever.from, to: to ?? ever.to }
  const where = {
    ...(typeof status === 'string' ? { deliveryStatus: status } : {}),
    ...(typeof type === 'string' ? { notificationType: type } : {}),
    ...(typeof recipient === 'string' ? { recipientEmail: recipient } : {}),
  }
  if (typeof accountId === 'string') return (asking) => table.notificationsOfAccountBetween({ accountId, ...period }, { ...asking, where })
  const byStatus = {
    sent: table.sentNotificationsBetween,
    failed: table.failedNotificationsBetween,
    skipped: table.skippedNotificationsBetween,
  } as const
  if (typeof status !== 'string')
    throw invalidInput('The list', [{ path: ['status'], message: 'is missing: name an account, a status or both' }])
  return (asking) => byStatus[status](period, { ...asking, where })
}

/** How many notifications of one type have one status. */
export interface Counted {
  readonly status: Status
  readonly type: string
  readonly count: number
}

/** Audits that a summary counts at most. */
const summarisedMax = 100_000
const pageMax = 1000

/** The numbers of a period, by status and type. `isWhole`: false if there are more than a summary counts. */
export async function summaryOf(
  context: PlatformContext,
  asked: Pick<AuditsAsked, 'accountId' | 'from' | 'to'>,
): Promise<{ readonly counts: readonly Counted[]; readonly total: number; readonly isWhole: boolean }> {
  const counts = new Map<string, Counted>()
  let total = 0
  const sources = typeof asked.accountId === 'string' ? [asked] : statuses.map((status) => ({ ...asked, status }))
  for (const source of sources) {
    const read = auditsOf(context, source)
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      if (total >= summarisedMax) return { counts: [...counts.values()], total, isWhole: false }
      const page = await read({ limit: pageMax, cursor })
      for (const { deliveryStatus: status, notificationType: type } of page.items) {
        const key = `${status} ${type}`
        counts.set(key, { status, type, count: (counts.get(key)?.count ?? 0) + 1 })
      }
      total += page.items.length
      cursor = page.cursor
    }
  }
  return { counts: [...counts.values()].sort((a, b) => (`${a.status} ${a.type}` < `${b.status} ${b.type}` ? -1 : 1)), total, isWhole: true }
}
