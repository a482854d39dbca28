import { type Attributes, FreeholdError } from '@freehold/table'
import type { Flow } from '../../flow/flow.ts'
import { type InputOf, readInput } from '../../flow/read-input.ts'
import { type AccountContext, behindWallOf } from './account-context.ts'
import type { Place } from './place.ts'
import { type AccountFlowName, requiredPermissions } from './required-permissions.ts'

/** A flow of account-management as it is written. */
export interface AccountFlow<N extends AccountFlowName, I extends Attributes, R> {
  readonly name: N
  readonly summary: string
  readonly input: I
  readonly feature?: string
  /**
   * Where the caller must be allowed to do this, read consistently; `system` for what belongs to no client, which only operators write.
   * Throws `NotFound` for a place that is not there.
   */
  place(context: AccountContext, input: InputOf<I>): Promise<Place | 'system'>
  /** Called only once the caller is allowed to, behind the wall of the place's client where the caller is a user. */
  run(context: AccountContext, input: InputOf<I>, place: Place | 'system'): Promise<R>
}

function denied(name: AccountFlowName, reason: string, message: string): FreeholdError {
  return new FreeholdError('Denied', message, { flow: name, reason })
}

/** Holds a user to its own permissions (spec rule 23), by a decision that reads everything. Throws `Denied`. */
async function permit({ user, decider }: AccountContext, name: AccountFlowName, place: Place | 'system'): Promise<void> {
  if (user === undefined) return
  const needed = requiredPermissions[name]
  if (needed === 'operator' || place === 'system') throw denied(name, 'OperatorsOnly', `${name} is here for operators only.`)
  const { module, action, resource, at } = needed
  const { client_id, project_id, building_id } = place
  const question = {
    user: user.id,
    client: client_id,
    ...(at === 'client' || project_id === undefined ? {} : { project: project_id }),
    ...(at !== 'building' || building_id === undefined ? {} : { building: building_id }),
    permission: { module, action, resource },
  }
  const { allowed, reason } = await decider.can(question, { consistency: 'strong' })
  if (!allowed)
    throw denied(name, reason?.code ?? 'NoGrant', `${name} needs ${module}:${action}:${resource} at this ${at}. ${reason?.message ?? ''}`)
}

/** Makes a flow: its input is validated, its place found and its caller held to what `required-permissions.ts` says, before it runs. */
export function accountFlow<const N extends AccountFlowName, I extends Attributes, R>(
  written: AccountFlow<N, I, R>,
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
      return written.run(place === 'system' ? context : behindWallOf(context, place.client_id), read, place)
    },
  })
}
