import { type Change, creating, type FlowJob, flag, type Id, type Item, number, type Page, text, updating, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { decideAnew } from '../../../flow/decide-anew.ts'
import { given } from '../../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../../flow/made-item.ts'
import { LoginSession, User } from '../../design.ts'
import type { AccountContext } from '../account-context.ts'
import { accountFlow } from '../account-flow.ts'
import { writeAudited } from '../audited.ts'
import { changeAudited } from '../change-audited.ts'
import { ownerPlace, standing, type Where } from '../place.ts'
import { type Revocation, revokeEach, startRevoking } from '../revoke-each.ts'
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
  const { user_id: owner, session_start } = standing('LoginSession', id, isTheirs ? found : undefined)
  return { user_id: owner, session_start, id }
}

const placeById = async (context: AccountContext, asked: ById): Promise<Where> =>
  ownerPlace(context, (await sessionId(context, asked)).user_id)
const placeOfUser = async (context: AccountContext, { user_id }: { readonly user_id: string }): Promise<Where> =>
  ownerPlace(context, user_id)

/** What is over already stays as it ended. */
function ending({ table }: AccountContext, status: 'expired' | 'revoked'): (before: Session) => Change<typeof LoginSession> {
  return (before) => (before.status === 'active' ? { status, session_end: table.runtime.now().toISOString() } : {})
}

export const createSession = accountFlow({
  name: 'createSession',
  summary: 'Records that a user, who is active, as its client is, has signed in.',
  feature,
  input: given(
    LoginSession,
    ...(['id', 'user_id', 'sso_provider', 'ip_address', 'user_agent', 'device_info', 'mfa_verified', 'location', 'expires_at'] as const),
  ),
  place: placeOfUser,
  run: async (context, input): Promise<Session> => {
    const made = madeItem(context.table.runtime, LoginSession, input)
    const { session_start, expires_at } = made
    if (expires_at !== undefined && expires_at <= context.table.runtime.now().toISOString())
      throw invalidInput(context.flow, [{ path: ['expires_at'], message: 'is past' }], { flow: context.flow })
    return decideAnew(context.table.runtime, async () => {
      const { user, steps: active } = await activeUser(context, input.user_id)
      const { client_id } = user
      const entry = { entity: LoginSession, id: String(made.id), client_id, after: { ...made, client_id }, related: { user: user.id } }
      // Of two that begin at once, either may be written first.
      const last_login_at = [user.last_login_at, session_start].reduce((one, other) =>
        one !== undefined && one > (other ?? '') ? one : other,
      )
      const steps = {
        ...active,
        user: updating(User, { id: user.id }, { last_login_at }, { version: user.version }),
        session: creating(LoginSession, made),
      }
      const { session } = await writeAudited(context, steps, entry)
      return givenBack(LoginSession, session)
    })
  },
})

export const listSessions = accountFlow({
  name: 'listSessions',
  summary: 'The sessions of a user, newest first, a page at a time.',
  feature,
  input: listed,
  place: placeOfUser,
  run: async ({ table }, { user_id, limit, cursor }): Promise<Page<Session>> =>
    table.sessionsOfUser({ user_id }, { ...consistent, limit: limit ?? undefined, cursor: cursor ?? undefined }),
})

export const endSession = accountFlow({
  name: 'endSession',
  summary: 'Ends a session, as its user does by signing out.',
  feature,
  input: byId,
  place: placeById,
  run: async (context, input): Promise<Session> =>
    changeAudited(context, LoginSession, await sessionId(context, input), ending(context, 'expired')),
})

export const revokeSession = accountFlow({
  name: 'revokeSession',
  summary: 'Revokes a session, by its id alone.',
  feature,
  input: byId,
  place: placeById,
  run: async (context, input): Promise<Session> =>
    changeAudited(context, LoginSession, await sessionId(context, input), ending(context, 'revoked')),
})

const revocation: Revocation<Session> = {
  flow: 'revokeSessions',
  left: async function* ({ table }, user_id) {
    for await (const each of table.sessionsOfUser.all({ user_id }, consistent)) if (each.status === 'active') yield each
  },
  givenAt: ({ session_start }) => session_start,
  revoke: async (acting, { user_id, session_start, id }, _until, entry) =>
    changeAudited(acting, LoginSession, { user_id, session_start, id }, ending(acting, 'revoked'), { entry }),
}

/** The durable job of `revokeSessions`. */
export const revokeSessionsJob = (job: FlowJob): Promise<void> => revokeEach(job, revocation)

/** Starts the job, for a flow that was allowed it. */
export async function revokeAllSessions(context: AccountContext, user_id: string, place: Where, wait: boolean): Promise<void> {
  await startRevoking(context, revocation, user_id, place, wait)
}

export const revokeSessions = accountFlow({
  name: 'revokeSessions',
  summary: 'Revokes all sessions of a user, by a durable job.',
  feature,
  input: { user_id: uuid(), wait: flag().optional() },
  place: placeOfUser,
  run: async (context, { user_id, wait }, place): Promise<void> => revokeAllSessions(context, user_id, place, wait ?? true),
})
