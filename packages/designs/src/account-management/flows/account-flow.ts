import { type Attributes, FreeholdError, type Item } from '@freehold/table'
import { causeOfFault } from '../../decision/fault.ts'
import type { Flow, Needs } from '../../flow/flow.ts'
import { type InputOf, readInput } from '../../flow/read-input.ts'
import { withPending } from '../../flow/with-pending.ts'
import { GroundsChanged } from '../../flow/write-whole.ts'
import type { User } from '../design.ts'
import { type AccountContext, actingUser, inTenantScopeOf } from './account-context.ts'
import { chainGrounds, clientGround, type Grounds, newGrounds, userGround } from './grounds.ts'
import type { Place, Where } from './place.ts'
import { type AccountFlowName, requiredPermissions } from './required-permissions.ts'

/** A flow of account-management as it is written. */
export interface AccountFlow<N extends AccountFlowName, I extends Attributes, P extends Where, R> {
  readonly name: N
  readonly summary: string
  readonly input: I
  readonly feature?: string
  /**
   * Where the caller must be allowed to do this, read consistently; `system` for what belongs to no client, which only operators write;
   * `own` for what is the calling user's own.
   * Throws `NotFound` for a place that is not there.
   */
  place(context: AccountContext, input: InputOf<I>): Promise<P>
  /** Called only once the caller is allowed to, behind the wall of the place's client where the caller is a user. */
  run(context: AccountContext, input: InputOf<I>, place: P): Promise<R>
}

function denied(flow: string, reason: string, message: string): FreeholdError {
  return new FreeholdError('Denied', message, { flow, reason })
}

/** What is a user's own is so while its client is active. Throws `Denied`. */
async function permitOwn({ table, flow, grounds }: AccountContext, user: Item<typeof User>): Promise<void> {
  grounds?.add([userGround(user)])
  const { client_id } = user
  if (client_id === undefined) return
  grounds?.add([clientGround(client_id)])
  const client = await table.Client.get({ id: client_id }, { consistent: true })
  if (client?.status !== 'active' || client.deleting !== undefined) throw denied(flow, 'ClientNotActive', 'Your client is not active.')
}

/** What is a user's own and needs a permission all the same needs it at the user's client. */
function placeNeeding({ user }: AccountContext, where: Where): Place | undefined {
  if (where === 'system') return undefined
  if (where !== 'own') return where
  return user?.client_id === undefined ? undefined : { client_id: user.client_id }
}

/** A place as far as a permission that is needed at a level is asked about there: at a scope, as far as the scope goes. */
function placeAsked({ client_id, project_id, building_id }: Place, at: string) {
  const project = at === 'client' ? undefined : project_id
  const building = at === 'client' || at === 'project' ? undefined : building_id
  return {
    place: { client: client_id, ...(project === undefined ? {} : { project }), ...(building === undefined ? {} : { building }) },
    level: building !== undefined ? 'building' : project !== undefined ? 'project' : 'client',
  }
}

/** Holds a user to what a flow needs (spec rule 23), by a decision that reads everything; what it rests on becomes its grounds. Throws `Denied`. */
async function permit(context: AccountContext, name: AccountFlowName, where: Where): Promise<void> {
  const { user, decider, flow, grounds } = context
  if (user === undefined) return
  const needed: Needs = requiredPermissions[name]
  if (where === 'own' && (needed === 'own' || (needed !== 'operator' && needed.own === true))) return permitOwn(context, user)
  const needing = placeNeeding(context, where)
  if (needed === 'operator' || needed === 'own' || needing === undefined)
    throw denied(flow, 'OperatorsOnly', `${flow} is here for operators only.`)
  const { module, action, resource, at } = needed
  const { place, level } = placeAsked(needing, at)
  const question = { user: user.id, ...place, permission: { module, action, resource } }
  const { allowed, reason, chains } = await decider().why(question, { consistency: 'strong' })
  // What could not be decided is denied, and may be decided later: a durable job goes on then.
  if (reason?.kind === 'fault')
    throw new FreeholdError('Unavailable', reason.message, { flow, reason: reason.code }, { cause: causeOfFault(reason) })
  if (!allowed) {
    const message = `${flow} needs ${module}:${action}:${resource} at this ${level}. ${reason?.message ?? ''}`
    throw denied(flow, reason?.code ?? 'NoGrant', message)
  }
  grounds?.add([userGround(user), clientGround(needing.client_id), ...chainGrounds(chains[0] ?? [])])
}

