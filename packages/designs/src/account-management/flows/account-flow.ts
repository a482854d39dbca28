import { type Attributes, FreeholdError } from '@freehold/table'
import type { Flow, Needs } from '../../flow/flow.ts'
import { type InputOf, readInput } from '../../flow/read-input.ts'
import { type AccountContext, behindWallOf } from './account-context.ts'
import type { Where } from './place.ts'
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

function denied(name: AccountFlowName, reason: string, message: string): FreeholdError {
  return new FreeholdError('Denied', message, { flow: name, reason })
}

/** What is a user's own is so while its client is active. Throws `Denied`. */
async function permitOwn({ table, user }: AccountContext, name: AccountFlowName): Promise<void> {
  if (user?.client_id === undefined) return
  const client = await table.Client.get({ id: user.client_id }, { consistent: true })
  if (client?.status !== 'active' || client.deleting !== undefined) throw denied(name, 'ClientNotActive', 'Your client is not active.')
}

/** Holds a user to its own permissions (spec rule 23), by a decision that reads everything. Throws `Denied`. */
async function permit(context: AccountContext, name: AccountFlowName, place: Where): Promise<void> {
  const { user, decider } = context
  if (user === undefined) return
  const needed: Needs = requiredPermissions[name]
  if (place === 'own' && needed !== 'operator' && needed.own === true) return permitOwn(context, name)
  if (needed === 'operator' || place === 'system' || place === 'own')
    throw denied(name, 'OperatorsOnly', `${name} is here for operators only.`)
  const { module, action, resource, at } = needed
  const { client_id, project_id, building_id } = place
  const question = {
    user: user.id,
    client: client_id,
    ...(at === 'client' || project_id === undefined ? {} : { project: project_id }),
    ...(at !== 'building' || building_id === undefined ? {} : { building: building_id }),
    permission: { module, action, resource },
  }
  const { allowed, reason } = await decider().can(question, { consistency: 'strong' })
  if (!allowed)
    throw denied(name, reason?.code ?? 'NoGrant', `${name} needs ${module}:${action}:${resource} at this ${at}. ${reason?.message ?? ''}`)
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
      await permit(context, name, place)
      const found: Where = place
      const isAtClient = found !== 'system' && found !== 'own'
      return written.run(isAtClient ? behindWallOf(context, found.client_id) : context, read, place)
    },
  })
}
