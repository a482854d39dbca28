import { fitting, naming } from '@freehold/frame/exchange'
import { type ChangeEntry, denied as deniedFlow, shownOf, valuesOf, writeRecorded } from '@freehold/frame/flow'
import { type FirstSight, firstSights } from '@freehold/frame/issuers'
import {
  checking,
  creating,
  email,
  FreeholdError,
  flag,
  type Item,
  isFreeholdError,
  oneOf,
  type Results,
  type Steps,
  text,
  updating,
} from '@freehold/table'
import { consistent, parallel } from '@freehold/table/runtime'
import { EmailIdentity, SignInIdentity, User } from '../design.ts'
import { displayNameOf } from '../importing/person-row.ts'
import type { RebacTable } from '../rebac-table.ts'
import { flow, inSystem } from './rebac-host.ts'

export type SignInProvider = 'google' | 'github' | 'microsoft'

/** A provider's claims about a person who has just signed in there. */
export interface SigningIn {
  readonly provider: SignInProvider
  /** The provider's own id of the account, which never changes. */
  readonly subject: string
  readonly email?: string | null | undefined
  /** The provider says that the address is the person's. */
  readonly isEmailVerified: boolean
  /** Of a new user; the local part of the address unless given. */
  readonly displayName?: string | undefined
  /** What becomes of an account that is not known yet: `make` unless given. */
  readonly firstSight?: FirstSight | undefined
}

/**
 * `created`: a new user; `linked`: a known e-mail address, a new provider; `claimed`: an imported address, by its first sign-in; `known`: a
 * known account of a known user, perhaps with a new address.
 */
export type SignInOutcome = 'created' | 'linked' | 'claimed' | 'known'
export interface SignedIn {
  readonly user: Item<typeof User>
  readonly outcome: SignInOutcome
}

/** Writes the steps of one sign-in in one transaction. */
type Write = <const S extends Steps>(
  steps: S,
  entry: Pick<ChangeEntry, 'entity' | 'id' | 'before' | 'after' | 'related'>,
) => Promise<Results<S>>

/** A table, and how the sign-in writes there. */
interface Site {
  readonly table: RebacTable
  readonly write: Write
}

type CheckedSigningIn = SigningIn & { readonly displayName: string; readonly email: string }
type Identity = Item<typeof EmailIdentity>

/** Each attempt that another sign-in overtakes reads what that one wrote, so that more than a few mean something else. */
const attemptsMax = 10

function denied(message: string, reason: string): FreeholdError {
  return new FreeholdError('Denied', message, { reason })
}

/** Normalised. Throws `InvalidInput`, and `Denied` for an address that the provider has not verified. */
function checked({ provider, subject, email, isEmailVerified, displayName, firstSight }: SigningIn): CheckedSigningIn {
  const address = email === undefined || email === null ? undefined : fitting(EmailIdentity.attributes.email, 'email', email)
  const named = {
    provider: fitting(SignInIdentity.attributes.provider, 'provider', provider),
    subject: naming(SignInIdentity.attributes.subject, 'subject', subject),
  }
  if (named.provider === 'import') throw denied('Nobody signs in with an import: it only notes addresses.', 'NotAProvider')
  if (address === undefined || isEmailVerified !== true)
    throw denied('The provider has not verified this e-mail address.', 'EmailNotVerified')
  return {
    ...named,
    provider: named.provider,
    email: address,
    isEmailVerified,
    firstSight,
    displayName: displayNameOf(address, displayName),
  }
}

/** The user, who is there and stays. Throws `Denied`. */
async function liveUser(table: RebacTable, userId: string): Promise<Item<typeof User>> {
  const user = await table.User.get({ userId }, consistent)
  if (user === undefined || user.deleting !== undefined) throw denied('This user is being deleted.', 'UserBeingDeleted')
  return user
}

/** A known account. Its address may be new to us: then it becomes another address of the user, unless somebody else has it. */
async function signInKnown(
  { table, write }: Site,
  userId: string,
  { email, provider }: CheckedSigningIn,
  known: Identity | undefined,
): Promise<SignedIn> {
  const user = await liveUser(table, userId)
  const address = { email, userId, provider }
  if (known === undefined)
    await write({ email: creating(EmailIdentity, address) }, { entity: EmailIdentity, id: email, after: address, related: { userId } })
  return { user, outcome: 'known' }
}

/** A known address with an account that is new to us: linked, unless the user has another account at this provider. */
async function link({ table, write }: Site, { provider, subject, email }: CheckedSigningIn, known: Identity): Promise<SignedIn> {
  const { userId, version } = known
  const [user, account] = await parallel(
    () => liveUser(table, userId),
    () => table.UserSignInEdge.get({ userId, provider }, consistent),
  )
  if (account !== undefined && account.subject !== subject)
    throw denied(`This e-mail address belongs to a user who signs in with another account of ${provider}.`, 'AnotherSubject')
  const isImported = known.provider === 'import'
  const linked = { provider, subject, userId }
  await write(
    {
      account: creating(SignInIdentity, linked),
      // The address is still that user's when the account is linked: the version says so.
      email: isImported ? updating(EmailIdentity, { email }, { provider }, { version }) : checking(EmailIdentity, { email }, { version }),
    },
    { entity: SignInIdentity, id: `${provider} ${subject}`, after: linked, related: { userId, email } },
  )
  return { user, outcome: isImported ? 'claimed' : 'linked' }
}

