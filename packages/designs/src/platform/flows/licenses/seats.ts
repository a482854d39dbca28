import { countedEdge, liveItem, stateConflict } from '@freehold/frame/flow'
import { isPast, todayOf } from '@freehold/frame/sweep'
import { atLeast, atMost, checking, FreeholdError, type Item, isFreeholdError, type New, updating } from '@freehold/table'
import { add, attribute, below, or, subtract } from '@freehold/table/atomic'
import { License, LicenseSeat, User } from '../../design.ts'
import type { PlatformContext } from '../platform-host.ts'

type LicenseItem = Item<typeof License>

/** True for a licence whose end is past, before any sweep has run (spec rule 15), or that was expired. One that has not begun is not expired. */
export const isExpired = ({ status, endDate }: LicenseItem, today: string): boolean => status === 'expired' || isPast(endDate, today)

/** False for a licence of another program that tells neither its status nor its end: it counts for nothing. */
const isKnown = ({ status, endDate }: LicenseItem): boolean => status !== undefined && endDate !== undefined

/** A licence is valid from the start of its first day to the end of its last, UTC. Without a first day it has begun. */
export const isValid = (license: LicenseItem, today: string): boolean =>
  isKnown(license) && !isExpired(license, today) && (license.startDate ?? today) <= today

/** Why a licence gives no seat. Undefined if it does. */
function refusalOf(license: LicenseItem, today: string): FreeholdError | undefined {
  const { id, startDate, endDate, seats, seatsUsed } = license
  if (!isKnown(license)) return stateConflict(License, 'LicenseExpired', `The licence ${id} tells no status or no end: renew it first.`)
  if (isExpired(license, today))
    return stateConflict(License, 'LicenseExpired', `The licence ${id} ended on ${endDate} or before: renew it first.`)
  if (startDate !== undefined && startDate > today)
    return stateConflict(License, 'LicenseNotBegun', `The licence ${id} begins on ${startDate}.`)
  if (seats === undefined)
    return stateConflict(License, 'SeatLimitExceeded', `The licence ${id} has no number of seats: changeSeats gives it one.`)
  if (seatsUsed >= seats) return stateConflict(License, 'SeatLimitExceeded', `All ${seats} seats of the licence ${id} are taken.`)
  return undefined
}

/** An item that is there, with a name for its absence. */
async function found<T>(reason: string, look: Promise<T>): Promise<T> {
  return look.catch((error: unknown) => {
    if (!isFreeholdError(error, 'NotFound')) throw error
    throw new FreeholdError('NotFound', error.message, { ...error.details, reason })
  })
}

/** The refusal of a claim, by what is there now. Undefined if nothing refuses it: another writer was faster. */
async function claimRefused(
  context: PlatformContext,
  { accountId, licenseId: id, userId }: New<typeof LicenseSeat>,
): Promise<FreeholdError | undefined> {
  const today = todayOf(context)
  const license = await found('LicenseNotFound', liveItem(context, License, { accountId, id }))
  const user = await found('UserNotFound', liveItem(context, User, { id: userId }))
  if (user.accountId !== accountId)
    throw new FreeholdError('NotFound', `There is no User ${userId} here.`, { entity: User.name, id: userId, reason: 'UserNotFound' })
  if (user.status !== 'active' || isPast(user.endDate, today))
    return stateConflict(User, 'UserNotActive', `The user ${userId} is not active, or past its end, and gets no seat.`)
  return refusalOf(license, today)
}

/** The seats of licences. Each is counted on its licence, so that no more are taken than there are, however many claim one. */
export const seats = countedEdge<PlatformContext, typeof LicenseSeat>({
  edge: LicenseSeat,
  counting: (context, { accountId, licenseId: id, userId }) => {
    const today = todayOf(context)
    const isFree = {
      seatsUsed: below(attribute('seats')),
      status: 'active',
      startDate: or(null, atMost(today)),
      endDate: atLeast(today),
    } as const
    return {
      license: updating(License, { accountId, id }, { seatsUsed: add(1) }, { where: isFree }),
      user: checking(User, { id: userId }, { where: { accountId, status: 'active', endDate: or(null, atLeast(today)) } }),
    }
  },
  uncounting: async ({ table }, { accountId, licenseId: id }) => {
    const license = await table.License.get({ accountId, id }, { consistent: true })
    const isLive = license !== undefined && license.deleting === undefined
    return isLive ? { license: updating(License, { accountId, id }, { seatsUsed: subtract(1) }) } : {}
  },
  refusal: claimRefused,
})
