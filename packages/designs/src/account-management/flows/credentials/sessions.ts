import { type Change, creating, flag, type Id, type Item, number, text, updating, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { changeItem } from '../../../flow/change-item.ts'
import { given } from '../../../flow/input-attributes.ts'
import { requireLive } from '../../../flow/live-item.ts'
import { newItem, returnedItem } from '../../../flow/new-item.ts'
import { writeRecorded } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { itemOf, nothing, pageOf } from '../../../flow/returns.ts'
import { LoginSession, User } from '../../design.ts'
import { type AccountContext, type AccountWithin, flow } from '../account-host.ts'
import * as needs from '../needs.ts'
import { ownOr } from '../needs.ts'
import { revokingAll } from '../revocation.ts'
import { ownerScope } from '../scope.ts'
import { activeUser } from '../users/active-user.ts'

export type Session = Item<typeof LoginSession>

const feature = 'sessions'
const consistent = { consistent: true }
const listed = { user_id: uuid(), limit: number({ integer: true, min: 1, max: 1000 }).optional(), cursor: text().optional() }
const byId = { id: uuid(), user_id: uuid().optional() }

interface ById {
  readonly id: string
  readonly user_id?: string | null | undefined
}

/** Where a session lies, by its id alone. Throws `NotFound`, also where it is not of the user who was named. */
async function sessionId({ table }: AccountContext, { id, user_id }: ById): Promise<Id<typeof LoginSession>> {
  const found = await table.SessionById.get({ id }, consistent)
  const isTheirs = user_id === undefined || user_id === null || found?.user_id === user_id
  const { user_id: owner, session_start } = requireLive('LoginSession', id, isTheirs ? found : undefined)
  return { user_id: owner, session_start, id }
}

const scopeById = async (context: AccountContext, asked: ById): Promise<AccountWithin> =>
  ownerScope(context, (await sessionId(context, asked)).user_id)
const scopeOfUser = async (context: AccountContext, { user_id }: { readonly user_id: string }): Promise<AccountWithin> =>
  ownerScope(context, user_id)

/** What is over already stays as it ended. */
function ending({ table }: AccountContext, status: 'expired' | 'revoked'): (before: Session) => Change<typeof LoginSession> {
  return (before) => (before.status === 'active' ? { status, session_end: table.runtime.now().toISOString() } : {})
}

export const createSession = flow({
  name: 'createSession',
  summary: 'Records that a user, who is active, as its client is, has signed in.',
  feature,
  input: given(
    LoginSession,
    ...(['id', 'user_id', 'sso_provider', 'ip_address', 'user_agent', 'device_info', 'mfa_verified', 'location', 'expires_at'] as const),
  ),
  needs: 'operator',
  effect: 'write',
  returns: itemOf(LoginSession),
  scope: scopeOfUser,
  run: async (context, input) => {
    const made = newItem(context.table.runtime, LoginSession, input)
    const { session_start, expires_at } = made
    if (expires_at !== undefined && expires_at <= context.table.runtime.now().toISOString())
      throw invalidInput(context.flow, [{ path: ['expires_at'], message: 'is past' }], { flow: context.flow })
    return retryOnConflict(context.table.runtime, async () => {
      const { user, steps: active } = await activeUser(context, input.user_id)
      const { client_id } = user
      const entry = {
        entity: LoginSession,
        id: String(made.id),
        tenant: client_id,
        after: { ...made, client_id },
        related: { user: user.id },
      }
      // Of two that begin at once, either may be written first.
      const last_login_at = [user.last_login_at, session_start].reduce((one, other) =>
        one !== undefined && one > (other ?? '') ? one : other,
      )
      const steps = {
        ...active,
        user: updating(User, { id: user.id }, { last_login_at }, { version: user.version }),
        session: creating(LoginSession, made),
      }
      const { session } = await writeRecorded(context, steps, entry)
      return returnedItem(LoginSession, session)
    })
  },
})

export const listSessions = flow({
  name: 'listSessions',
  summary: 'The sessions of a user, newest first, a page at a time.',
  feature,
  input: listed,
  needs: ownOr('client', 'read', 'session'),
  effect: 'read',
  returns: pageOf(LoginSession),
  scope: scopeOfUser,
  run: async ({ table }, { user_id, limit, cursor }) =>
    table.sessionsOfUser({ user_id }, { ...consistent, limit: limit ?? undefined, cursor: cursor ?? undefined }),
})

export const endSession = flow({
  name: 'endSession',
  summary: 'Ends a session, as its user does by signing out.',
  feature,
  input: byId,
  needs: needs.revokeSession,
  effect: 'write',
  returns: itemOf(LoginSession),
  scope: scopeById,
  run: async (context, input) => changeItem(context, LoginSession, await sessionId(context, input), ending(context, 'expired')),
})

export const revokeSession = flow({
  name: 'revokeSession',
  summary: 'Revokes a session, by its id alone.',
  feature,
  input: byId,
  needs: needs.revokeSession,
  effect: 'write',
  returns: itemOf(LoginSession),
  scope: scopeById,
  run: async (context, input) => changeItem(context, LoginSession, await sessionId(context, input), ending(context, 'revoked')),
})

export const revokingAllSessions = revokingAll<Session>({
  flow: 'revokeSessions',
  needs: needs.revokeSession,
  left: async function* ({ table }, user_id) {
    for await (const each of table.sessionsOfUser.all({ user_id }, consistent)) if (each.status === 'active') yield each
  },
  givenAt: ({ session_start }) => session_start,
  revoke: async (acting, { user_id, session_start, id }) =>
    changeItem(acting, LoginSession, { user_id, session_start, id }, ending(acting, 'revoked')),
})

export const revokeSessions = flow({
  name: 'revokeSessions',
  summary: 'Revokes all sessions of a user, by a durable job.',
  feature,
  input: { user_id: uuid(), wait: flag().optional() },
  needs: needs.revokeSession,
  effect: 'write',
  returns: nothing,
  scope: scopeOfUser,
  run: async (context, { user_id, wait }, scope) => revokingAllSessions.start(context, user_id, scope, wait ?? true),
})
