import { actorText, createErrors, given, shownOf, valuesOf } from '@freehold/frame/flow'
import { hashOfToken, idInToken, isHashOf, newTokenText } from '@freehold/frame/secrets'
import { checking, flag, type Item, isFreeholdError, oneOf, verbatim } from '@freehold/table'
import { consistent, parallel } from '@freehold/table/runtime'
import { AuthToken, TokenById, User } from '../../design.ts'
import { type AccountContext, type AccountWithin, flow } from '../account-host.ts'
import { credentialFlows, refusedUser } from './credentials.ts'
import { endOfToken, hasOutlived } from './token-life.ts'

export type Token = Item<typeof AuthToken>

const feature = 'tokens'

export const tokens = credentialFlows({
  entity: AuthToken,
  resource: 'token',
  list: { name: 'listTokens', summary: 'The tokens of a user, without their hashes, a page at a time.' },
  revoke: 'revokeToken',
  revokeAll: 'revokeTokens',
  ofUser: ({ tokensOfUser }) => tokensOfUser,
  byId: TokenById,
  lookUp: ({ TokenById }, id) => TokenById.get({ id }, consistent),
  isLive: ({ revoked }) => !revoked,
  givenAt: ({ issued_at = '' }) => issued_at,
  revoked: ({ table, caller }) => ({ revoked: true, revoked_at: table.runtime.now().toISOString(), revoked_by: actorText(caller) }),
})
export const { list: listTokens, revoke: revokeToken, revokeAll: revokeTokens, revokingAll: revokingAllTokens } = tokens

/** A new token, and its text, which is told once. */
export interface NewToken {
  readonly text: string
  readonly token: Token
}

const createToken = flow({
  name: 'createToken',
  summary:
    'Makes a token for a user, who is active, as its client is. Its text is told once: only its hash is stored. Each type has a longest life.',
  feature,
  input: given(AuthToken, 'id', 'user_id', 'token_type', 'expires_at', 'payload', 'device_id', 'ip_address'),
  needs: 'own',
  // It outlives the session in which it is made.
  changesSignIn: true,
  effect: 'write',
  writes: { create: AuthToken },
  returns: valuesOf<NewToken>({ text: verbatim().secret(), token: shownOf(AuthToken) }),
  errors: [...createErrors, 'CheckFailed'],
  scope: async ({ user }, { user_id }): Promise<AccountWithin> => (user?.id === user_id ? 'own' : 'system'),
  run: async (context, { id = context.table.runtime.making().uuid(), ...rest }) => {
    const words = newTokenText(id)
    const expires_at = endOfToken(context.flow, context.host.tokenLives, context.table.runtime.now(), rest.token_type, rest.expires_at)
    const token = await tokens.create(context, { ...rest, expires_at, id, token_hash: hashOfToken(words) }, ({ id, client_id = null }) =>
      checking(User, { id }, { where: { status: 'active', client_id } }),
    )
    return { text: words, token }
  },
})

export type Verified =
  | { readonly valid: true; readonly token: Token }
  | { readonly valid: false; readonly reason: 'Unknown' | 'Revoked' | 'UserNotActive' | 'ClientNotActive' }

/** What only an adopted table tells is of no token that can be verified: another program stores no hash of one, and ours has a lookup item. */
function ofOurs(error: unknown): undefined {
  if (!isFreeholdError(error, 'NotAdopted')) throw error
}

/** An expired token counts as one that never was (spec rule 15). */
async function verified(context: AccountContext, words: string): Promise<Verified> {
  const { table } = context
  const unknown = { valid: false, reason: 'Unknown' } as const
  const id = idInToken(words)
  const found = id === undefined ? undefined : await table.TokenById.get({ id }, consistent).catch(ofOurs)
  if (id === undefined || found === undefined) return unknown
  const { user_id } = found
  const [token, refused] = await parallel(
    () => table.AuthToken.get({ user_id, id }, { ...consistent, secrets: ['token_hash'] }),
    () => refusedUser(context, user_id),
  )
  if (!isHashOf(words, token?.token_hash) || token === undefined || token.deleting !== undefined) return unknown
  if (hasOutlived(token, context.host.tokenLives, table.runtime.now())) return unknown
  // The user and its client come first: the answer stays the same while a job revokes what they had.
  const reason = refused ?? (token.revoked ? 'Revoked' : undefined)
  if (reason !== undefined) return { valid: false, reason }
  const { token_hash, ...shown } = token
  return { valid: true, token: shown }
}

const verifyToken = flow({
  name: 'verifyToken',
  summary: 'Says whether a text is that of a token which is neither expired nor revoked, and whose user and client are active.',
  feature,
  input: { text: verbatim({ max: 1024 }).secret() },
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

export const tokenFlows = { createToken, verifyToken, listTokens, revokeToken, revokeTokens } as const