/** For a flow whose input asks for what is another's to do: holds a user to what that one needs, too. Each write rests on both. Throws `Denied`. */
export async function permittedToo(context: AccountContext, name: AccountFlowName, where: Where): Promise<void> {
  await permit(context, name, where)
}

/** Others may take roles away and give them anew, and write the roles that one has; more often means that somebody keeps a flow from ending. */
const attemptsMax = 20
const pauseMax_ms = 500

/**
 * Runs a flow that its caller is permitted. Where what that rests on has changed before a write was applied, nothing was written, and all is decided
 * anew, and in the end what `exhausted` gives is thrown. Throws `Denied`.
 */
async function runPermitted<R>(
  context: AccountContext,
  permitted: (grounds: Grounds) => Promise<void>,
  run: (grounds: Grounds) => Promise<R>,
  exhausted: () => FreeholdError,
): Promise<R> {
  const { user, whole, flow } = context
  for (let count = 1; ; count++) {
    const grounds = newGrounds()
    try {
      await permitted(grounds)
      return await run(grounds)
    } catch (error) {
      if (!(error instanceof GroundsChanged) || user === undefined) throw error
      if (count === attemptsMax) throw exhausted()
      const { client_id } = await actingUser(whole, user.id)
      // The flow is at work behind the wall of the client that the user was of.
      if (client_id !== user.client_id) throw denied(flow, 'ForeignUser', 'This user is of another client by now.')
      if (count > 1) await whole.runtime.sleep(whole.runtime.random() * Math.min(pauseMax_ms, 2 ** count))
    }
  }
}

/** Does a piece of a durable job as the user who asked for it, as that is now. Throws `Denied`. */
async function actAgain<R>(
  context: AccountContext,
  permitted: (acting: AccountContext, user: Item<typeof User>) => Promise<void>,
  run: (context: AccountContext) => Promise<R>,
): Promise<R> {
  const { actor } = context.caller
  if (actor.kind !== 'user') return run(context)
  const user = await actingUser(context.whole, actor.user_id)
  const acting = { ...context, user }
  return runPermitted(
    acting,
    (grounds) => permitted({ ...acting, grounds }, user),
    (grounds) => run({ ...acting, grounds }),
    // Nothing says that the caller may not: the job stays, and is gone on with later.
    () => new FreeholdError('Busy', 'What the permission for this rests on keeps changing.', { flow: context.flow }),
  )
}

/**
 * Does a piece of a flow's durable job. A caller that is a user may have lost its permission since it started the job: it is asked for anew, and the
 * writes rest on it. Throws `Denied`.
 */
export async function permittedAgain<R>(
  context: AccountContext,
  name: AccountFlowName,
  where: Where,
  run: (context: AccountContext) => Promise<R>,
): Promise<R> {
  return actAgain(context, (acting) => permit(acting, name, where), run)
}

/** The same for a piece that takes away what is the caller's own: it needs to be active, as its client, and nothing else. Throws `Denied`. */
export async function activeAgain<R>(context: AccountContext, run: (context: AccountContext) => Promise<R>): Promise<R> {
  return actAgain(context, permitOwn, run)
}

/** Makes a flow: its input is validated, its place found and its caller held to what `required-permissions.ts` says, before it runs. */
export function accountFlow<const N extends AccountFlowName, I extends Attributes, const P extends Where, R>(
  written: AccountFlow<N, I, P, R>,
): Flow<AccountContext, I, R> & { readonly name: N } {
  const { name, summary, input, feature } = written
  const needs = requiredPermissions[name]
  return Object.freeze({
    name,
    summary,
    input,
    needs,
    ...(feature === undefined ? {} : { feature }),
    run: async (context: AccountContext, raw: InputOf<I>) => {
      const read = readInput(name, input, raw)
      // Whether a place is there is nothing for a user who may not do this anywhere.
      if (needs === 'operator') await permit(context, name, 'system')
      const place = await written.place(context, read)
      const found: Where = place
      const isAtClient = found !== 'system' && found !== 'own'
      const within = isAtClient ? inTenantScopeOf(context, found.client_id) : context
      return withPending(() =>
        runPermitted(
          context,
          (grounds) => permit({ ...context, grounds }, name, place),
          (grounds) => written.run({ ...within, grounds }, read, place),
          () => denied(name, 'GroundsChanged', 'What your permission for this rests on keeps changing.'),
        ),
      )
    },
  })
}
