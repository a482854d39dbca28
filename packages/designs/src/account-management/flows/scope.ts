import { requireLive } from '@freehold/frame/flow'
import { FreeholdError, uuid } from '@freehold/table'
import { consistent, invalidInput } from '@freehold/table/runtime'
import type { AccountContext, AccountScope, AccountWithin } from './account-host.ts'

/** The client in the input of a flow, which `clientNamed` reads. */
export const askedClient = uuid().optional().describe('The client. Unless given: the caller’s own client.')

/**
 * The client that a caller names, or its own (spec: omitting client_id means that, never the system). Throws `InvalidInput`.
 * @param hint what else the caller may mean, for the error
 */
export function clientNamed({ user, table, flow }: AccountContext, client_id: string | null | undefined, hint = ''): string {
  const id = client_id ?? user?.client_id ?? table.runtime.tenant
  if (id !== undefined) return id
  throw invalidInput(flow, [{ path: ['client_id'], message: `is missing: this caller has no client of its own${hint}` }], { flow })
}

export async function clientScope({ table }: AccountContext, id: string): Promise<AccountScope> {
  requireLive('Client', id, await table.Client.get({ id }, consistent))
  return { client_id: id }
}

/** Throws `NotAdopted` for what may have no place, where no client is known in which it could be looked for. */
export async function projectScope({ table }: AccountContext, id: string): Promise<Required<Omit<AccountScope, 'building_id'>>> {
  const { client_id } = requireLive('Project', id, await table.ProjectPlace.get({ id }, consistent))
  return { client_id, project_id: id }
}

/** Throws `NotAdopted`, as `projectScope` does. */
export async function buildingScope({ table }: AccountContext, id: string): Promise<Required<AccountScope>> {
  const { client_id, project_id } = requireLive('Building', id, await table.BuildingPlace.get({ id }, consistent))
  // A copy that every building has.
  if (client_id === undefined)
    throw new FreeholdError('MalformedItem', 'This building does not say whose it is.', { entity: 'Building', id })
  return { client_id, project_id, building_id: id }
}

/** A user's client; an internal user is the system's. */
export async function userScope({ table }: AccountContext, id: string): Promise<AccountScope | 'system'> {
  const { client_id } = requireLive('User', id, await table.User.get({ id }, consistent))
  return client_id === undefined ? 'system' : { client_id }
}

/** The same for a user's own items, which may be the caller's own. */
export async function ownerScope(context: AccountContext, user_id: string): Promise<AccountWithin> {
  return context.user?.id === user_id ? 'own' : userScope(context, user_id)
}

export type ScopeType = 'client' | 'project' | 'building' | 'user'

/** The scope of a type and id, of which there is one. */
export async function scopeNamed(context: AccountContext, scope_type: ScopeType, scope_id: string): Promise<AccountWithin> {
  if (scope_type === 'client') return clientScope(context, scope_id)
  if (scope_type === 'project') return projectScope(context, scope_id)
  return scope_type === 'building' ? buildingScope(context, scope_id) : ownerScope(context, scope_id)
}
