import { type FlowJob, FreeholdError, isFreeholdError } from '@freehold/table'
import { User } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { activeAgain, permittedAgain, permittedToo } from './account-flow.ts'
import { type AuditEntry, auditSteps, isAudited } from './audited.ts'
import { clientOfJob, jobContext, recordedCaller, sameJob } from './job-context.ts'
import type { Where } from './place.ts'

/** How all that a user has of one kind is taken from it. */
export interface Revocation<T> {
  /** The flow, and the job that it starts. */
  readonly flow: 'revokeAllRoles' | 'revokeSessions' | 'revokeTokens'
  /** What is left of it. `client_id`: at which client, undefined for all. */
  left(context: AccountContext, user_id: string, client_id: string | undefined): AsyncIterable<T>
  /** An ISO instant. */
  givenAt(item: T): string
  /** `until`: what was given later stays. */
  revoke(acting: AccountContext, item: T, until: string, entry: Partial<AuditEntry>): Promise<unknown>
}

/** The clocks of two processes may be so far apart: what one of them gave before it was asked to take all away is not to seem given since. */
const skewMax_ms = 60_000

/** Until when what was given is taken away by a job that was asked for then. */
function givenUntil(asked_at: string): string {
  return new Date(Date.parse(asked_at) + skewMax_ms).toISOString()
}

interface Asked {
  readonly user_id: string
  /** Undefined: at whichever client, as for an internal user. */
  readonly client_id?: string | undefined
}

/** Says that somebody else took it away, or that its user or scope is on the way out and takes it along. */
const passedOver = ['NotFound', 'BeingDeleted'] as const

async function unlessGone(revoking: Promise<unknown>): Promise<void> {
  await revoking.catch((error: unknown) => {
    if (!passedOver.some((code) => isFreeholdError(error, code))) throw error
  })
}

/**
 * What is not, or no longer, done by the user who asked for it, since that may not act by now: it is the job that does so. The audit says who asked
 * for it, and when.
 */
function byJob(
  context: AccountContext,
  { id, createdAt }: FlowJob,
): { readonly acting: AccountContext; readonly more: NonNullable<AuditEntry['more']> } {
  const { actor } = context.caller
  return {
    acting: { ...context, caller: { actor: { kind: 'operator', name: `job ${id}` } } },
    more: { asked_by: actor.kind === 'user' ? actor.user_id : null, asked_at: createdAt },
  }
}

async function recordStopped(job: FlowJob, context: AccountContext, { user_id: id, client_id }: Asked, reason: string): Promise<void> {
  if (!isAudited(context)) return
  const { acting, more } = byJob(context, job)
  const entry = { entity: User, id, client_id, status: 'failure', more: { ...more, reason } } as const
  await context.table.transact(auditSteps(acting, entry))
}

/**
 * The durable job: takes away, one by one, what the user had when it was asked for, and a minute later; what was given since stays. Run again, it goes on with what is
 * left. Where a user who asked for it may not do it any more, it ends, and the audit says so; what is that user's own it takes away all the same.
 */
export async function revokeEach<T>(job: FlowJob, { flow, left, givenAt, revoke }: Revocation<T>): Promise<void> {
  const until = givenUntil(job.createdAt)
  // Only `startRevoking` starts these jobs.
  const { caller, ...asked } = job.input as unknown as Asked & { readonly caller: unknown }
  const { user_id, client_id } = asked
  const context = jobContext(job, flow, caller, client_id)
  const { actor } = context.caller
  const isOwn = actor.kind === 'user' && actor.user_id === user_id
  const take = async (item: T): Promise<void> => {
    const taking = (acting: AccountContext) => unlessGone(revoke(acting, item, until, {}))
    if (!isOwn) return permittedAgain(context, flow, client_id === undefined ? 'system' : { client_id }, taking)
    try {
      await activeAgain(context, taking)
    } catch (error) {
      if (!isFreeholdError(error, 'Denied')) throw error
      // Who asked to be signed out is not to be signed in again by being enabled.
      const { acting, more } = byJob(context, job)
      await unlessGone(revoke(acting, item, until, { more }))
    }
  }
  try {
    for await (const item of left(context, user_id, client_id)) {
      if (givenAt(item) > until) continue
      await take(item)
      await job.advance(1)
    }
  } catch (error) {
    if (!isFreeholdError(error, 'Denied')) throw error
    await recordStopped(job, context, asked, String(error.details.reason))
  }
}

/** Throws `Denied`, or `VersionConflict`, where a job that was waited for ended before its end. */
async function checkDone<T>(
  context: AccountContext,
  { flow, left, givenAt }: Revocation<T>,
  { user_id, client_id }: Asked,
  until: string,
  place: Where,
) {
  for await (const item of left(context, user_id, client_id)) {
    if (givenAt(item) > until) continue
    await permittedToo(context, flow, place)
    const message = 'Not all was revoked: others changed it meanwhile, or its caller may not do so any more. The audit tells more.'
    throw new FreeholdError('VersionConflict', message, { entity: User.name, named: true })
  }
}

/** Starts the job, for a flow that was allowed it. */
export async function startRevoking<T>(
  context: AccountContext,
  revocation: Revocation<T>,
  user_id: string,
  place: Where,
  wait: boolean,
): Promise<void> {
  const { flow } = revocation
  const until = givenUntil(context.whole.runtime.now().toISOString())
  const asked = { user_id, ...clientOfJob(context, place) }
  const input = { ...asked, caller: recordedCaller(context.caller) }
  await context.whole.jobs.start(flow, { subject: `USER#${user_id}`, input, same: sameJob(asked, context.caller), wait })
  // An operator's job, and one of what is one's own, is not ended by a permission.
  const isDeniable = context.user !== undefined && context.user.id !== user_id
  if (wait && isDeniable) await checkDone(context, revocation, asked, until, place)
}
