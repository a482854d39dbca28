import { FreeholdError } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import type { Reason } from '../../decision/decision.ts'
import { causeOfFault } from '../../decision/fault.ts'
import type { Needs } from '../flow.ts'
import { type ActingUser, denied, type FlowContext, type FlowHost, type ScopeOf, type Within } from '../flow-host.ts'
import { attemptsMax, pause } from '../retry-on-conflict.ts'
import { BasisChanged, type BasisItem, BasisRead, newBasis, type ReadChecks } from './permission-basis.ts'
import { neededFor } from './permission-table.ts'

function basisOfTenant({ tenants }: FlowHost, tenant: string | undefined): readonly BasisItem[] {
  return tenants === undefined || tenant === undefined ? [] : [tenants.basis(tenant)]
}

/** A user's own is its own while its tenant is active. Throws `Denied`. */
async function permitOwn(context: FlowContext, user: ActingUser): Promise<void> {
  const { host, basis } = context
  const tenant = host.tenants?.ofUser(user)
  basis?.add([host.basisOfUser(user), ...basisOfTenant(host, tenant)])
  if (tenant !== undefined) await host.tenants?.check(context, tenant)
}

/** The scope at which a permission is asked about. If the permission for a user's own is needed all the same, it is the user's tenant. */
function scopeAsked({ tenants }: FlowHost, user: ActingUser, within: unknown): unknown {
  if (within !== 'own') return within === 'system' ? undefined : within
  const tenant = tenants?.ofUser(user)
  return tenant === undefined ? undefined : tenants?.scope(tenant)
}

const isOwn = (needs: Needs) => needs === 'own' || (typeof needs === 'object' && needs.own === true)

/** A question that is undecided is no denial. It may be decided later: a durable job goes on then. */
export function undecided(flow: string, fault: Reason): FreeholdError {
  return new FreeholdError('Unavailable', fault.message, { flow, reason: fault.code }, { cause: causeOfFault(fault) })
}

/** What decides whether a caller may do something: a question, or nothing more. */
interface AskedPermission {
  readonly question: unknown
  /** What a no says, with the reason of the decision. */
  readonly refusal: (reason: Reason | undefined) => FreeholdError
  readonly scope: unknown
}

/** The question whether a caller may do something at a scope. Undefined if it may without one. Throws `Denied`. */
export async function permissionAsked<C extends FlowContext>(
  context: C,
  needs: Needs,
  within: Within<ScopeOf<C>>,
): Promise<AskedPermission | undefined> {
  const { host, user, flow, caller } = context
  if (user === undefined) {
    const { kind } = caller.actor
    if (kind !== 'identity-provider' || needs === (caller.person === undefined ? kind : 'person')) return undefined
    throw denied(flow, 'SignInOnly', 'An identity provider only signs people in.')
  }
  if (within === 'own' && isOwn(needs)) {
    await permitOwn(context, user)
    return undefined
  }
  const scope = scopeAsked(host, user, within)
  if (typeof needs === 'string' || scope === undefined) throw denied(flow, 'OperatorsOnly', `${flow} is here for operators only.`)
  const { question, level } = host.questionOf(user, needs, scope)
  const { module, action, resource } = needs
  const words = `${flow} needs ${module}:${action}:${resource} at this ${level}.`
  const refusal = (reason: Reason | undefined) => denied(flow, reason?.code ?? 'NoGrant', `${words} ${reason?.message ?? ''}`)
  return { question, refusal, scope }
}

/**
 * Holds a calling user to a permission (spec rule 23), by a decision that reads everything. The items that allow it join the permission basis: if the
 * input asks for what another flow does, each write rests on the permissions of both. Throws `Denied`, and `Unavailable` if it could not be decided.
 */
export async function permit<C extends FlowContext>(context: C, needs: Needs, within: Within<ScopeOf<C>>): Promise<void> {
  const { host, user, flow, basis } = context
  const asked = await permissionAsked(context, needs, within)
  if (asked === undefined || user === undefined) return
  const { allowed, reason, chains } = await context.decider().why(asked.question, { consistency: 'strong' })
  if (reason?.kind === 'fault') throw undecided(flow, reason)
  if (!allowed) throw asked.refusal(reason)
  const chain = (chains[0] ?? []).flatMap((evidence, _, all) => host.basisOf(evidence, all) ?? [])
  basis?.add([host.basisOfUser(user), ...basisOfTenant(host, host.tenants?.of(asked.scope)), ...chain])
}

/**
 * Runs what the caller is permitted. If the permission basis changes before a write is applied, nothing was written, and the engine decides again; in
 * the end `exhausted` gives the error. `ahead`: reads of a user's flow, side by side with the decision. Throws `Denied`.
 */
export async function runPermitted<C extends FlowContext, R>(
  context: C,
  needs: Needs,
  within: Within<ScopeOf<C>>,
  run: (context: C) => Promise<R>,
  exhausted: () => FreeholdError,
  ahead?: (context: C) => Promise<unknown> | undefined,
): Promise<R> {
  const { host, unscoped, flow } = context
  let { user } = context
  const read: ReadChecks = new Map()
  for (let count = 1; ; count++) {
    const acting = { ...context, user, basis: newBasis(read) }
    try {
      await parallel(
        () => permit(acting, needs, within),
        // It fails when its result is asked for.
        () => (user === undefined ? undefined : ahead?.(acting)?.catch(() => undefined)),
      )
      return await run(acting)
    } catch (error) {
      if (!(error instanceof BasisChanged) || user === undefined) throw error
      if (count === attemptsMax) throw exhausted()
      if (!(error instanceof BasisRead)) read.clear()
      unscoped.runtime.reads?.end()
      const now = await host.actingUser(unscoped, user.id)
      // The flow is at work within the tenant that the user belonged to.
      if (host.tenants?.ofUser(now) !== host.tenants?.ofUser(user))
        throw denied(flow, 'ForeignUser', 'This user is of another client by now.')
      user = now
      if (count > 1) await pause(unscoped.runtime, count)
    }
  }
}

/**
 * Does a piece of a flow's durable job. A calling user may have lost its permission since it started the job: it is decided again, and the writes
 * rest on it. Throws `Denied`.
 */
export async function permittedAgain<C extends FlowContext, R>(
  context: C,
  needs: Needs,
  within: Within<ScopeOf<C>>,
  run: (context: C) => Promise<R>,
): Promise<R> {
  const { host, unscoped, flow } = context
  const { actor } = context.caller
  if (actor.kind !== 'user') return run(context)
  const acting = { ...context, user: await host.actingUser(unscoped, actor.user_id) }
  // Nothing says that the caller may not: the job stays, and is continued later.
  const exhausted = () => new FreeholdError('Busy', 'What the permission for this rests on keeps changing.', { flow })
  return runPermitted(acting, neededFor(host, flow, needs), within, run, exhausted)
}
