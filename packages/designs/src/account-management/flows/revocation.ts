import { FreeholdError, uuid } from '@freehold/table'
import type { DurableJob } from '../../flow/durable-job.ts'
import type { Needs } from '../../flow/flow.ts'
import { byJob, tenantOfWork } from '../../flow/job-context.ts'
import { permittedToo } from '../../flow/permitted.ts'
import { recordAlone } from '../../flow/recorded-write.ts'
import { User } from '../design.ts'
import { type AccountContext, type AccountWithin, job } from './account-host.ts'

/** How everything of one kind is taken from a user. */
export interface Revocation<T> {
  /** The flow, and the job that it starts. */
  readonly flow: 'revokeAllRoles' | 'revokeSessions' | 'revokeTokens'
  readonly needs: Needs
  /** The items that the user still has. `client_id`: at which client; undefined for all. */
  left(context: AccountContext, user_id: string, client_id: string | undefined): AsyncIterable<T>
  /** An ISO instant. */
  givenAt(item: T): string
  /** `until`: what was given later stays. */
  revoke(acting: AccountContext, item: T, until: string): Promise<unknown>
}

/** The clocks of two processes may differ by this: an item that one of them gave before the request must not seem given since. */
const skewMax_ms = 60_000

/** Revokes everything granted up to one minute (the largest clock skew) after the request. */
function givenUntil(asked_at: string): string {
  return new Date(Date.parse(asked_at) + skewMax_ms).toISOString()
}

const asked = { user_id: uuid(), client_id: uuid().optional() }
type Asked = { readonly user_id: string; readonly client_id?: string | null | undefined }

const scopeOf = ({ client_id }: Asked): AccountWithin => (typeof client_id === 'string' ? { client_id } : 'system')

/** The items that were given until then. */
async function* dueOf<T>({ left, givenAt }: Revocation<T>, context: AccountContext, { user_id, client_id }: Asked, until: string) {
  for await (const item of left(context, user_id, client_id ?? undefined)) if (givenAt(item) <= until) yield item
}

/** Takes away, one by one, what a user had when it was asked for. */
export interface Revoking {
  readonly job: DurableJob<AccountContext, typeof asked>
  /** Starts the job, for a flow that was permitted. Throws `Denied`, or `VersionConflict`, where a job that was waited for ended early. */
  start(context: AccountContext, user_id: string, within: AccountWithin, wait: boolean): Promise<void>
}

/**
 * The durable job of a revocation. If the user who asked for it loses the permission, it ends, and the audit says so; a user's own is taken away all the
 * same, since a user who asked to be signed out must not be signed in again by being enabled.
 */
export function revokingAll<T>(revocation: Revocation<T>): Revoking {
  const { flow, needs, revoke } = revocation
  const written = job({
    name: flow,
    flow,
    input: asked,
    subject: ({ user_id }) => `USER#${user_id}`,
    within: scopeOf,
    needs: [needs],
    each: (context, input, { createdAt }) => dueOf(revocation, context, input, givenUntil(createdAt)),
    does: (acting, item, _input, { createdAt }) => revoke(acting, item, givenUntil(createdAt)),
    // Somebody else took it away, or its user or scope is on the way out and takes it along.
    passesOver: ['NotFound', 'BeingDeleted'],
    whenDenied: ({ caller: { actor } }, { user_id }) => (actor.kind === 'user' && actor.user_id === user_id ? 'continue-as-job' : 'stop'),
    stopped: (context, { user_id: id, client_id }, reason, running) =>
      recordAlone(byJob(context, running), { entity: User, id, tenant: client_id ?? undefined, status: 'failure', more: { reason } }),
  })
  return {
    job: written,
    start: async (context, user_id, within, wait) => {
      const until = givenUntil(context.unscoped.runtime.now().toISOString())
      const client_id = tenantOfWork(context, within)
      const input = { user_id, ...(client_id === undefined ? {} : { client_id }) }
      await written.start(context, input, { joins: true, wait })
      // An operator's job, and one of the caller's own, is not ended by a permission.
      const isDeniable = context.user !== undefined && context.user.id !== user_id
      if (!wait || !isDeniable) return
      for await (const _item of dueOf(revocation, context, input, until)) {
        await permittedToo(context, needs, within)
        const message = 'Not all was revoked: others changed it meanwhile, or its caller may not do so any more. The audit tells more.'
        throw new FreeholdError('VersionConflict', message, { entity: User.name, named: true })
      }
    },
  }
}
