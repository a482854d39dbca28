import {
  actorText,
  answerBytesMax,
  askedVersion,
  changeItem,
  changing,
  createErrors,
  createItem,
  entryOf,
  given,
  type InputOf,
  idOfItem,
  itemOf,
  keptWithin,
  liveItem,
  pageOf,
  permit,
  readErrors,
  retryOnConflict,
  valuesOf,
  writeRecorded,
} from '@freehold/frame/flow'
import { type Change, count, equals, flag, isFreeholdError, type Json, number, text, updating } from '@freehold/table'
import { entry, subtract } from '@freehold/table/atomic'
import { day_ms, invalidInput } from '@freehold/table/runtime'
import { ServiceSubscription } from '../../design.ts'
import { isActiveSubscription } from '../../modules.ts'
import { type AccountContext, type AccountScope, flow, itemFlows } from '../account-host.ts'
import * as needs from '../needs.ts'
import { buildingScope, projectScope } from '../scope.ts'
import { alreadySubscribed, refused, type Subscription, statusAt, statusIs } from './subscription-status.ts'

const scoped = given(ServiceSubscription, 'scope_type', 'scope_id')
const named = { ...scoped, ...given(ServiceSubscription, 'module_id') }
const versioned = { ...named, version: askedVersion }
const terms = ['tier', 'end_date', 'auto_renew', 'usage_quota'] as const

const changed = changing(ServiceSubscription, ...terms)
type Terms = InputOf<typeof changed>

const scope = async (context: AccountContext, { scope_type, scope_id }: InputOf<typeof scoped>): Promise<AccountScope> =>
  scope_type === 'project' ? projectScope(context, scope_id) : buildingScope(context, scope_id)

const subscription = itemFlows(ServiceSubscription, { scope })

/** A counter, and how much of it is left. */
export interface QuotaLeft {
  readonly counter: string
  readonly left: number
}

/** How long a trial is that names no end. */
const trialDays = 14

const nowOf = ({ table }: AccountContext) => table.runtime.now().toISOString()

/** The rest of each counter. */
type UsageQuota = NonNullable<Subscription['usage_quota']>

const isCounter = (value: Json | undefined): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/** Throws `InvalidInput` unless each of its counters is a whole number from 0. */
function checkQuota(flow: string, quota: UsageQuota | null | undefined): void {
  const issues = Object.entries(quota ?? {}).flatMap(([name, value]) =>
    isCounter(value) ? [] : [{ path: ['usage_quota', name], message: 'is not a whole number from 0' }],
  )
  if (issues.length > 0) throw invalidInput(flow, issues, { flow })
}

function hasCounter(quota: UsageQuota | undefined, counter: string): boolean {
  return quota !== undefined && Object.hasOwn(quota, counter)
}

/** The rest of each counter after `amount` of one is used; undefined if that is less than nothing, or there is no such counter. */
function consumed(quota: UsageQuota | undefined, counter: string, amount: number): UsageQuota | undefined {
  const left = hasCounter(quota, counter) ? quota?.[counter] : undefined
  if (!isCounter(left) || left < amount) return undefined
  // Copied entry by entry: a counter may be named as anything.
  return Object.fromEntries(Object.entries(quota ?? {}).map(([name, value]) => [name, name === counter ? left - amount : value]))
}

/** With an end that is past, a subscription would expire at once. */
function checkTerms(context: AccountContext, { end_date, usage_quota }: Terms): void {
  checkQuota(context.flow, usage_quota)
  if (typeof end_date === 'string' && end_date <= nowOf(context))
    throw invalidInput(context.flow, [{ path: ['end_date'], message: 'is past' }], { flow: context.flow })
}

async function begin(
  context: AccountContext,
  { client_id }: AccountScope,
  input: InputOf<typeof named> & Terms,
  status: 'trial' | 'active',
): Promise<Subscription> {
  checkTerms(context, input)
  const ends = { end_date: input.end_date ?? undefined, usage_quota: input.usage_quota ?? undefined }
  const made = { ...input, ...ends, status, created_by: actorText(context.caller) }
  try {
    return await createItem(context, ServiceSubscription, made, { tenant: client_id })
  } catch (error) {
    if (!isFreeholdError(error, 'AlreadyExists')) throw error
    const there = await context.table.ServiceSubscription.get(idOfItem(ServiceSubscription, input), { consistent: true })
    throw there === undefined ? error : alreadySubscribed(there, nowOf(context))
  }
}

