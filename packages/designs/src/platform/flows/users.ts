import {
  askedVersion,
  changeErrors,
  changing,
  checkChosenId,
  checkNamedVersion,
  denied,
  guardTaken,
  liveItem,
  naming,
  nothing,
  stateConflict,
  waiting,
} from '@freehold/frame/flow'
import { endedItems, isPast, todayOf } from '@freehold/frame/sweep'
import { FreeholdError, type Item } from '@freehold/table'
import { User, UserEmail } from '../design.ts'
import { deletingUser } from './delete-user.ts'
import { on } from './flow-menus.ts'
import { checkHeldOfUser } from './grant-ceiling.ts'
import { atAccount, atAccountMeant, atUser, flow, itemFlows, listFlow, type PlatformContext } from './platform-host.ts'

const users = itemFlows(User, { scope: (context, { id }) => atUser(context, id) })
const emailTaken = guardTaken(User, UserEmail, 'This e-mail address is taken.')

/** True for a change that lets a user act for longer than before. */
const isLonger = ({ endDate: before }: Item<typeof User>, endDate: string | null | undefined) =>
  before !== undefined && endDate !== undefined && (endDate === null || endDate > before)

/** The flows of the users of an account. */
export const userFlows = {
  createUser: users.create({
    name: 'createUser',
    summary: 'Creates a user of an account, perhaps with an end date. Only operators choose its id.',
    given: ['accountId', 'id', 'email', 'firstName', 'lastName', 'endDate'],
    needs: on('users', 'create'),
    scope: atAccount,
    check: ({ context, input }) => checkChosenId(context, 'user', input.id),
    refusal: emailTaken,
  }),
  updateUser: users.update({
    name: 'updateUser',
    summary:
      'Changes the names or the e-mail address of a user. To change the address of another, a caller needs itself all that this user may do.',
    may: ['firstName', 'lastName', 'email'],
    needs: on('users', 'edit'),
    // The reader of the mail may sign in as the user.
    check: ({ context, input: { email } }, before) =>
      email === undefined || email === before.email ? undefined : checkHeldOfUser(context, before.id),
    refusal: emailTaken,
  }),
  setEndDate: users.update({
    name: 'setEndDate',
    summary:
      'Sets the last day of a user, UTC, or none where that is null. To make it later, a caller needs itself all that the user may do.',
    may: ['endDate'],
    needs: on('users', 'edit'),
    check: async ({ context, input: { endDate } }, before) => {
      if (!isLonger(before, endDate)) return
      if (context.user?.id === before.id) throw denied(context.flow, 'NotHeldSoLong', 'Nobody lets itself act for longer.')
      await checkHeldOfUser(context, before.id)
    },
  }),
  deactivateUser: users.update({
    name: 'deactivateUser',
    summary: 'Makes a user inactive: from then on every decision about it denies. Its seats stay its own.',
    needs: on('users', 'edit'),
    change: () => ({ status: 'inactive' }),
  }),
  reactivateUser: users.update({
    name: 'reactivateUser',
    summary: 'Makes an inactive user active again, unless its end is past. A caller needs itself all that the user may do.',
    needs: on('users', 'edit'),
    errors: ['CheckFailed'],
    check: async ({ context }, { id, endDate }) => {
      if (isPast(endDate, todayOf(context))) throw stateConflict(User, 'PastEnd', `This user ended on ${endDate}: setEndDate comes first.`)
      await checkHeldOfUser(context, id)
    },
    change: () => ({ status: 'active' }),
  }),
  inactiveUsers: listFlow(User, {
    name: 'inactiveUsers',
    summary:
      'The users that are inactive, of an account or, for operators, of all: those that are past their end first, by it. A page at a time.',
    input: changing(User, 'accountId'),
    needs: on('users', 'view'),
    scope: atAccountMeant,
    read: endedItems<PlatformContext, Item<typeof User>>({
      status: 'inactive',
      ofTenant: ({ table }, accountId, how) => table.usersOfAccount({ accountId }, how),
      activeUntil: ({ table }, date, how) => table.activeUsersUntil({ date }, how),
      ended: ({ table }, how) => table.inactiveUsers({}, how),
    }),
  }),
  deleteUser: flow({
    name: 'deleteUser',
    summary: 'Deletes a user, by a durable job: it becomes inactive, each of its licences gets its seat back, and all that it has goes.',
    input: { ...naming(User, 'id'), version: askedVersion, ...waiting },
    needs: on('users', 'delete'),
    effect: 'write',
    returns: nothing,
    writes: { remove: User },
    errors: changeErrors,
    scope: (context, { id }) => atUser(context, id),
    run: async (context, { id, version, wait }, { accountId }) => {
      checkNamedVersion(User, (await liveItem(context, User, { id })).version, version)
      const why = await deletingUser.start(context, { accountId, id }, { wait: wait ?? true })
      if (wait === false) return
      const left = await context.unscoped.User.get({ id }, { consistent: true })
      if (left === undefined || left.deleting !== undefined) return
      if (why !== undefined) throw why
      const message = 'This user is inactive and not deleted: its caller may not do so any more, or others keep changing it.'
      throw new FreeholdError('VersionConflict', message, { entity: User.name, named: true })
    },
  }),
}