async function signUp({ table, write }: Site, { provider, subject, email, displayName }: CheckedSigningIn): Promise<SignedIn> {
  const userId = table.runtime.making().ulid()
  const { user } = await write(
    {
      user: creating(User, { userId, displayName }),
      email: creating(EmailIdentity, { email, userId, provider }),
      account: creating(SignInIdentity, { provider, subject, userId }),
    },
    { entity: User, id: userId, after: { userId, displayName }, related: { email, provider, subject } },
  )
  if (user === undefined) throw new FreeholdError('MalformedItem', 'A new user was not given back.', { entity: User.name })
  return { user, outcome: 'created' }
}

async function attempt(site: Site, signing: CheckedSigningIn): Promise<SignedIn> {
  const { provider, subject, email, firstSight = 'make' } = signing
  const { table } = site
  const [account, known] = await parallel(
    () => table.SignInIdentity.get({ provider, subject }, consistent),
    () => table.EmailIdentity.get({ email }, consistent),
  )
  if (account !== undefined) return signInKnown(site, account.userId, signing, known)
  if (firstSight === 'refuse') throw denied(`Nobody is linked to this subject of ${provider}.`, 'UnknownIdentity')
  if (known === undefined && firstSight === 'link') throw denied('No user has this address.', 'UnknownUser')
  return known === undefined ? signUp(site, signing) : link(site, signing, known)
}

/** True where another sign-in, or a deletion, was faster: what it left behind decides anew. */
function isOvertaken(error: unknown): boolean {
  if (!isFreeholdError(error)) return false
  const codes = [error, ...Object.values(error.details.failures ?? {})].map(({ code }) => code)
  return ['AlreadyExists', 'MissingEnd', 'NotFound', 'VersionConflict', 'BeingDeleted'].some((code) => codes.includes(code as never))
}

/**
 * Signs a person in with what their provider says of them. The first sign-in writes the user, the e-mail identity, the account and their reverse
 * edges in one transaction, so that of two at once one makes the user and the other finds it. A new provider with a known verified address is
 * linked to its user; an imported address is claimed by the first sign-in with it.
 *
 * Throws `Denied` (`details.reason`: `EmailNotVerified`, `AnotherSubject`, `UserBeingDeleted`, `NotAProvider`), `InvalidInput`, `Busy`.
 */
export function signIn(table: RebacTable, signing: SigningIn): Promise<SignedIn> {
  return signInAt({ table, write: (steps) => table.transact(steps) }, signing)
}

async function signInAt(site: Site, signing: SigningIn): Promise<SignedIn> {
  const good = checked(signing)
  for (let count = 1; ; count++) {
    try {
      return await attempt(site, good)
    } catch (error) {
      if (!isOvertaken(error)) throw error
      if (count === attemptsMax)
        throw new FreeholdError('Busy', 'Others keep signing in with the same address. Try again.', {}, { cause: error })
    }
  }
}

const providers = ['google', 'github', 'microsoft'] as const

export const signInFlow = flow({
  name: 'signIn',
  summary: 'Signs a person in with what an identity provider says of them. The first sign-in creates the user.',
  input: {
    provider: oneOf(...providers),
    subject: SignInIdentity.attributes.subject,
    email: email().optional(),
    isEmailVerified: flag(),
    displayName: text().optional(),
    firstSight: oneOf(...firstSights)
      .optional()
      .describe('What becomes of a person of whom no account is known: `make` unless given.'),
  },
  tells: ['provider', 'subject', 'email'],
  needs: 'identity-provider',
  effect: 'write',
  returns: valuesOf<SignedIn>({ user: shownOf(User), outcome: oneOf('created', 'linked', 'claimed', 'known') }),
  writes: { create: User, update: EmailIdentity },
  scope: inSystem,
  run: async (context, { displayName, firstSight, ...claims }) => {
    const { table, caller, flow: name } = context
    const { actor } = caller
    if (actor.kind === 'identity-provider' && actor.name !== undefined && actor.name !== claims.provider)
      throw deniedFlow(name, 'AnotherProvider', `${actor.name} does not speak for ${claims.provider}.`)
    const write: Write = (steps, entry) => writeRecorded(context, steps, { ...entry, tenant: undefined })
    return signInAt({ table, write }, { ...claims, displayName: displayName ?? undefined, firstSight: firstSight ?? undefined })
  },
})