/** Terms that change take two permissions: that to activate or renew, and that of `changeSubscriptionTier`. Throws `Denied`. */
async function permittedTerms(context: AccountContext, at: AccountScope, { tier, auto_renew, usage_quota }: Terms): Promise<void> {
  const areAsFound = tier === undefined && auto_renew === undefined && usage_quota === undefined
  if (!areAsFound) await permit(context, needs.updateSubscription, at)
}

const startTrial = flow({
  name: 'startTrial',
  summary: `Lets a project or building try a module, of which it has no subscription yet; for ${trialDays} days, unless an end or null is given.`,
  input: { ...named, ...given(ServiceSubscription, ...terms) },
  needs: needs.at('scope', 'start', 'subscription'),
  effect: 'write',
  writes: { create: ServiceSubscription },
  returns: itemOf(ServiceSubscription),
  errors: createErrors,
  scope,
  run: async (context, input, at) => {
    const usual = new Date(context.table.runtime.now().getTime() + trialDays * day_ms).toISOString()
    return begin(context, at, { end_date: usual, ...input }, 'trial')
  },
})

const activateSubscription = flow({
  name: 'activateSubscription',
  summary:
    'Makes a trial a subscription, or begins one without a trial; one that has expired is renewed instead. To change the terms of a trial takes the permission to update, too.',
  input: { ...versioned, ...changed },
  needs: needs.at('scope', 'activate', 'subscription'),
  effect: 'write',
  returns: itemOf(ServiceSubscription),
  errors: [...createErrors, 'VersionConflict', 'CheckFailed'],
  scope,
  run: async (context, { version, scope_type, scope_id, module_id, ...change }, at) => {
    const id = { scope_type, scope_id, module_id }
    const found = await context.table.ServiceSubscription.get(id, { consistent: true })
    if (found === undefined && (version ?? undefined) === undefined) return begin(context, at, { ...id, ...change }, 'active')
    checkTerms(context, change)
    await permittedTerms(context, at, change)
    // The subscription does not inherit the end of its trial.
    const activated = { end_date: null, ...change, status: 'active' as const }
    return changeItem(context, ServiceSubscription, id, activated, { version, check: statusIs(nowOf(context), 'trial') })
  },
})

/** A renewal is to a later end. `cancelSubscription` and `expireSubscription` bring an earlier one. */
function checkLater(context: AccountContext, before: Subscription, end_date: string | null): void {
  if (end_date === null || statusAt(before, nowOf(context)) === 'expired') return
  if (before.end_date !== undefined && end_date > before.end_date) return
  const message = before.end_date === undefined ? 'would end what has no end' : `is not later than its present end, ${before.end_date}`
  throw invalidInput(context.flow, [{ path: ['end_date'], message }], { flow: context.flow })
}

const renewSubscription = subscription.update({
  name: 'renewSubscription',
  summary:
    'Lets a subscription, or an expired trial, run to a later end, or to none where that is null. To change its terms, too, takes the permission to update.',
  may: terms,
  needs: needs.at('scope', 'renew', 'subscription'),
  errors: ['CheckFailed'],
  check: async ({ context, input, scope }, before) => {
    const { end_date } = input
    if (end_date === undefined)
      throw invalidInput(context.flow, [{ path: ['end_date'], message: 'is missing: null for no end' }], { flow: context.flow })
    checkTerms(context, input)
    await permittedTerms(context, scope, input)
    statusIs(nowOf(context), 'active', 'expired')(before)
    checkLater(context, before, end_date)
  },
  change: () => ({ status: 'active' }),
})

/** Expired since its end, if that is past, or since now. */
function ended(context: AccountContext, { status, end_date }: Subscription): Change<typeof ServiceSubscription> {
  const now = nowOf(context)
  if (status === 'expired') return { auto_renew: false }
  return { status: 'expired', auto_renew: false, end_date: end_date !== undefined && end_date < now ? end_date : now }
}

const expireSubscription = subscription.update({
  name: 'expireSubscription',
  summary: 'Ends a trial or subscription now.',
  needs: needs.at('scope', 'cancel', 'subscription'),
  change: ({ context }, before) => ended(context, before),
})

