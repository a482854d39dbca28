import {
  type Change,
  checking,
  creating,
  type FlowJob,
  flag,
  type Id,
  type Item,
  number,
  type Page,
  text,
  uuid,
  verbatim,
} from '@freehold/table'
import { invalidInput, parallel } from '@freehold/table/runtime'
import { decideAnew } from '../../../flow/decide-anew.ts'
import { given } from '../../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../../flow/made-item.ts'
import { AuthToken, User } from '../../design.ts'
import type { AccountContext } from '../account-context.ts'
import { accountFlow } from '../account-flow.ts'
import { writeAudited } from '../audited.ts'
import { changeAudited } from '../change-audited.ts'
import { ownerPlace, standing, type Where } from '../place.ts'
import { type Revocation, revokeEach, startRevoking } from '../revoke-each.ts'
import { activeUser } from '../users/active-user.ts'
import { hashOfToken, idInToken, isHashOf, newTokenText } from './token-text.ts'

export type Token = Item<typeof AuthToken>

const feature = 'tokens'
const consistent = { consistent: true }
const listed = { user_id: uuid(), limit: number({ integer: true, min: 1, max: 1000 }).optional(), cursor: text().optional() }
const byId = { id: uuid(), user_id: uuid().optional() }

interface ById {
  readonly id: string
  readonly user_id?: string | null | undefined
}

/** Where a token lies, by its id alone. Throws `NotFound`, also where it is not of the user who was named. */
async function tokenId({ table }: AccountContext, { id, user_id }: ById): Promise<Id<typeof AuthToken>> {
  const found = await table.TokenById.get({ id }, consistent)
  const isTheirs = user_id === undefined || user_id === null || found?.user_id === user_id
  return { user_id: standing('AuthToken', id, isTheirs ? found : undefined).user_id, id }
}

const placeOfUser = async (context: AccountContext, { user_id }: { readonly user_id: string }): Promise<Where> =>
  ownerPlace(context, user_id)

export const createToken = accountFlow({
  name: 'createToken',
  summary: 'Makes a token for a user, who is active, as its client is. Its text is told once: only its hash is stored.',
  feature,
  input: given(AuthToken, 'id', 'user_id', 'token_type', 'expires_at', 'payload', 'device_id', 'ip_address'),
  place: async ({ user }, { user_id }): Promise<Where> => (user?.id === user_id ? 'own' : 'system'),
  run: async (context, input): Promise<{ readonly text: string; readonly token: Token }> => {
    const { runtime } = context.table
    const { id = runtime.making().uuid(), ...rest } = input
    const words = newTokenText(id)
    const made = madeItem(runtime, AuthToken, { ...rest, id, token_hash: hashOfToken(words) })
    if (made.expires_at !== undefined && made.expires_at <= runtime.now().toISOString())
      throw invalidInput(context.flow, [{ path: ['expires_at'], message: 'is past' }])
    return decideAnew(runtime, async () => {
      const { user, steps: active } = await activeUser(context, input.user_id)
      const { client_id } = user
      const entry = { entity: AuthToken, id, client_id, after: { ...made, client_id }, related: { user: user.id } }
      const ofActive = checking(User, { id: user.id }, { where: { status: 'active', client_id: client_id ?? null } })
      const { token } = await writeAudited(context, { ...active, user: ofActive, token: creating(AuthToken, made) }, entry)
      return { text: words, token: givenBack(AuthToken, token) }
    })
  },
})

export type Verified =
  | { readonly valid: true; readonly token: Token }
  | { readonly valid: false; readonly reason: 'Unknown' | 'Revoked' | 'UserNotActive' | 'ClientNotActive' }

/** A token that is over counts as one that never was (spec rule 15). */
async function verified({ table }: AccountContext, words: string): Promise<Verified> {
  const unknown = { valid: false, reason: 'Unknown' } as const
  const id = idInToken(words)
  const found = id === undefined ? undefined : await table.TokenById.get({ id }, consistent)
  if (id === undefined || found === undefined) return unknown
  const { user_id } = found
  const [token, user] = await parallel(
    () => table.AuthToken.get({ user_id, id }, { ...consistent, secrets: ['token_hash'] }),
    () => table.User.get({ id: user_id }, consistent),
  )
  if (!isHashOf(words, token?.token_hash) || token === undefined || token.deleting !== undefined) return unknown
  if (token.revoked) return { valid: false, reason: 'Revoked' }
  if (user?.status !== 'active' || user.deleting !== undefined) return { valid: false, reason: 'UserNotActive' }
  const { client_id } = user
  const client = client_id === undefined ? undefined : await table.Client.get({ id: client_id }, consistent)
  const isClientActive = client_id === undefined || (client?.status === 'active' && client.deleting === undefined)
  if (!isClientActive) return { valid: false, reason: 'ClientNotActive' }
  const { token_hash, ...shown } = token
  return { valid: true, token: shown }
}

export const verifyToken = accountFlow({
  name: 'verifyToken',
  summary: 'Says whether a text is that of a token which is neither over nor revoked, and whose user and client are active.',
  feature,
  input: { text: verbatim({ max: 1024 }) },
  place: async (): Promise<Where> => 'system',
  run: async (context, { text: words }): Promise<Verified> => verified(context, words),
})

export const listTokens = accountFlow({
  name: 'listTokens',
  summary: 'The tokens of a user, without their hashes, a page at a time.',
  feature,
  input: listed,
  place: placeOfUser,
  run: async ({ table }, { user_id, limit, cursor }): Promise<Page<Token>> =>
    table.tokensOfUser({ user_id }, { ...consistent, limit: limit ?? undefined, cursor: cursor ?? undefined }),
})

/** What is revoked already stays as it was revoked. */
function revoking({ table, caller: { actor } }: AccountContext): (before: Token) => Change<typeof AuthToken> {
  const revoked_at = table.runtime.now().toISOString()
  return ({ revoked }) => (revoked ? {} : { revoked: true, revoked_at, revoked_by: actor.kind === 'user' ? actor.user_id : null })
}

export const revokeToken = accountFlow({
  name: 'revokeToken',
  summary: 'Revokes a token, by its id alone.',
  feature,
  input: byId,
  place: async (context, asked): Promise<Where> => ownerPlace(context, (await tokenId(context, asked)).user_id),
  run: async (context, input): Promise<Token> => changeAudited(context, AuthToken, await tokenId(context, input), revoking(context)),
})

const revocation: Revocation<Token> = {
  flow: 'revokeTokens',
  left: async function* ({ table }, user_id) {
    for await (const each of table.tokensOfUser.all({ user_id }, consistent)) if (!each.revoked) yield each
  },
  givenAt: ({ issued_at }) => issued_at,
  revoke: async (acting, { user_id, id }, _until, entry) => changeAudited(acting, AuthToken, { user_id, id }, revoking(acting), { entry }),
}

/** The durable job of `revokeTokens`. */
export const revokeTokensJob = (job: FlowJob): Promise<void> => revokeEach(job, revocation)

/** Starts the job, for a flow that was allowed it. */
export async function revokeAllTokens(context: AccountContext, user_id: string, place: Where, wait: boolean): Promise<void> {
  await startRevoking(context, revocation, user_id, place, wait)
}

export const revokeTokens = accountFlow({
  name: 'revokeTokens',
  summary: 'Revokes all tokens of a user, by a durable job.',
  feature,
  input: { user_id: uuid(), wait: flag().optional() },
  place: placeOfUser,
  run: async (context, { user_id, wait }, place): Promise<void> => revokeAllTokens(context, user_id, place, wait ?? true),
})
