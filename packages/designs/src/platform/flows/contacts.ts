import { creating, FreeholdError, type Item, type New, removing, type Step, type Steps, updating } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { createErrors, readErrors } from '../../flow/flow-errors.ts'
import { changing, given, type InputOf, naming } from '../../flow/input-attributes.ts'
import { liveItem, returnedItem } from '../../flow/live-item.ts'
import { entryOf, recordSteps, writeRecorded } from '../../flow/recorded-write.ts'
import { retryOnConflict } from '../../flow/retry-on-conflict.ts'
import { itemOf } from '../../returns.ts'
import { Account, AccountAddress, TechnicalUser, User } from '../design.ts'
import { on } from './flow-menus.ts'
import { type AtAccount, atAccount, flow, itemFlows, type PlatformContext } from './platform-host.ts'

type Contact = Item<typeof TechnicalUser>

const consistent = { consistent: true }

/** Counts as a write of the account, so that of two changes that concern the only one of a kind, the second sees the first. */
async function touchAccount(context: PlatformContext, { accountId: id }: AtAccount): Promise<Steps> {
  const { version } = await liveItem(context, Account, { id })
  return { account: updating(Account, { id }, {}, { version }) }
}

/** The steps by which no other address of the account is its primary one, recorded. */
export async function soleAddress(context: PlatformContext, { accountId }: AtAccount, own?: string): Promise<{ readonly steps: Steps }> {
  const steps: Record<string, Steps[string]> = { ...(await touchAccount(context, { accountId })) }
  for await (const before of context.table.addressesOfAccount.all({ accountId }, consistent)) {
    const { id, version, isPrimary, ...rest } = before
    if (isPrimary !== true || id === own) continue
    steps[`unset ${id}`] = updating(AccountAddress, { accountId, id }, { isPrimary: null }, { version })
    Object.assign(
      steps,
      recordSteps(context, { ...entryOf(context, AccountAddress, before), before, after: { ...rest, id } }, `record ${id}`),
    )
  }
  return { steps }
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
    if (user.accountId === accountId)
      return { id: userId, accountId, userId, name: name ?? `${user.firstName} ${user.lastName}`, email: email ?? user.email }
    throw new FreeholdError('NotFound', `There is no User ${userId} in this account.`, { entity: User.name, id: userId })
  }
  if (name !== undefined && email !== undefined) return { id: context.table.runtime.making().uuid(), accountId, name, email }
  const missing = Object.entries({ name, email }).filter(([, value]) => value === undefined)
  throw invalidInput(
    context.flow,
    missing.map(([attribute]) => ({ path: [attribute], message: 'is missing: only a mirror of a user has that of the user' })),
    { flow: context.flow },
  )
}

/** Puts a technical user in the place of those that are there. One that is there already stays as it is. */
export function setContact(
  context: PlatformContext,
  input: InputOf<typeof contact>,
  mayThere: (isThere: boolean) => void = () => {},
): Promise<Contact> {
  return retryOnConflict(context.table.runtime, async () => {
    const steps: Record<string, Steps[string]> = { ...(await touchAccount(context, input)) }
    const wanted = await asAsked(context, input)
    const there: Contact[] = []
    for await (const each of context.table.technicalUserOfAccount.all({ accountId: input.accountId }, consistent)) there.push(each)
    const [before] = there
    const isAsWanted = (['userId', 'name', 'email'] as const).every((attribute) => before?.[attribute] === wanted[attribute])
    if (before !== undefined && isAsWanted) return before
    mayThere(before !== undefined)
    const same = there.find(({ id }) => id === wanted.id)
    for (const each of there.filter((other) => other !== same)) {
      steps[`remove ${each.id}`] = removing(TechnicalUser, { accountId: input.accountId, id: each.id }, { version: each.version })
      Object.assign(steps, recordSteps(context, { ...entryOf(context, TechnicalUser, each), before: each }, `record ${each.id}`))
    }
    const { id, accountId, name, email } = wanted
    const entry = { ...entryOf(context, TechnicalUser, wanted), before: same, after: { ...wanted } }
    const item: Step<typeof TechnicalUser> =
      same === undefined ? creating(TechnicalUser, wanted) : updating(TechnicalUser, { accountId, id }, { name, email }, same)
    return returnedItem<Contact>(TechnicalUser, (await writeRecorded(context, { ...steps, item }, entry)).item)
  })
}

const common = { input: contact, effect: 'write', returns: itemOf(TechnicalUser), scope: atAccount } as const

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
