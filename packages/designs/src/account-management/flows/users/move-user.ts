import { count, type Entity, type FlowJob, FreeholdError, type Id, type Item, isFreeholdError, updating, uuid } from '@freehold/table'
import { removeItem } from '../../../flow/change-item.ts'
import type { ChangeEntry } from '../../../flow/flow-host.ts'
import { checkNamedVersion, liveItem } from '../../../flow/live-item.ts'
import type { InputOf } from '../../../flow/read-input.ts'
import { recordSteps, writeRecorded } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { itemOf } from '../../../flow/returns.ts'
import { AuthToken, LoginSession, User } from '../../design.ts'
import { type AccountContext, flow, job } from '../account-host.ts'
import { clientScope, userScope } from '../scope.ts'

const consistent = { consistent: true }

type Left = keyof typeof remedies

/** What keeps a user from moving, and what is done about it. */
const remedies = {
  UserRoleAssignment: 'roles at its client: revokeAllRoles takes them',
  Project: 'a project of its client: updateProject gives that another owner',
  AuthToken: 'tokens that are not revoked: revokeTokens revokes them',
  LoginSession: 'sessions that have not ended: revokeSessions revokes them',
} as const

/** `live`: what is over, but still there, is left out. */
type Kinds = 'all' | 'live' | 'assignments'

async function hasToken({ table }: AccountContext, user_id: string, kinds: Kinds): Promise<boolean> {
  for await (const { revoked } of table.tokensOfUser.all({ user_id }, consistent)) if (kinds === 'all' || !revoked) return true
  return false
}

async function hasSession({ table }: AccountContext, user_id: string, kinds: Kinds): Promise<boolean> {
  for await (const { status } of table.sessionsOfUser.all({ user_id }, consistent)) if (kinds === 'all' || status === 'active') return true
  return false
}

/** What keeps a user from moving: the name of an entity of which it has something at the client, or undefined. */
async function leftBehind(context: AccountContext, user_id: string, client_id: string, kinds: Kinds): Promise<Left | undefined> {
  const { table } = context
  for await (const assignment of table.rolesOfUser.all({ user_id }, consistent))
    if (assignment.client_id === client_id) return 'UserRoleAssignment'
  for await (const owned of table.ownedProjects.all({ owner_user_id: user_id }, consistent))
    if (owned.client_id === client_id) return 'Project'
  if (kinds === 'assignments') return undefined
  const { entities } = table.runtime.design.form
  if (entities.has(AuthToken.name) && (await hasToken(context, user_id, kinds))) return 'AuthToken'
  return entities.has(LoginSession.name) && (await hasSession(context, user_id, kinds)) ? 'LoginSession' : undefined
}

async function removeEnded<E extends Entity>(context: AccountContext, entity: E, id: Id<E>): Promise<void> {
  try {
    await removeItem(context, entity, id)
  } catch (error) {
    // Its end came, or its user is on the way out and takes it along.
    if (!isFreeholdError(error, 'NotFound') && !isFreeholdError(error, 'BeingDeleted')) throw error
  }
}

/** What is revoked or has ended is of no use any more, and would stay for as long as it is kept. */
async function clearEnded(context: AccountContext, job: FlowJob, user_id: string): Promise<void> {
  const { table } = context
  const { entities } = table.runtime.design.form
  if (entities.has(AuthToken.name))
    for await (const { id, revoked } of table.tokensOfUser.all({ user_id }, consistent)) {
      if (revoked) await removeEnded(context, AuthToken, { user_id, id })
      await job.advance(1)
    }
  if (entities.has(LoginSession.name))
    for await (const { id, session_start, status } of table.sessionsOfUser.all({ user_id }, consistent)) {
      if (status !== 'active') await removeEnded(context, LoginSession, { user_id, session_start, id })
      await job.advance(1)
    }
}

function inUse(what: Left): FreeholdError {
  const message = `This user still has ${remedies[what]}. A user moves only when its assignments, sessions and tokens are gone.`
  return new FreeholdError('InUse', message, { entity: User.name, user: what })
}

/** One transaction, with an entry in the audit of either client. */
async function write(context: AccountContext, before: Item<typeof User>, client_id: string, status: ChangeEntry['status']): Promise<void> {
  const entry = {
    entity: User,
    id: before.id,
    tenant: before.client_id,
    before,
    after: { ...before, client_id },
    status: status ?? 'success',
  }
  const steps = {
    user: updating(User, { id: before.id }, { client_id }, { version: before.version }),
    ...recordSteps(context, { ...entry, tenant: client_id }, 'auditThere'),
  }
  await writeRecorded(context, steps, entry)
}

const moved = { user_id: uuid(), from: uuid(), to: uuid() }
type Move = InputOf<typeof moved>

/** True where the user is, after this, at the client where it goes. */
async function move(context: AccountContext, job: FlowJob, { user_id, from, to }: Move): Promise<boolean> {
  return retryOnConflict(context.table.runtime, async () => {
    const user = await context.table.User.get({ id: user_id }, consistent)
    if (user?.client_id !== from || user.deleting !== undefined) return user?.client_id === to
    if ((await leftBehind(context, user_id, from, 'live')) !== undefined) return false
    await clearEnded(context, job, user_id)
    if ((await leftBehind(context, user_id, from, 'all')) !== undefined) return false
    await write(context, user, to, 'success')
    // What was begun between that look and the write is there now, and nothing more can be.
    const late = await leftBehind(context, user_id, from, 'all')
    if (late !== undefined) await takeBack(context, { user_id, from, to })
    return late === undefined
  })
}

async function takeBack(context: AccountContext, { user_id, from, to }: Move): Promise<void> {
  await retryOnConflict(context.table.runtime, async () => {
    const user = await context.table.User.get({ id: user_id }, consistent)
    if (user?.client_id === to && user.deleting === undefined) await write(context, user, from, 'failure')
  })
}

/** The durable job. Run again, it looks again: an assignment at the client that the user left takes the move back. */
export const movingUser = job({
  name: 'moveUser',
  flow: 'moveUser',
  input: moved,
  subject: ({ user_id }) => `USER#${user_id}`,
  within: () => 'system',
  each: async function* (_context, input) {
    yield input
  },
  does: async (context, asked, _input, running) => {
    const hasMoved = await move(context, running, asked)
    if (hasMoved && (await leftBehind(context, asked.user_id, asked.from, 'assignments')) !== undefined) await takeBack(context, asked)
  },
})

export const moveUser = flow({
  name: 'moveUser',
  owns: [{ entity: User.name, attribute: 'client_id' }],
  summary: 'Moves a user to another client, once it has no assignments, sessions and tokens; those that have ended go with the move.',
  input: { id: uuid(), client_id: uuid(), version: count().optional() },
  needs: 'operator',
  effect: 'write',
  returns: itemOf(User),
  scope: async (context, { id }) => userScope(context, id),
  run: async (context, { id, client_id: to, version }) => {
    await clientScope(context, to)
    const before = await liveItem(context, User, { id })
    checkNamedVersion(User, before.version, version)
    const { client_id: from } = before
    if (from === undefined)
      throw new FreeholdError('InvalidInput', 'moveUser: an internal user is of no client, and stays so.', { issues: [] })
    if (from === to) return before
    const left = await leftBehind(context, id, from, 'live')
    if (left !== undefined) throw inUse(left)
    await movingUser.start(context, { user_id: id, from, to })
    const after = await liveItem(context, User, { id })
    if (after.client_id === to) return after
    throw inUse((await leftBehind(context, id, from, 'all')) ?? 'UserRoleAssignment')
  },
})
