import { FreeholdError } from '@freehold/table'
import { causeOfFault } from '../decision/fault.ts'
import type { Needs } from './flow.ts'
import { type ActingUser, denied, type FlowContext, type FlowHost, type FlowTable, type Within } from './flow-host.ts'
import { BasisChanged, type BasisItem, newBasis, type PermissionBasis } from './permission-basis.ts'

function basisOfTenant({ tenants }: FlowHost, tenant: string | undefined): readonly BasisItem[] {
  return tenants === undefined || tenant === undefined ? [] : [tenants.basis(tenant)]
}

/** A user's own is its own while its tenant is active. Throws `Denied`. */
async function permitOwn<T extends FlowTable, U extends ActingUser, S>(context: FlowContext<T, U, S>, user: U): Promise<void> {
  const { host, basis } = context
  basis?.add([host.basisOfUser(user)])
  const tenant = host.tenants?.ofUser(user)
  if (tenant === undefined) return
  basis?.add(basisOfTenant(host, tenant))
  await host.tenants?.check(context, tenant)
}

/** Where a permission is asked about: that for a user's own, where one is needed all the same, at the user's tenant. */
function scopeAsked<T extends FlowTable, U extends ActingUser, S>({ host, user }: FlowContext<T, U, S>, within: Within<S>): S | undefined {
  if (within !== 'own') return within === 'system' ? undefined : within
  const tenant = user === undefined ? undefined : host.tenants?.ofUser(user)
  return tenant === undefined ? undefined : host.tenants?.scope(tenant)
}

const isOwn = (needs: Needs) => needs === 'own' || (needs !== 'operator' && needs.own === true)

/**
 * Holds a calling user to its permission (spec rule 23), by a decision that reads everything; what that rests on joins the permission basis.
 * Throws `Denied`, and `Unavailable` where it could not be decided.
 */
export async function permit<T extends FlowTable, U extends ActingUser, S>(
  context: FlowContext<T, U, S>,
  needs: Needs,
  within: Within<S>,
): Promise<void> {
  const { host, user, flow, basis } = context
  if (user === undefined) return
  if (within === 'own' && isOwn(needs)) return permitOwn(context, user)
  const scope = scopeAsked(context, within)
  if (needs === 'operator' || needs === 'own' || scope === undefined)
    throw denied(flow, 'OperatorsOnly', `${flow} is here for operators only.`)
  const { question, level } = host.questionOf(user, needs, scope)
  const { allowed, reason, chains } = await context.decider().why(question, { consistency: 'strong' })
  // An undecided question is denied, and may be decided later: a durable job goes on then.
  if (reason?.kind === 'fault')
    throw new FreeholdError('Unavailable', reason.message, { flow, reason: reason.code }, { cause: causeOfFault(reason) })
  if (!allowed) {
    const { module, action, resource } = needs
    const message = `${flow} needs ${module}:${action}:${resource} at this ${level}. ${reason?.message ?? ''}`
    throw denied(flow, reason?.code ?? 'NoGrant', message)
  }
  const chain = (chains[0] ?? []).flatMap((evidence) => host.basisOf(evidence) ?? [])
  basis?.add([host.basisOfUser(user), ...basisOfTenant(host, host.tenants?.of(scope)), ...chain])
}

/** If the input asks for what another flow does, the caller needs that flow's permission, too. Each write rests on both. Throws `Denied`. */
export const permittedToo = permit

/** Others may change roles and grants meanwhile; more changes than these mean that somebody keeps a flow from ending. */
const attemptsMax = 20
const pauseMax_ms = 500

/**
 * Runs a flow that its caller is permitted. Where the permission basis changes before a write is applied, nothing was written, and all is decided
 * again; in the end `exhausted` gives the error. Throws `Denied`.
 */
export async function runPermitted<T extends FlowTable, U extends ActingUser, S, R>(
  context: FlowContext<T, U, S>,
  permitted: (basis: PermissionBasis) => Promise<void>,
  run: (basis: PermissionBasis) => Promise<R>,
  exhausted: () => FreeholdError,
): Promise<R> {
  const { host, user, unscoped, flow } = context
  for (let count = 1; ; count++) {
    const basis = newBasis()
    try {
      await permitted(basis)
      return await run(basis)
    } catch (error) {
      if (!(error instanceof BasisChanged) || user === undefined) throw error
      if (count === attemptsMax) throw exhausted()
      const now = await host.actingUser(unscoped, user.id)
      // The flow is at work within the tenant that the user belonged to.
      if (host.tenants?.ofUser(now) !== host.tenants?.ofUser(user))
        throw denied(flow, 'ForeignUser', 'This user is of another client by now.')
      if (count > 1) await unscoped.runtime.sleep(unscoped.runtime.random() * Math.min(pauseMax_ms, 2 ** count))
    }
  }
}

/** Does a piece of a durable job as the user who asked for it, as that is now. Throws `Denied`. */
async function actAgain<T extends FlowTable, U extends ActingUser, S, C extends FlowContext<T, U, S>, R>(
  context: C & FlowContext<T, U, S>,
  permitted: (acting: FlowContext<T, U, S>, user: U) => Promise<void>,
  run: (context: C) => Promise<R>,
): Promise<R> {
  const { actor } = context.caller
  if (actor.kind !== 'user') return run(context)
  const user = await context.host.actingUser(context.unscoped, actor.user_id)
  const acting = { ...context, user }
  return runPermitted(
    acting,
    (basis) => permitted({ ...acting, basis }, user),
    (basis) => run({ ...acting, basis }),
    // Nothing says that the caller may not: the job stays, and is gone on with later.
    () => new FreeholdError('Busy', 'What the permission for this rests on keeps changing.', { flow: context.flow }),
  )
}

/**
 * Does a piece of a flow's durable job. A calling user may have lost its permission since it started the job: it is decided again, and the writes
 * rest on it. Throws `Denied`.
 */
export async function permittedAgain<C extends FlowContext, R>(
  context: C,
  needs: Needs,
  within: Within<C extends FlowContext<FlowTable, ActingUser, infer S> ? S : never>,
  run: (context: C) => Promise<R>,
): Promise<R> {
  return actAgain(context, (acting) => permit(acting, needs, within), run)
}

/** The same for a piece that takes away the caller's own: caller and tenant need to be active, and nothing else. Throws `Denied`. */
export async function activeAgain<C extends FlowContext, R>(context: C, run: (context: C) => Promise<R>): Promise<R> {
  return actAgain(context, permitOwn, run)
}
