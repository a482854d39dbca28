import {
  askedVersion,
  type ChangeEntry,
  changeAsRead,
  changeErrors,
  checkNamedVersion,
  type InputOf,
  itemOf,
  liveItem,
  recordSteps,
  retryOnConflict,
} from '@freehold/frame/flow'
import { type FlowJob, FreeholdError, type Item, uuid } from '@freehold/table'
import { consistent } from '@freehold/table/runtime'
import { User, UserSignInEdge } from '../../design.ts'
import { type AccountContext, flow, job } from '../account-host.ts'
import { sessions } from '../credentials/sessions.ts'
import { tokens } from '../credentials/tokens.ts'
import { clientScope, userScope } from '../scope.ts'

type UserItem = Item<typeof User>
type Left = keyof typeof remedies

/** By the entity that keeps a user from moving: how to go on. */
const remedies = {
  UserRoleAssignment: 'roles at its client: revokeAllRoles takes them',
  Project: 'a project of its client: updateProject gives that another owner',
  AuthToken: 'tokens that are not revoked: revokeTokens revokes them',
  LoginSession: 'sessions that have not ended: revokeSessions revokes them',
  SignInIdentity: 'identities, which its client has allowed: unlinkIdentity takes them',
} as const

/** `live`: without credentials that have ended and are still there. */
type Kinds = 'all' | 'live' | 'assignments'

/** The name of an entity of which a user has something at a client that keeps it from moving, or undefined. */
async function leftBehind(context: AccountContext, user_id: string, client_id: string, kinds: Kinds): Promise<Left | undefined> {
  const { table } = context
  for await (const assignment of table.rolesOfUser.all({ user_id }, consistent))
    if (assignment.client_id === client_id) return 'UserRoleAssignment'
  for await (const owned of table.ownedProjects.all({ owner_user_id: user_id }, consistent))
    if (owned.client_id === client_id) return 'Project'
  if (kinds === 'assignments') return undefined
  if (await tokens.has(context, user_id, kinds)) return 'AuthToken'
  if (await sessions.has(context, user_id, kinds)) return 'LoginSession'
  if (!table.runtime.design.form.entities.has(UserSignInEdge.name)) return undefined
  return (await table.signInsOfUser({ user_id }, { ...consistent, limit: 1 })).items.length > 0 ? 'SignInIdentity' : undefined
}

function inUse(what: Left): FreeholdError {
  const message = `This user still has ${remedies[what]}. A user moves only when its assignments, sessions, tokens and identities are gone.`
  return new FreeholdError('InUse', message, { entity: User.name, user: what })
}

/** One transaction, with an entry in the audit of either client. */
async function write(context: AccountContext, user: UserItem, client_id: string, status: 'success' | 'failure'): Promise<void> {
  const there: ChangeEntry = { entity: User, id: user.id, tenant: client_id, before: user, after: { ...user, client_id }, status }
  await changeAsRead(context, User, user, { client_id }, { steps: recordSteps(context, there, 'auditThere'), entry: { status } })
}

const moved = { user_id: uuid(), from: uuid(), to: uuid() }
type Move = InputOf<typeof moved>

/** True if the user is at its new client after this. */
async function move(context: AccountContext, job: FlowJob, { user_id, from, to }: Move): Promise<boolean> {
  return retryOnConflict(context.table.runtime, async () => {
    const user = await context.table.User.get({ id: user_id }, consistent)
    if (user?.client_id !== from || user.deleting !== undefined) return user?.client_id === to
    if ((await leftBehind(context, user_id, from, 'live')) !== undefined) return false
    // Left alone, those that have ended would stay until they expire, and keep the user from moving.
    for (const kind of [tokens, sessions]) await kind.clearEnded(context, user_id, job)
    if ((await leftBehind(context, user_id, from, 'all')) !== undefined) return false
    await write(context, user, to, 'success')
    // Items that were begun between that read and the write are there now, and no more can be begun.
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

/** The durable job. Run again, it reads again: an assignment at the client that the user left takes the move back. */
export const movingUser = job({
  name: 'moveUser',
  input: moved,
  subject: ({ user_id }) => `USER#${user_id}`,
  within: () => 'system',
  about: ({ user_id: id }) => ({ entity: User, id: { id } }),
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
  summary:
    'Moves a user to another client, once it has no assignments, sessions, tokens and identities; sessions and tokens that have ended go with the move.',
  input: { id: uuid(), client_id: uuid(), version: askedVersion },
  needs: 'operator',
  effect: 'write',
  returns: itemOf(User),
  errors: [...changeErrors, 'InUse'],
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
    const why = await movingUser.start(context, { user_id: id, from, to })
    const after = await liveItem(context, User, { id })
    if (after.client_id === to) return after
    throw why ?? inUse((await leftBehind(context, id, from, 'all')) ?? 'UserRoleAssignment')
  },
})
