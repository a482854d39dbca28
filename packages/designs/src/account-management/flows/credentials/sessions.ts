import { createErrors, given, idOfItem, itemOf, newItem, shownOf, stateConflict, valuesOf } from '@freehold/frame/flow'
import { encryptedSecret, passwordHash } from '@freehold/frame/secrets'
import { type Change, count, flag, type Item, oneOf, updating, uuid } from '@freehold/table'
import { consistent, parallel } from '@freehold/table/runtime'
import { Client, LoginSession, SessionById, User } from '../../design.ts'
import { type AccountContext, type AccountWithin, flow } from '../account-host.ts'
import { ownerScope } from '../scope.ts'
import { credentialFlows, type Given, refusedUser } from './credentials.ts'

export type Session = Item<typeof LoginSession>

const ended =
  (status: 'expired' | 'revoked') =>
  ({ table }: AccountContext) => ({ status, session_end: table.runtime.now().toISOString() })

export const sessions = credentialFlows({
  entity: LoginSession,
  resource: 'session',
  list: { name: 'listSessions', summary: 'The sessions of a user, newest first, a page at a time.' },
  revoke: 'revokeSession',
  revokeAll: 'revokeSessions',
  ofUser: ({ sessionsOfUser }) => sessionsOfUser,
  byId: SessionById,
  lookUp: ({ SessionById }, id) => SessionById.get({ id }, consistent),
  isLive: ({ status }) => status === 'active',
  givenAt: ({ session_start }) => session_start,
  revoked: ended('revoked'),
})
export const { list: listSessions, revoke: revokeSession, revokeAll: revokeSessions, revokingAll: revokingAllSessions } = sessions
const endSession = sessions.ending('endSession', 'Ends a session, as its user does by signing out.', ended('expired'))

/**
 * Begins a session of a user, who is active, as its client is. `more` changes that user beside it, as it was read in that version. Throws `NotFound`,
 * `BeingDeleted`, and `CheckFailed`: `UserNotActive`, `ClientNotActive`, `UserChanged`.
 */
const begin = (context: AccountContext, input: Given<typeof LoginSession>, more: Change<typeof User> = {}, asRead?: number) => {
  const made = newItem(context.table.runtime, LoginSession, input)
  return sessions.create(context, made, ({ id, version, last_login_at: before = '' }) => {
    if (asRead !== undefined && asRead !== version) throw stateConflict(User, 'UserChanged', 'This user has changed: read it again.')
    const { session_start = before } = made
    // Of two that begin at once, either may be written first.
    return updating(User, { id }, { ...more, last_login_at: before > session_start ? before : session_start }, { version })
  })
}

const createSession = flow({
  name: 'createSession',
  summary: 'Records that a user, who is active, as its client is, has signed in.',
  feature: 'sessions',
  input: given(
    LoginSession,
    ...(['id', 'user_id', 'sso_provider', 'ip_address', 'user_agent', 'device_info', 'mfa_verified', 'location', 'expires_at'] as const),
  ),
  needs: 'operator',
  effect: 'write',
  writes: { create: LoginSession },
  returns: itemOf(LoginSession),
  errors: [...createErrors, 'CheckFailed'],
  scope: async (context, { user_id }) => ownerScope(context, user_id),
  run: async (context, input) => begin(context, input),
})

/** A sign-in by this product's own pages, or to its console by a provider. No face offers it. */
export const signIn = flow({
  name: 'signIn',
  summary: 'Begins a session of a user who has signed in, together with what that changes of the user.',
  feature: 'sessions',
  input: {
    ...given(LoginSession, 'user_id', 'sso_provider', 'ip_address', 'user_agent', 'mfa_verified', 'expires_at'),
    client_id: uuid().optional(),
    version: count(),
    password_hash: passwordHash().optional(),
    mfa_secret: encryptedSecret().optional(),
  },
  needs: 'operator',
  effect: 'write',
  writes: { create: LoginSession },
  returns: itemOf(LoginSession),
  errors: [...createErrors, 'CheckFailed'],
  reads: ({ user_id, client_id }) => [
    [User, { id: user_id }],
    [Client, { id: client_id }],
  ],
  scope: async (_context, { client_id }) => (typeof client_id === 'string' ? { client_id } : 'system'),
  run: async (context, { client_id, version, password_hash, mfa_secret, ...session }) =>
    begin(context, session, { ...(password_hash && { password_hash }), ...(mfa_secret && { mfa_secret }) }, version),
})

export type VerifiedSession =
  | { readonly valid: true; readonly session: Session }
  | { readonly valid: false; readonly reason: 'Unknown' | 'Revoked' | 'Ended' | 'UserNotActive' | 'ClientNotActive' }

/** A session that expired counts as one that never was (spec rule 15). */
async function verified(context: AccountContext, id: string, user_id: string | null | undefined): Promise<VerifiedSession> {
  const { table } = context
  const found = await sessions.findAny(context, { id, user_id })
  if (found === undefined) return { valid: false, reason: 'Unknown' }
  const [session, refused] = await parallel(
    () => table.LoginSession.get(idOfItem(LoginSession, found), consistent),
    () => refusedUser(context, found.user_id),
  )
  if (session === undefined || session.deleting !== undefined) return { valid: false, reason: 'Unknown' }
  const over = session.status === 'revoked' ? 'Revoked' : session.status === 'expired' ? 'Ended' : undefined
  // The user and its client come first: the answer stays the same while a job revokes what they had.
  const reason = refused ?? over
  return reason === undefined ? { valid: true, session } : { valid: false, reason }
}

const verifySession = flow({
  name: 'verifySession',
  summary: 'Says whether a session is neither ended nor revoked, and its user and client are active: a service asks at each use of it.',
  feature: 'sessions',
  input: { id: uuid(), user_id: uuid().optional() },
  needs: 'operator',
  effect: 'read',
  returns: valuesOf<VerifiedSession>({
    valid: flag(),
    session: shownOf(LoginSession).optional(),
    reason: oneOf('Unknown', 'Revoked', 'Ended', 'UserNotActive', 'ClientNotActive').optional(),
  }),
  scope: async (): Promise<AccountWithin> => 'system',
  run: async (context, { id, user_id }): Promise<VerifiedSession> => verified(context, id, user_id),
})

export const sessionFlows = { createSession, listSessions, endSession, verifySession, revokeSession, revokeSessions } as const