const cancelSubscription = subscription.update({
  name: 'cancelSubscription',
  summary: 'Lets a trial or subscription run out at its end; one that has none, or that renewed itself past it, ends now.',
  needs: needs.at('scope', 'cancel', 'subscription'),
  change: ({ context }, before) =>
    before.end_date !== undefined && before.end_date > nowOf(context) ? { auto_renew: false } : ended(context, before),
})

const changeSubscriptionTier = subscription.update({
  name: 'changeSubscriptionTier',
  summary: 'Gives a trial or subscription another tier, and perhaps another quota with it.',
  input: given(ServiceSubscription, 'tier'),
  may: ['usage_quota'],
  needs: needs.updateSubscription,
  errors: ['CheckFailed'],
  check: ({ context, input }, before) => {
    checkTerms(context, input)
    statusIs(nowOf(context), 'active', 'trial')(before)
  },
  change: ({ input: { tier } }) => ({ tier }),
})

const consumeQuota = flow({
  name: 'consumeQuota',
  summary: 'Uses some of a counter of a subscription that is active or on trial; never more than is left.',
  input: { ...named, counter: text({ max: 200 }), amount: number({ integer: true, min: 1 }).optional() },
  needs: needs.at('scope', 'consume', 'subscription'),
  effect: 'write',
  returns: valuesOf<QuotaLeft>({ counter: text(), left: count() }),
  errors: [...readErrors, 'CheckFailed'],
  scope,
  run: async (context, { counter, amount: asked, ...id }) => {
    const amount = asked ?? 1
    /** The subscription as a refusal has shown it: another attempt need not read it. */
    let shown: Subscription | undefined
    return retryOnConflict(context.table.runtime, async () => {
      const before = shown ?? (await liveItem(context, ServiceSubscription, id))
      shown = undefined
      statusIs(nowOf(context), 'active', 'trial')(before)
      if (!hasCounter(before.usage_quota, counter)) throw refused(`This subscription has no counter '${counter}'.`, { counter })
      const usage_quota = consumed(before.usage_quota, counter, amount)
      if (usage_quota === undefined) throw refused(`There is less than ${amount} left of '${counter}'.`, { counter, amount })
      const { status, auto_renew, end_date = null } = before
      // The record tells what is left, so the counter is as it was read. Other counters may have changed.
      const where = { status, auto_renew, end_date, usage_quota: entry(counter, equals(before.usage_quota?.[counter])) }
      const item = updating(ServiceSubscription, id, { usage_quota: entry(counter, subtract(amount)) }, { where })
      const used = { ...entryOf(context, ServiceSubscription, before), before, after: { ...before, usage_quota } }
      await writeRecorded(context, { item }, used).catch((error: unknown) => {
        // It was refused as it is now, in this tenant.
        if (isFreeholdError(error, 'CheckFailed')) shown = error.details.item as Subscription | undefined
        throw error
      })
      return { counter, left: Number(usage_quota[counter]) }
    })
  },
})

const activeSubscriptions = flow({
  name: 'activeSubscriptions',
  summary:
    'The subscriptions of a project or building that are active and not past their end or renew themselves, with trials where asked.',
  input: { ...scoped, trial: flag().optional() },
  needs: needs.at('scope', 'read', 'subscription'),
  effect: 'read',
  returns: pageOf(ServiceSubscription),
  errors: [...readErrors, 'TooLarge'],
  scope,
  run: async (context, { trial, ...at }) => {
    const now = nowOf(context)
    const all = context.table.subscriptionsOfScope.all(at, { consistent: true })
    const isActive = (each: Subscription) => each.deleting === undefined && isActiveSubscription(each, now, trial ?? false)
    const message = `The active subscriptions of this ${at.scope_type} are more than ${answerBytesMax} bytes together: subscriptionsOfScope gives them a page at a time.`
    return { items: await keptWithin(context.flow, all, (each) => (isActive(each) ? each : undefined), message) }
  },
})

export const subscriptionFlows = {
  startTrial,
  activateSubscription,
  expireSubscription,
  renewSubscription,
  cancelSubscription,
  changeSubscriptionTier,
  consumeQuota,
  activeSubscriptions,
} as const
