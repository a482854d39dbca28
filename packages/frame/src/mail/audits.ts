import type { Entity, Item, Page } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import type { FlowContext } from '../flow/flow-host.ts'
import { type MailSubject, type Mails, type Period, type ReadingAudits, type Status, statuses } from './mails.ts'

/** The audits that are asked for. The ends of the period belong to it. */
export interface AuditsAsked {
  readonly tenant?: string | undefined
  readonly status?: Status | null | undefined
  readonly type?: string | null | undefined
  readonly recipient?: string | null | undefined
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
}

const ever: Period = { from: '1970-01-01', to: '9999-12-31' }

/** Reads a page of the audits that are asked for, recent first: of one tenant, or of all tenants with one status. */
export function auditsOf<C extends FlowContext, S extends MailSubject, A extends Entity>(
  { ofTenant, withStatus }: Mails<C, S, A>,
  context: C,
  { tenant, status, type, recipient, from, to }: AuditsAsked,
): (asking: Omit<ReadingAudits, 'where'>) => Promise<Page<Item<A>>> {
  const period = { from: from ?? ever.from, to: to ?? ever.to }
  const where = {
    ...(typeof status === 'string' ? { deliveryStatus: status } : {}),
    ...(typeof type === 'string' ? { notificationType: type } : {}),
    ...(typeof recipient === 'string' ? { recipientEmail: recipient } : {}),
  }
  if (tenant !== undefined) return (asking) => ofTenant(context, tenant, period, { ...asking, where })
  if (typeof status === 'string') return (asking) => withStatus(context, status, period, { ...asking, where })
  const { by = 'tenant' } = context.host.design.tenants ?? {}
  throw invalidInput('The list', [{ path: ['status'], message: `is missing: name ${by}, a status or both` }])
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
export async function summaryOf<C extends FlowContext, S extends MailSubject, A extends Entity>(
  mails: Mails<C, S, A>,
  context: C,
  asked: Pick<AuditsAsked, 'tenant' | 'from' | 'to'>,
): Promise<{ readonly counts: readonly Counted[]; readonly total: number; readonly isWhole: boolean }> {
  const counts = new Map<string, Counted>()
  let total = 0
  const sources = asked.tenant === undefined ? statuses.map((status) => ({ ...asked, status })) : [asked]
  for (const source of sources) {
    const read = auditsOf(mails, context, source)
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      if (total >= summarisedMax) return { counts: [...counts.values()], total, isWhole: false }
      const page = await read({ limit: pageMax, cursor })
      for (const audit of page.items) {
        // The entity of audits has these attributes.
        const { deliveryStatus: status, notificationType: type } = audit as unknown as { deliveryStatus: Status; notificationType: string }
        const key = `${status} ${type}`
        counts.set(key, { status, type, count: (counts.get(key)?.count ?? 0) + 1 })
      }
      total += page.items.length
      cursor = page.cursor
    }
  }
  return { counts: [...counts.values()].sort((a, b) => (`${a.status} ${a.type}` < `${b.status} ${b.type}` ? -1 : 1)), total, isWhole: true }
}
