import { type Attribute, type ConnectedTable, type Entity, isFreeholdError, type Runtime } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import { type RecentlyUsed, recentlyUsed } from '../../decision/recently-used.ts'
import type { VerifiedPerson } from '../../issuers/verified-token.ts'
import type { Caller } from '../actor.ts'
import { denied } from '../flow-host.ts'
import type { View } from '../records/recorded-changes.ts'

/** A user who may act. `tenant`: undefined for one of none. */
export interface UserAt {
  readonly id: string
  readonly tenant: string | undefined
}

/** How a design knows people. */
export interface Identities {
  /** The item by `provider` and `subject`, and its attribute that has the user's id. */
  readonly identity: Entity
  readonly holder: string
  /** The id of a tenant, of a design whose users are each of one. */
  readonly tenantId?: Attribute<string>
  /** The input of the flow `signIn` for a person of whom there is no such item. */
  signingIn(person: VerifiedPerson): unknown
}

type Subject = Pick<VerifiedPerson, 'provider' | 'subject'>

/** The users whom one process guesses by their identities. */
const guesses_min = 10_000

/** By what reaches the tables. */
const guessesOf = new WeakMap<Runtime['sender'], RecentlyUsed<string>>()

const noUser = () => denied(undefined, 'UnknownUser', 'This person is no user here. The record of denied calls tells an administrator why.')

/** Text of an issuer that can stand in no key names nobody. */
const isNobody = (error: unknown) => isFreeholdError(error, 'InvalidInput') || isFreeholdError(error, 'InvalidKey')

/**
 * Finds the user that a person is. A person who came before is found in one round trip: the user is guessed, and read with the identity, which has
 * to confirm the guess.
 */
export function peopleFinder(
  identities: Identities | undefined,
  userAt: (table: ConnectedTable, id: string) => Promise<UserAt>,
  run: (table: ConnectedTable, name: string, input: unknown, caller: Caller) => Promise<unknown>,
) {
  const isThere = ({ design }: ConnectedTable, { identity }: Identities) => design.form.entities.get(identity.name) === identity
  const holderOf = async (table: ConnectedTable, { identity, holder }: Identities, { provider, subject }: Subject) => {
    const found: View | undefined = await table.repositoryNamed(identity.name).get({ provider, subject }, { consistent: true })
    return found === undefined ? undefined : String(found[holder])
  }
  const found = async (table: ConnectedTable, known: Identities, person: VerifiedPerson): Promise<UserAt> => {
    const { runtime } = table
    const guesses = guessesOf.get(runtime.sender) ?? recentlyUsed<string>(guesses_min)
    guessesOf.set(runtime.sender, guesses)
    const key = JSON.stringify([runtime.table, person.provider, person.subject])
    const guess = guesses.get(key)
    const [id, guessed] = await parallel(
      () => holderOf(table, known, person),
      // Whether that user may act is told only if it is the one.
      () => (guess === undefined ? undefined : userAt(table, guess).catch((error: unknown) => ({ error }))),
    )
    if (id === undefined) {
      const actor = { kind: 'identity-provider', name: person.provider } as const
      await run(table, 'signIn', known.signingIn(person), { actor, via: person.issuer }).catch((error: unknown) => {
        throw isFreeholdError(error, 'Denied') ? noUser() : error
      })
    }
    const holder = id ?? (await holderOf(table, known, person))
    if (holder === undefined) throw noUser()
    guesses.set(key, holder)
    if (guessed === undefined || holder !== guess) return userAt(table, holder)
    if ('error' in guessed) throw guessed.error
    return guessed
  }
  const userIdentified = async (table: ConnectedTable, provider: string, subject: string): Promise<string | undefined> =>
    identities === undefined || !isThere(table, identities) ? undefined : holderOf(table, identities, { provider, subject })
  const personAt = async (table: ConnectedTable, person: VerifiedPerson): Promise<UserAt> => {
    if (identities === undefined || !isThere(table, identities)) throw noUser()
    const user = await found(table, identities, person).catch((error: unknown) => {
      throw isNobody(error) ? noUser() : error
    })
    const { tenantId } = identities
    // An internal user is of no tenant, and a provider that names one does not speak of that user.
    if (person.tenant !== undefined && tenantId !== undefined && (tenantId.schema.safeParse(person.tenant).data ?? '') !== user.tenant)
      throw denied(undefined, 'ForeignUser', `${person.provider} names another tenant than that of this user.`)
    return user
  }
  return { userIdentified, personAt }
}
