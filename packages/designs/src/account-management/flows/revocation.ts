import { byJob, changeErrors, type InputOf, type Needs, nothing, permit, recordAlone, tenantOfWork } from '@freehold/frame/flow'
import { FreeholdError, flag, uuid } from '@freehold/table'
import { User } from '../design.ts'
import { type AccountContext, type AccountWithin, flow, job } from './account-host.ts'

/** How everything of one kind is taken from a user. */
export interface Revocation<T> {
  /** The flow, and the job that it starts. */
  readonly name: 'revokeAllRoles' | 'revokeSessions' | 'revokeTokens'
  readonly summary: string
  readonly feature?: string
  readonly needs: Needs
  scope(context: AccountContext, user_id: string): Promise<AccountWithin>
  /** The items that the user still has. `client_id`: at which client; undefined for all. */
  left(context: AccountContext, user_id: string, client_id: string | undefined): AsyncIterable<T>
  /** An ISO instant. */
  givenAt(item: T): string
  /** `until`: an item that was given later stays. */
  revoke(acting: AccountContext, item: T, until: string): Promise<unknown>
}

/** The clocks of two processes may differ by this: an item that was given before the request must not seem to be given since. */
const skewMax_ms = 60_000

/** Revokes everything granted up to one minute (the largest clock skew) after the request. */
export function givenUntil(asked_at: string): string {
  return new Date(Date.parse(asked_at) + skewMax_ms).toISOString()
}

/** `follows`: a flow that was permitted revokes along with its own change. */
const asked = { user_id: uuid(), client_id: uuid().optional(), follows: flag().optional() }
type Asked = InputOf<typeof asked>

const scopeOf = ({ client_id }: Asked): AccountWithin => (typeof client_id === 'string' ? { client_id } : 'system')

/** The items that were given until then. */
async function* dueOf<T>({ left, givenAt }: Revocation<T>, context: AccountContext, { user_id, client_id }: Asked, until: string) {
  for await (const item of left(context, user_id, client_id ?? undefined)) if (givenAt(item) <= until) yield item
}

/**
 * The flow that revokes everything of one kind, and its durable job. If the user who asked loses the permission, the job ends, and the audit says
 * so. The caller's own are revoked all the same: enabling a user must not sign in again somebody who asked to be signed out. So are those that
 * another flow revokes along with its own change, for which its caller had the permission.
 */
export function revokingAll<T>(revocation: Revocation<T>) {
  const { name, summary, feature, needs, scope, revoke } = revocation
  const written = job({
    name,
    input: asked,
    subject: ({ user_id }) => `USER#${user_id}`,
    within: scopeOf,
    needs: [needs],
    each: (context, input, { createdAt }) => dueOf(revocation, context, input, givenUntil(createdAt)),
    does: (acting, item, _input, { createdAt }) => revoke(acting, item, givenUntil(createdAt)),
    // Somebody else revoked it, or its user or scope is on the way out and takes it along.
    passesOver: ['NotFound', 'BeingDeleted'],
    whenDenied: ({ caller: { actor } }, { user_id, follows }) =>
      follows === true || (actor.kind === 'user' && actor.user_id === user_id) ? 'continue-as-job' : 'stop',
    stopped: (context, { user_id: id, client_id }, reason, running) =>
      recordAlone(byJob(context, running), { entity: User, id, tenant: client_id ?? undefined, status: 'failure', more: { reason } }),
  })
  /** Starts the job, for a flow that was permitted. Throws `Denied`, or `VersionConflict`, if a job that it waited for ended early. */
  const start = async (context: AccountContext, user_id: string, within: AccountWithin, wait: boolean, follows?: true): Promise<void> => {
    const until = givenUntil(context.unscoped.runtime.now().toISOString())
    const client_id = tenantOfWork(context, within)
    const input = { user_id, ...(client_id === undefined ? {} : { client_id }), ...(follows && { follows }) }
    const why = await written.start(context, input, { wait })
    // A permission ends neither an operator's job nor one that revokes the caller's own.
    const isDeniable = context.user !== undefined && context.user.id !== user_id && follows === undefined
    if (!wait || !isDeniable) return
    for await (const _item of dueOf(revocation, context, input, until)) {
      if (why !== undefined) throw why
      await permit(context, needs, within)
      const message = 'Not all was revoked: others changed it meanwhile, or its caller may not do so any more. The audit tells more.'
      throw new FreeholdError('VersionConflict', message, { entity: User.name, named: true })
    }
  }
  return Object.freeze({
    job: written,
    start,
    flow: flow({
      name,
      summary,
      feature,
      input: { user_id: uuid(), wait: flag().optional() },
      needs,
      effect: 'write',
      returns: nothing,
      errors: changeErrors,
      scope: async (context, { user_id }) => scope(context, user_id),
      run: async (context, { user_id, wait }, within) => start(context, user_id, within, wait ?? true),
    }),
  })
}
