import { type Attribute, type ConnectedTable, type Entity, FreeholdError } from '@freehold/table'
import { idOrAddress, nameOf } from '../decision/question.ts'
import type { Actor } from './actor.ts'

const providerForm = /^identity-provider:([a-z][a-z0-9-]{0,63})$/

/** The texts that name an identity provider. */
export const providerPattern = providerForm.source

/** The identity provider of a name such as `identity-provider:google`. It has to say for which provider it speaks. */
export function providerNamed(name: string): Actor | undefined {
  const [, provider] = providerForm.exec(name) ?? []
  return provider === undefined ? undefined : { kind: 'identity-provider', name: provider }
}

/** The ways in which a person names a user. */
export interface UserNames {
  /** The id of a user, and its form in words: `UUID`. */
  readonly id: Attribute<string>
  readonly idWords: string
  /** The item at a user's e-mail address, by its attribute `email`, and the attribute in which it keeps the user's id. */
  readonly address: Entity
  readonly user: string
  /** The same at a user's own name, by its attribute `attribute`: for text that is neither an id nor an address. Left out if users have no names. */
  readonly username?: { readonly at: Entity; readonly attribute: string }
}

/** The texts that may name who acts. */
export interface ActorForm {
  readonly pattern: string
  /** `its UUID or e-mail address`. */
  readonly words: string
}

/** Who acts, as a person names it. */
export interface ActorNaming {
  readonly actorNamed: (table: ConnectedTable, name: string) => Promise<Actor>
  readonly actorForm: ActorForm
}

/** A text in the form of an id, or one with an `@`. A username may be any text. */
function formOf({ id, idWords, username }: UserNames): ActorForm {
  if (username !== undefined) return { pattern: '.', words: `its ${idWords}, e-mail address or username` }
  return { pattern: idOrAddress(id), words: `its ${idWords} or e-mail address` }
}

/**
 * Finds a user by id, by e-mail address, or by name, read consistently. Whether the user may act is asked when a flow begins. The function throws
 * `InvalidInput` for what is none of them, `Denied` for nobody, and `NotAdopted` where the table may lack who has the address.
 */
export function actorNamedBy(names: UserNames): ActorNaming {
  const { id, idWords, address, user, username } = names
  const ways = [{ at: address, attribute: 'email' }, ...(username === undefined ? [] : [username])]
  const actorNamed: ActorNaming['actorNamed'] = async (table, name) => {
    const asId = id.schema.safeParse(name)
    if (asId.success) return { kind: 'user', user_id: asId.data }
    const [way] = ways.flatMap(({ at, attribute }) => {
      const value = nameOf(at, attribute)(name)
      return typeof value === 'string' ? [{ at, key: { [attribute]: value } }] : []
    })
    if (way === undefined) {
      const others = username === undefined ? 'nor an e-mail address' : 'nor an e-mail address nor a username'
      throw new FreeholdError('InvalidInput', `The user to act as is named by neither a ${idWords} ${others}.`, {
        issues: [{ path: ['as'], message: `is neither the ${idWords} of a user ${others}` }],
      })
    }
    const found = await table.repositoryNamed(way.at.name).get(way.key, { consistent: true })
    // The repository was asked for by name, which tells no types.
    const user_id = (found as Readonly<Record<string, unknown>> | undefined)?.[user]
    if (typeof user_id !== 'string') throw new FreeholdError('Denied', 'There is no such user here.', { reason: 'UnknownUser' })
    return { kind: 'user', user_id }
  }
  return { actorNamed, actorForm: formOf(names) }
}
