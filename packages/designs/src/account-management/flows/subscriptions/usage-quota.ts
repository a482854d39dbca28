import type { Item, Json } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import type { ServiceSubscription } from '../../design.ts'

/** The rest of each counter. */
export type UsageQuota = NonNullable<Item<typeof ServiceSubscription>['usage_quota']>

const isCounter = (value: Json | undefined): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/** Throws `InvalidInput` unless each of its counters is a whole number from 0. */
export function checkQuota(flow: string, quota: UsageQuota | null | undefined): void {
  const issues = Object.entries(quota ?? {}).flatMap(([name, value]) =>
    isCounter(value) ? [] : [{ path: ['usage_quota', name], message: 'is not a whole number from 0' }],
  )
  if (issues.length > 0) throw invalidInput(flow, issues, { flow })
}

export function hasCounter(quota: UsageQuota | undefined, counter: string): boolean {
  return quota !== undefined && Object.hasOwn(quota, counter)
}

/** The rest of each counter after `amount` of one is used; undefined if that is less than nothing, or there is no such counter. */
export function consumed(quota: UsageQuota | undefined, counter: string, amount: number): UsageQuota | undefined {
  const left = hasCounter(quota, counter) ? quota?.[counter] : undefined
  if (!isCounter(left) || left < amount) return undefined
  // Copied entry by entry: a counter may be named as anything.
  return Object.fromEntries(Object.entries(quota ?? {}).map(([name, value]) => [name, name === counter ? left - amount : value]))
}
