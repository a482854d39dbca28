import type { Page } from '@freehold/table'
import { type FlowContext, tenantAt } from '../flow/flow-host.ts'
import { joinedPage } from '../flow/joined-page.ts'
import { dayAfter, dayOf, isPast, todayOf } from './days.ts'

interface Reading {
  readonly limit: number
  readonly cursor?: string
}

/** Items with a status and perhaps an end date: an item that is past its end counts as ended before any sweep. */
export interface EndedLists<C, T> {
  /** The status of items that a sweep has ended. */
  readonly status: string
  /** All items of a tenant. */
  ofTenant(context: C, tenant: string, how: Reading): Promise<Page<T>>
  /** The items that are active and end on this day or before. */
  activeUntil(context: C, day: string, how: Reading): Promise<Page<T>>
  /** The items that have the status. */
  ended(context: C, how: Reading): Promise<Page<T>>
}

type Ending = { readonly status?: string; readonly endDate?: string }

/** Reads a page of the items that are ended: of one tenant or, without one, of all, those that are past their end and not yet swept first. */
export function endedItems<C extends FlowContext, T extends Ending>({ status, ofTenant, activeUntil, ended }: EndedLists<C, T>) {
  return (context: C, _input: unknown, asked: Parameters<typeof joinedPage>[3], at: unknown): Promise<Page<T>> => {
    const tenant = tenantAt(context, at)
    const keep = (item: T) => item.status === status || isPast(item.endDate, todayOf(context))
    const { by = 'tenant' } = context.host.design.tenants ?? {}
    if (tenant !== undefined)
      return joinedPage(context, { [by]: tenant }, () => [{ read: (how) => ofTenant(context, tenant, how), keep }], asked)
    const overdue = (begun: Date) => (how: Reading) => activeUntil(context, dayAfter(dayOf(begun), -1), how)
    return joinedPage(context, {}, (begun) => [{ read: overdue(begun) }, { read: (how) => ended(context, how) }], asked)
  }
}
