import { type Change, checking, creating, flag, type Id, type Item, number, oneOf, text, uuid, verbatim } from '@freehold/table'
import { invalidInput, parallel } from '@freehold/table/runtime'
import { changeItem } from '../../../flow/change-item.ts'
import { given } from '../../../flow/input-attributes.ts'
import { requireLive } from '../../../flow/live-item.ts'
import { newItem, returnedItem } from '../../../flow/new-item.ts'
import { writeRecorded } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { itemOf, nothing, pageOf, shownOf, valuesOf } from '../../../flow/returns.ts'
import { AuthToken, User } from '../../design.ts'
import { type AccountContext, type AccountWithin, flow } from '../account-host.ts'
import * as needs from '../needs.ts'
import { ownOr } from '../needs.ts'
import { revokingAll } from '../revocation.ts'
import { ownerScope } from '../scope.ts'
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
  return { user_id: requireLive('AuthToken', id, isTheirs ? found : undefined).user_id, id }
}

const scopeOfUser = async (context: AccountContext, { user_id }: { readonly user_id: string }): Promise<AccountWithin> =>
  ownerScope(context, user_id)

/** A new token, and its text, which is told once. */
export interface NewToken {
  readonly text: string
  readonly token: Token
}

export const createToken = flow({
  name: 'createToken',
  summary: 'Makes a token for a user, who is active, as its client is. Its text is told once: only its hash is stored.',
  feature,
  input: given(AuthToken, 'id', 'user_id', 'token_type', 'expires_at', 'payload', 'device_id', 'ip_address'),
  needs: 'own',
  effect: 'write',
  returns: valuesOf<NewToken>({ text: verbatim(), token: shownOf(AuthToken) }),
  scope: async ({ user }, { user_id }): Promise<AccountWithin> => (user?.id === user_id ? 'own' : 'system'),
  run: async (context, input) => {
    const { runtime } = context.table
    const { id = runtime.making().uuid(), ...rest } = input
    const words = newTokenText(id)
    const made = newItem(runtime, AuthToken, { ...rest, id, token_hash: hashOfToken(words) })
    if (made.expires_at !== undefined && made.expires_at <= runtime.now().toISOString())
      throw invalidInput(context.flow, [{ path: ['expires_at'], message: 'is past' }])
    return retryOnConflict(runtime, async () => {
      const { user, steps: active } = await activeUser(context, input.user_id)
      const { client_id } = user
      const entry = { entity: AuthToken, id, tenant: client_id, after: { ...made, client_id }, related: { user: user.id } }
      const ofActive = checking(User, { id: user.id }, { where: { status: 'active', client_id: client_id ?? null } })
      const { token } = await writeRecorded(context, { ...active, user: ofActive, token: creating(AuthToken, made) }, entry)
      return { text: words, token: returnedItem(AuthToken, token) }
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

export const verifyToken = flow({
  name: 'verifyToken',
  summary: 'Says whether a text is that of a token which is neither over nor revoked, and whose user and client are active.',
  feature,
  input: { text: verbatim({ max: 1024 }) },
  needs: 'operator',
  effect: 'read',
  returns: valuesOf<Verified>({
    valid: flag(),
    token: shownOf(AuthToken).optional(),
    reason: oneOf('Unknown', 'Revoked', 'UserNotActive', 'ClientNotActive').optional(),
  }),
  scope: async (): Promise<AccountWithin> => 'system',
  run: async (context, { text: words }): Promise<Verified> => verified(context, words),
})

export const listTokens = flow({
  name: 'listTokens',
  summary: 'The tokens of a user, without their hashes, a page at a time.',
  feature,
  input: listed,
  needs: ownOr('client', 'read', 'token'),
  effect: 'read',
  returns: pageOf(AuthToken),
  scope: scopeOfUser,
  run: async ({ table }, { user_id, limit, cursor }) =>
    table.tokensOfUser({ user_id }, { ...consistent, limit: limit ?? undefined, cursor: cursor ?? undefined }),
})

/** What is revoked already stays as it was revoked. */
function revoking({ table, caller: { actor } }: AccountContext): (before: Token) => Change<typeof AuthToken> {
  const revoked_at = table.runtime.now().toISOString()
  return ({ revoked }) => (revoked ? {} : { revoked: true, revoked_at, revoked_by: actor.kind === 'user' ? actor.user_id : null })
}

export const revokeToken = flow({
  name: 'revokeToken',
  summary: 'Revokes a token, by its id alone.',
  feature,
  input: byId,
  needs: needs.revokeToken,
  effect: 'write',
  returns: itemOf(AuthToken),
  scope: async (context, asked): Promise<AccountWithin> => ownerScope(context, (await tokenId(context, asked)).user_id),
  run: async (context, input) => changeItem(context, AuthToken, await tokenId(context, input), revoking(context)),
})

export const revokingAllTokens = revokingAll<Token>({
  flow: 'revokeTokens',
  needs: needs.revokeToken,
  left: async function* ({ table }, user_id) {
    for await (const each of table.tokensOfUser.all({ user_id }, consistent)) if (!each.revoked) yield each
  },
  givenAt: ({ issued_at }) => issued_at,
  revoke: async (acting, { user_id, id }) => changeItem(acting, AuthToken, { user_id, id }, revoking(acting)),
})

export const revokeTokens = flow({
  name: 'revokeTokens',
  summary: 'Revokes all tokens of a user, by a durable job.',
  feature,
  input: { user_id: uuid(), wait: flag().optional() },
  needs: needs.revokeToken,
  effect: 'write',
  returns: nothing,
  scope: scopeOfUser,
  run: async (context, { user_id, wait }, scope) => revokingAllTokens.start(context, user_id, scope, wait ?? true),
})
