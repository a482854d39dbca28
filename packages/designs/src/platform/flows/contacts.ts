import {
  changing,
  collected,
  createErrors,
  type Foreseen,
  given,
  type InputOf,
  itemOf,
  liveItem,
  naming,
  placeSole,
  readErrors,
  retryOnConflict,
  stepsWithout,
  touched,
} from '@freehold/frame/flow'
import { FreeholdError, type Item, type New, type Steps } from '@freehold/table'
import { consistent, invalidInput } from '@freehold/table/runtime'
import { Account, AccountAddress, TechnicalUser, User } from '../design.ts'
import { on } from './flow-menus.ts'
import { type AtAccount, atAccount, flow, itemFlows, type PlatformContext } from './platform-host.ts'

type Contact = Item<typeof TechnicalUser>

/** The steps by which no other address of the account is its primary one, recorded. */
export async function soleAddress(context: PlatformContext, { accountId }: AtAccount, own?: string): Promise<{ readonly steps: Steps }> {
  const { steps } = await touched(context, Account, { id: accountId })
  const all = context.table.addressesOfAccount.all({ accountId }, consistent)
  return { steps: { ...steps, ...(await stepsWithout(context, AccountAddress, all, 'isPrimary', own)) } }
}

/** Reads the primary address, which goes, side by side with the decision on the caller's permission. */
async function readPrimary({ table }: PlatformContext, { accountId }: AtAccount): Promise<void> {
  const all = await collected(table.addressesOfAccount.all({ accountId }, consistent), (each) => each)
  const primary = all.flatMap(({ id, isPrimary }) => (isPrimary === true ? [{ accountId, id }] : []))
  await table.AccountAddress.getMany(primary, consistent)
}

const addresses = itemFlows(AccountAddress, { scope: atAccount })
const described = ['line1', 'line2', 'city', 'postalCode', 'country'] as const

/** The flows of the addresses of an account. */
export const addressFlows = {
  addAddress: addresses.create({
    name: 'addAddress',
    summary: 'Adds an address to an account. A primary one takes the place of the one that was.',
    given: ['accountId', 'id', ...described, 'isPrimary'],
    needs: on('addresses', 'create'),
    scope: atAccount,
    values: ({ input: { isPrimary } }) => ({ isPrimary: isPrimary === true ? true : null }),
    ahead: async ({ context, input }) => (input.isPrimary === true ? readPrimary(context, input) : undefined),
    alongside: ({ context, input }) => (input.isPrimary === true ? soleAddress(context, input) : {}),
  }),
  updateAddress: addresses.update({
    name: 'updateAddress',
    summary: 'Changes an address of an account.',
    may: described,
    needs: on('addresses', 'edit'),
  }),
  setPrimaryAddress: addresses.update({
    name: 'setPrimaryAddress',
    summary: 'Makes an address the primary one of its account. The one that was is no longer.',
    needs: on('addresses', 'edit'),
    ahead: ({ context, input }) => readPrimary(context, input),
    change: () => ({ isPrimary: true }),
    alongside: ({ context, input }) => soleAddress(context, input, input.id),
  }),
  removeAddress: addresses.remove({
    name: 'removeAddress',
    summary: 'Removes an address from an account.',
    needs: on('addresses', 'delete'),
  }),
}

const contact = { ...naming(TechnicalUser, 'accountId'), ...given(TechnicalUser, 'userId'), ...changing(TechnicalUser, 'name', 'email') }

/** The technical user as it will be: a mirror of a user has the id of that user, and its name and address unless others are given. */
async function asAsked(
  context: PlatformContext,
  { accountId, userId, name, email }: InputOf<typeof contact>,
): Promise<New<typeof TechnicalUser>> {
  if (userId !== undefined && userId !== null) {
    const user = await liveItem(context, User, { id: userId })
    if (user.accountId !== accountId)
      throw new FreeholdError('NotFound', `There is no User ${userId} in this account.`, { entity: User.name, id: userId })
    const names = [user.firstName, user.lastName].filter((each) => each !== undefined)
    const own = { name: name ?? (names.length === 0 ? undefined : names.join(' ')), email: email ?? user.email }
    return { id: userId, accountId, userId, ...checkWhole(context, own) }
  }
  return { id: context.table.runtime.making().uuid(), accountId, ...checkWhole(context, { name, email }) }
}

interface Reached<T> {
  readonly name: T
  readonly email: T
}

/** A contact has a name and an address. Throws `InvalidInput`. */
function checkWhole({ flow }: PlatformContext, { name, email }: Reached<string | undefined>): Reached<string> {
  if (name !== undefined && email !== undefined) return { name, email }
  const missing = Object.entries({ name, email }).filter(([, value]) => value === undefined)
  throw invalidInput(
    flow,
    missing.map(([attribute]) => ({
      path: [attribute],
      message: 'is missing: only a mirror of a user has that of the user, if it has one',
    })),
    { flow },
  )
}

/** Puts a technical user in the place of those that are there. One that is there already stays as it is. */
export function setContact(
  context: PlatformContext,
  input: InputOf<typeof contact>,
  mayThere: (isThere: boolean) => void = () => {},
): Promise<Contact> {
  const { accountId } = input
  return retryOnConflict(context.table.runtime, async () => {
    const { steps } = await touched(context, Account, { id: accountId })
    const wanted = await asAsked(context, input)
    const there = await collected(context.table.technicalUserOfAccount.all({ accountId }, consistent), (each) => each)
    const { name, email } = wanted
    return placeSole(context, TechnicalUser, { wanted, there, steps }, ['userId', 'name', 'email'], { name, email }, mayThere)
  })
}

const common = {
  input: contact,
  effect: 'write',
  returns: itemOf(TechnicalUser),
  scope: atAccount,
  reads: ({ userId }: InputOf<typeof contact>): Foreseen => [[User, { id: userId }]],
} as const

/** The flows of the technical user of an account. */
export const technicalUserFlows = {
  setTechnicalUser: flow({
    ...common,
    name: 'setTechnicalUser',
    summary: 'Sets the technical user of an account that has none: a mirror of a user of the account, or a name with an address.',
    needs: on('technical-user', 'create'),
    writes: { create: TechnicalUser },
    errors: createErrors,
    run: (context, input) =>
      setContact(context, input, (isThere) => {
        const message = 'This account has another technical user: replaceTechnicalUser puts one in its place.'
        if (isThere) throw new FreeholdError('AlreadyExists', message, { entity: TechnicalUser.name })
      }),
  }),
  replaceTechnicalUser: flow({
    ...common,
    name: 'replaceTechnicalUser',
    summary: 'Puts another technical user in the place of the one that an account has.',
    needs: on('technical-user', 'edit'),
    writes: { update: TechnicalUser, remove: TechnicalUser },
    errors: [...readErrors, 'MissingEnd'],
    run: (context, input) =>
      setContact(context, input, (isThere) => {
        const message = 'This account has no technical user: setTechnicalUser gives it one.'
        if (!isThere) throw new FreeholdError('NotFound', message, { entity: TechnicalUser.name })
      }),
  }),
}
