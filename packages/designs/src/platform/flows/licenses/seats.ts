import {
  atLeast,
  atMost,
  checking,
  creating,
  FreeholdError,
  type Item,
  isFreeholdError,
  removing,
  type Steps,
  updating,
} from '@freehold/table'
import { add, attribute, below, or, subtract } from '@freehold/table/atomic'
import { isPast, todayOf } from '../../../days.ts'
import { liveItem, returnedItem, stateConflict } from '../../../flow/live-item.ts'
import { entryOf, writeRecorded } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { License, LicenseSeat, User } from '../../design.ts'
import type { PlatformContext } from '../platform-host.ts'

export type Seat = Item<typeof LicenseSeat>
type LicenseItem = Item<typeof License>

const consistent = { consistent: true }

/** A seat of a licence, and who has it or is to have it. */
export interface SeatNamed {
  readonly accountId: string
  readonly licenseId: string
  readonly userId: string
}

/** A licence is valid from the start of its first day to the end of its last, UTC, before any sweep has run (spec rule 15). */
export const isValid = ({ status, startDate, endDate }: LicenseItem, today: string): boolean =>
  status === 'active' && startDate <= today && !isPast(endDate, today)

/** Why a licence gives no seat. Undefined if it does. */
function refusalOf(license: LicenseItem, today: string): FreeholdError | undefined {
  const { id, status, startDate, endDate, seats, seatsUsed } = license
  if (status === 'expired' || isPast(endDate, today))
    return stateConflict(License, 'LicenseExpired', `The licence ${id} ended on ${endDate} or before: renew it first.`)
  if (startDate > today) return stateConflict(License, 'LicenseNotBegun', `The licence ${id} begins on ${startDate}.`)
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
async function claimRefused(context: PlatformContext, { accountId, licenseId: id, userId }: SeatNamed): Promise<FreeholdError | undefined> {
  const today = todayOf(context)
  const license = await found('LicenseNotFound', liveItem(context, License, { accountId, id }))
  const user = await found('UserNotFound', liveItem(context, User, { id: userId }))
  if (user.accountId !== accountId)
    throw new FreeholdError('NotFound', `There is no User ${userId} here.`, { entity: User.name, id: userId, reason: 'UserNotFound' })
  if (user.status !== 'active' || isPast(user.endDate, today))
    return stateConflict(User, 'UserNotActive', `The user ${userId} is not active, or past its end, and gets no seat.`)
  return refusalOf(license, today)
}

/**
 * Gives a user a seat of a licence: in one transaction that counts the seat, so that no more are taken than there are, however many claim one. A seat that the
 * user has stays as it is. Throws `NotFound`, `CheckFailed` with a reason.
 */
export async function claimSeat(context: PlatformContext, seat: SeatNamed): Promise<Seat> {
  const { accountId, licenseId, userId } = seat
  return retryOnConflict(context.table.runtime, async () => {
    const there = await context.table.LicenseSeat.get({ licenseId, userId }, consistent)
    if (there !== undefined && there.deleting === undefined) return there
    const today = todayOf(context)
    const steps = {
      seat: creating(LicenseSeat, seat),
      license: updating(
        License,
        { accountId, id: licenseId },
        { seatsUsed: add(1) },
        { where: { seatsUsed: below(attribute('seats')), status: 'active', startDate: atMost(today), endDate: atLeast(today) } },
      ),
      user: checking(User, { id: userId }, { where: { accountId, status: 'active', endDate: or(null, atLeast(today)) } }),
    }
    try {
      const entry = { ...entryOf(context, LicenseSeat, { ...seat }), before: undefined, after: { ...seat } }
      return returnedItem<Seat>(LicenseSeat, (await writeRecorded(context, steps, entry)).seat)
    } catch (error) {
      const isRefused = isFreeholdError(error) && error.details.uncertain !== true && refusals.has(error.code)
      throw (isRefused ? await claimRefused(context, seat) : undefined) ?? error
    }
  }, ['AlreadyExists', 'MissingEnd'])
}

const refusals: ReadonlySet<string> = new Set(['CheckFailed', 'MissingEnd', 'NotFound', 'BeingDeleted'])

/**
 * Takes a seat from a user, and one from those of the licence that are used: in one transaction, so that it is counted once. A seat that is free stays
 * free.
 */
export function freeSeat(context: PlatformContext, { accountId, licenseId, userId }: SeatNamed): Promise<void> {
  return retryOnConflict(context.table.runtime, async () => {
    const before = await context.table.LicenseSeat.get({ licenseId, userId }, consistent)
    if (before === undefined || before.deleting !== undefined) return
    const id = { accountId, id: licenseId }
    const license = await context.table.License.get(id, consistent)
    const isLive = license !== undefined && license.deleting === undefined
    const counted: Steps = isLive ? { license: updating(License, id, { seatsUsed: subtract(1) }) } : {}
    const seat = removing(LicenseSeat, { licenseId, userId }, { version: before.version })
    await writeRecorded(context, { seat, ...counted }, { ...entryOf(context, LicenseSeat, before), before })
  }, ['NotFound', 'BeingDeleted'])
}
