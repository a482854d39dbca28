import type { Page } from '@freehold/table'
import { dayAfter, dayOf, isPast, todayOf } from '../days.ts'
import type { FlowContext } from '../flow/flow-host.ts'
import { joinedPage } from '../flow/joined-page.ts'

type Reading<T> = (how: { readonly limit: number; readonly cursor?: string }) => Promise<Page<T>>

/** Items with a status and perhaps an end date: an item that is past its end counts as ended before any sweep. */
export interface EndedLists<T> {
  /** The status of items that a sweep has ended. */
  readonly status: string
  /** All items of a tenant. */
  ofTenant(tenant: string): Reading<T>
  /** The items that are active and end on this day or before. */
  activeUntil(day: string): Reading<T>
  /** The items that have the status. */
  readonly ended: Reading<T>
}

/** A page of the items that are ended: of one tenant or, without one, of all, those that are past their end and not yet swept first. */
export function endedPage<T extends { readonly status: string; readonly endDate?: string }>(
  context: FlowContext,
  tenant: string | undefined,
  { status, ofTenant, activeUntil, ended }: EndedLists<T>,
  asked: { readonly limit?: number | null | undefined; readonly cursor?: string | null | undefined },
): Promise<Page<T>> {
  if (tenant === undefined)
    return joinedPage(context, {}, (begun) => [{ read: activeUntil(dayAfter(dayOf(begun), -1)) }, { read: ended }], asked)
  const keep = (item: T) => item.status === status || isPast(item.endDate, todayOf(context))
  const { by = 'tenant' } = context.host.design.tenants ?? {}
  return joinedPage(context, { [by]: tenant }, () => [{ read: ofTenant(tenant), keep }], asked)
}
