import { withoutAbsent } from '@freehold/frame/decision'
import {
  createErrors,
  type Foreseen,
  type InputOf,
  itemOf,
  liveItem,
  naming,
  nothing,
  pageAsked,
  pageOfValues,
  paging,
  readErrors,
} from '@freehold/frame/flow'
import { text } from '@freehold/table'
import { License, LicenseSeat, User } from '../../design.ts'
import { on } from '../flow-menus.ts'
import { type AtAccount, accountOf, flow, type PlatformContext } from '../platform-host.ts'
import { seats } from './seats.ts'

const atLicense = (context: PlatformContext, { accountId, licenseId: id }: AtAccount & { readonly licenseId: string }) =>
  accountOf(liveItem(context, License, { accountId, id }))

/** Who has a seat. */
export interface SeatHolder {
  readonly userId: string
  readonly assignedAt: string
  readonly firstName?: string
  readonly lastName?: string
  readonly email?: string
  readonly status?: string
}

const { userId, assignedAt } = LicenseSeat.attributes
const { firstName, lastName, email } = User.attributes
const seat = naming(LicenseSeat, 'accountId', 'licenseId', 'userId')

const readsOfSeat = ({ accountId, licenseId, userId }: InputOf<typeof seat>): Foreseen => [
  [License, { accountId, id: licenseId }],
  [LicenseSeat, { licenseId, userId }],
]

/** The flows of the seats of licences. */
export const seatFlows = {
  assignSeat: flow({
    name: 'assignSeat',
    summary: 'Gives an active user a seat of a valid licence of its account. A seat that the user has stays as it is.',
    input: seat,
    needs: on('license-seats', 'create'),
    effect: 'write',
    returns: itemOf(LicenseSeat),
    writes: { create: LicenseSeat },
    errors: [...createErrors, 'CheckFailed'],
    scope: atLicense,
    reads: readsOfSeat,
    run: seats.take,
  }),
  releaseSeat: flow({
    name: 'releaseSeat',
    summary: 'Takes the seat of a licence from a user. Where the user has none, nothing changes.',
    input: seat,
    needs: on('license-seats', 'delete'),
    effect: 'write',
    returns: nothing,
    writes: { remove: LicenseSeat },
    errors: [...readErrors, 'VersionConflict'],
    scope: atLicense,
    reads: readsOfSeat,
    run: seats.free,
  }),
  seatHolders: flow({
    name: 'seatHolders',
    summary: 'The seats of a licence that are taken, and by whom, a page at a time.',
    input: { ...naming(LicenseSeat, 'accountId', 'licenseId'), ...paging },
    needs: on('license-seats', 'view'),
    effect: 'read',
    returns: pageOfValues<SeatHolder>({
      userId,
      assignedAt,
      firstName: firstName.optional(),
      lastName: lastName.optional(),
      email: email.optional(),
      status: text().optional(),
    }),
    errors: [...readErrors, 'InvalidCursor'],
    scope: atLicense,
    run: async ({ unscoped }, { accountId, licenseId, ...asked }) => {
      // The key names no account: seats of another account's licence of this id are left out.
      const table = unscoped.forTenant(accountId)
      const { items, ...rest } = await table.seatsOfLicense({ licenseId }, pageAsked(asked))
      const ids = items.map((each) => ({ id: each.userId }))
      const users = await table.User.getMany(ids, { consistent: true })
      return {
        ...rest,
        items: items.map(({ userId: id, assignedAt: since }, index): SeatHolder => {
          const user = users[index]
          if (user === undefined) return { userId: id, assignedAt: since }
          const { firstName: first, lastName: last, email: address, status: state } = user
          return { userId: id, assignedAt: since, ...withoutAbsent({ firstName: first, lastName: last, email: address, status: state }) }
        }),
      }
    },
  }),
}
