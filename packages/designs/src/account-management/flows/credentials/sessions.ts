import { type Item, updating } from '@freehold/table'
import { createErrors } from '../../../flow/flow-errors.ts'
import { given } from '../../../flow/input-attributes.ts'
import { newItem } from '../../../flow/live-item.ts'
import { itemOf } from '../../../returns.ts'
import { LoginSession, User } from '../../design.ts'
import { type AccountContext, flow } from '../account-host.ts'
import { ownerScope } from '../scope.ts'
import { credentialFlows } from './credentials.ts'

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
  lookUp: ({ SessionById }, id) => SessionById.get({ id }, { consistent: true }),
  isLive: ({ status }) => status === 'active',
  givenAt: ({ session_start }) => session_start,
  revoked: ended('revoked'),
})
export const { list: listSessions, revoke: revokeSession, revokeAll: revokeSessions, revokingAll: revokingAllSessions } = sessions
export const endSession = sessions.ending('endSession', 'Ends a session, as its user does by signing out.', ended('expired'))

export const createSession = flow({
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
  run: async (context, input) => {
    const made = newItem(context.table.runtime, LoginSession, input)
    return sessions.create(context, made, ({ id, version, last_login_at: before = '' }) => {
      const { session_start = before } = made
      // Of two that begin at once, either may be written first.
      return updating(User, { id }, { last_login_at: before > session_start ? before : session_start }, { version })
    })
  },
})
