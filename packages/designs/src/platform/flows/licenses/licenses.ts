import { changing, type JoinedList, joinedPage, naming, readErrors, stateConflict, valuesOf } from '@freehold/frame/flow'
import { dayAfter, dayOf, endedItems, isPast, todayOf } from '@freehold/frame/sweep'
import { count, type Issue, type Item, number } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { License } from '../../design.ts'
import { on } from '../flow-menus.ts'
import {
  type AtAccount,
  atAccount,
  atAccountMeant,
  flow,
  itemFlows,
  listFlow,
  operatorsSet,
  type PlatformContext,
} from '../platform-host.ts'
import { isExpired, isValid } from './seats.ts'

type LicenseItem = Item<typeof License>

/** The seats of an account for an enterprise: of the licences that are valid now. */
export interface LicenseCapacity {
  readonly seats: number
  readonly used: number
  readonly free: number
}

const licenses = itemFlows(License, { scope: atAccount })

/** A licence has seats, and none ends before it starts. Throws `InvalidInput`. @param at where the terms are within the input */
export function checkTerms(
  flow: string,
  seats: number | undefined,
  startDate: string | undefined,
  endDate: string | undefined,
  at: Issue['path'] = [],
): void {
  const issues = [
    ...(seats !== undefined && seats < 1 ? [{ path: [...at, 'seats'], message: 'is less than 1' }] : []),
    ...(startDate !== undefined && endDate !== undefined && endDate < startDate
      ? [{ path: [...at, 'endDate'], message: `is before its start, ${startDate}` }]
      : []),
  ]
  if (issues.length > 0) throw invalidInput(flow, issues, { flow })
}

/** The licences of an account or, for operators, those of all accounts in these lists: as they count now, before any sweep. */
const ofAccount = changing(License, 'accountId')

/** The flows of licences. Operators issue, renew and end them; a user of the account sees them. */
export const licenseFlows = {
  issueLicense: licenses.create({
    name: 'issueLicense',
    summary: 'Gives an account a licence of an enterprise, perhaps for one of its products or services: so many seats, until a day.',
    given: ['accountId', 'id', 'enterpriseId', 'productId', 'serviceId', 'seats', 'startDate', 'endDate'],
    needs: 'operator',
    scope: atAccount,
    check: ({ context, input: { startDate, endDate, seats } }) => checkTerms(context.flow, seats, startDate ?? todayOf(context), endDate),
  }),
  renewLicense: licenses.update({
    name: 'renewLicense',
    summary: 'Lets a licence run to a later day, and makes one that has expired active again.',
    may: ['endDate'],
    ...operatorsSet('active'),
    check: ({ context, input: { endDate } }, before) => {
      const message = endDate === undefined ? 'is missing' : isPast(endDate, todayOf(context)) ? 'is past' : undefined
      const isLater = endDate !== undefined && endDate > (before.endDate ?? '')
      const issue = message ?? (isLater || isExpired(before, todayOf(context)) ? undefined : `is not later than ${before.endDate}`)
      if (issue !== undefined) throw invalidInput(context.flow, [{ path: ['endDate'], message: issue }], { flow: context.flow })
      checkTerms(context.flow, before.seats, before.startDate, endDate ?? before.endDate)
    },
  }),
  changeSeats: licenses.update({
    name: 'changeSeats',
    summary: 'Gives a licence more or fewer seats, never fewer than are taken.',
    may: ['seats'],
    needs: 'operator',
    errors: ['CheckFailed'],
    check: ({ context, input: { seats } }, { seatsUsed, startDate, endDate, ...before }) => {
      checkTerms(context.flow, seats ?? before.seats, startDate, endDate)
      if (seats !== undefined && seats < seatsUsed)
        throw stateConflict(License, 'SeatsInUse', `${seatsUsed} seats of this licence are taken: release some first.`)
    },
  }),
  expireLicense: licenses.update({
    name: 'expireLicense',
    summary: 'Ends a licence now. Its seats stay with their holders, and count again if it is renewed.',
    ...operatorsSet('expired'),
  }),
  reactivateLicense: licenses.update({
    name: 'reactivateLicense',
    summary: 'Makes an expired licence active again, unless its end is past.',
    ...operatorsSet('active'),
    errors: ['CheckFailed'],
    check: ({ context }, { endDate }) => {
      if (isPast(endDate, todayOf(context)))
        throw stateConflict(License, 'PastEnd', `This licence ended on ${endDate}: renewLicense comes first.`)
    },
  }),
  licensesExpiring: listFlow(License, {
    name: 'licensesExpiring',
    summary:
      'The active licences that end within so many days, today included, of an account or, for operators, of all: those that end soonest first. A page at a time.',
    input: { days: number({ integer: true, min: 0, max: 36_500 }), ...ofAccount },
    needs: on('licenses', 'view'),
    scope: atAccountMeant,
    read: (context, { days }, page, at) => {
      const list = (begun: Date): readonly JoinedList<LicenseItem>[] => {
        const today = dayOf(begun)
        const where = at === 'system' ? {} : { where: { accountId: at.accountId } }
        const keep = ({ endDate }: LicenseItem) => !isPast(endDate, today)
        return [{ read: (how) => context.unscoped.expiringLicenses({ date: dayAfter(today, days) }, { ...how, ...where }), keep }]
      }
      const asked = { days: `${days}`, ...(at === 'system' ? {} : { accountId: at.accountId }) }
      return joinedPage(context, asked, list, page)
    },
  }),
  expiredLicenses: listFlow(License, {
    name: 'expiredLicenses',
    summary:
      'The licences that are expired, of an account or, for operators, of all: those that are past their end and not yet swept first. A page at a time.',
    input: ofAccount,
    needs: on('licenses', 'view'),
    scope: atAccountMeant,
    read: endedItems<PlatformContext, LicenseItem>({
      status: 'expired',
      ofTenant: ({ table }, accountId, how) => table.licensesOfAccount({ accountId }, how),
      activeUntil: ({ table }, date, how) => table.expiringLicenses({ date }, how),
      ended: ({ table }, how) => table.expiredLicenses({}, how),
    }),
  }),
  licenseCapacity: flow({
    name: 'licenseCapacity',
    summary: 'The seats that an account has for an enterprise, by its licences that are valid now, and how many are free.',
    input: naming(License, 'accountId', 'enterpriseId'),
    needs: on('licenses', 'view'),
    effect: 'read',
    returns: valuesOf<LicenseCapacity>({ seats: count(), used: count(), free: number({ integer: true }) }),
    errors: readErrors,
    scope: (context, { accountId }) => atAccount(context, { accountId }),
    run: async (context, { enterpriseId }, { accountId }: AtAccount) => {
      const today = todayOf(context)
      const total = { seats: 0, used: 0 }
      const all = context.table.licensesOfAccount.all({ accountId }, { consistent: true, where: { enterpriseId, status: 'active' } })
      for await (const license of all) {
        if (license.deleting !== undefined || !isValid(license, today)) continue
        total.seats += license.seats ?? 0
        total.used += license.seatsUsed
      }
      return { ...total, free: total.seats - total.used }
    },
  }),
}
