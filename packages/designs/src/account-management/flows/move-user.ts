import { count, type FlowJob, FreeholdError, type Item, updating, uuid } from '@freehold/table'
import { decideAnew } from '../../flow/decide-anew.ts'
import { AuthToken, LoginSession, User } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { type AuditEntry, auditSteps, writeAudited } from './audited.ts'
import { checkNamedVersion, standingItem } from './change-audited.ts'
import { jobContext, recordedCaller } from './job-context.ts'
import { clientPlace, userPlace } from './place.ts'

const consistent = { consistent: true }

/** What keeps a user from moving: the name of an entity of which it has something at the client, or undefined. */
async function leftBehind({ table }: AccountContext, user_id: string, client_id: string, kinds: 'all' | 'assignments') {
  for await (const assignment of table.rolesOfUser.all({ user_id }, consistent))
    if (assignment.client_id === client_id) return 'UserRoleAssignment'
  if (kinds === 'assignments') return undefined
  const { entities } = table.runtime.design.form
  if (entities.has(AuthToken.name) && (await table.tokensOfUser({ user_id }, { ...consistent, limit: 1 })).items.length > 0)
    return AuthToken.name
  const hasSession = async () => (await table.sessionsOfUser({ user_id }, { ...consistent, limit: 1 })).items.length > 0
  return entities.has(LoginSession.name) && (await hasSession()) ? LoginSession.name : undefined
}

function inUse(what: string): FreeholdError {
  const message = `This user still has a ${what} at its client: a user moves only when its assignments, sessions and tokens are gone.`
  return new FreeholdError('InUse', message, { entity: User.name, user: what })
}

/** One transaction, with an entry in the audit of either client. */
async function write(context: AccountContext, before: Item<typeof User>, client_id: string, status: AuditEntry['status']): Promise<void> {
  const entry = {
    entity: User,
    id: before.id,
    client_id: before.client_id,
    before,
    after: { ...before, client_id },
    status: status ?? 'success',
  }
  const steps = {
    user: updating(User, { id: before.id }, { client_id }, { version: before.version }),
    ...auditSteps(context, { ...entry, client_id }, 'auditThere'),
  }
  await writeAudited(context, steps, entry)
}

interface Move {
  readonly user_id: string
  readonly from: string
  readonly to: string
}

/** True where the user is, after this, at the client where it goes. */
async function move(context: AccountContext, { user_id, from, to }: Move): Promise<boolean> {
  return decideAnew(context.table.runtime, async () => {
    const user = await context.table.User.get({ id: user_id }, consistent)
    if (user?.client_id !== from || user.deleting !== undefined) return user?.client_id === to
    if ((await leftBehind(context, user_id, from, 'all')) !== undefined) return false
    await write(context, user, to, 'success')
    // What was begun between that look and the write is there now, and nothing more can be.
    const late = await leftBehind(context, user_id, from, 'all')
    if (late !== undefined) await takeBack(context, { user_id, from, to })
    return late === undefined
  })
}

async function takeBack(context: AccountContext, { user_id, from, to }: Move): Promise<void> {
  await decideAnew(context.table.runtime, async () => {
    const user = await context.table.User.get({ id: user_id }, consistent)
    if (user?.client_id === to && user.deleting === undefined) await write(context, user, from, 'failure')
  })
}

/** The durable job of `moveUser`. Run again, it looks again: what lies at the client that the user left takes the move back. */
export async function moveUserJob(job: FlowJob): Promise<void> {
  // Only `moveUser` starts these jobs.
  const { caller, ...asked } = job.input as unknown as Move & { readonly caller: unknown }
  const context = jobContext(job, 'moveUser', caller)
  const hasMoved = await move(context, asked)
  if (hasMoved && (await leftBehind(context, asked.user_id, asked.from, 'assignments')) !== undefined) await takeBack(context, asked)
}

export const moveUser = accountFlow({
  name: 'moveUser',
  summary: 'Moves a user to another client, once its assignments, sessions and tokens are gone.',
  input: { id: uuid(), client_id: uuid(), version: count().optional() },
  place: async (context, { id }) => userPlace(context, id),
  run: async (context, { id, client_id: to, version }): Promise<Item<typeof User>> => {
    await clientPlace(context, to)
    const before = await standingItem(context, User, { id })
    checkNamedVersion(User, before.version, version)
    const { client_id: from } = before
    if (from === undefined)
      throw new FreeholdError('InvalidInput', 'moveUser: an internal user is of no client, and stays so.', { issues: [] })
    if (from === to) return before
    const left = await leftBehind(context, id, from, 'all')
    if (left !== undefined) throw inUse(left)
    const input = { user_id: id, from, to, caller: recordedCaller(context.caller) }
    await context.whole.jobs.start('moveUser', { subject: `USER#${id}`, input })
    const after = await standingItem(context, User, { id })
    if (after.client_id === to) return after
    throw inUse((await leftBehind(context, id, from, 'all')) ?? 'UserRoleAssignment')
  },
})
