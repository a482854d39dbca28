import { FreeholdError } from '@freehold/table'
import type { AccountContext } from './account-context.ts'

/** Where a flow is at work: a client, one of its projects, one of that one's buildings. */
export interface Place {
  readonly client_id: string
  readonly project_id?: string
  readonly building_id?: string
}

/** `system`: of no client. `own`: the calling user's own, whichever client it is of. */
export type Where = Place | 'system' | 'own'

const consistent = { consistent: true }

/** What is there and stays; the rest is `NotFound` or `BeingDeleted`. */
export function standing<T extends { readonly deleting?: string }>(entity: string, id: string, found: T | undefined): T {
  if (found === undefined) throw new FreeholdError('NotFound', `There is no ${entity} ${id} here.`, { entity, id })
  if (found.deleting !== undefined)
    throw new FreeholdError('BeingDeleted', `This ${entity} is being deleted (job ${found.deleting}).`, { entity, id })
  return found
}

/** The client that a caller names, or its own (spec: omitting client_id means that, never the system). Throws `InvalidInput`. */
export function clientNamed({ user, table, flow }: AccountContext, client_id: string | null | undefined): string {
  const id = client_id ?? user?.client_id ?? table.runtime.tenant
  if (id !== undefined) return id
  const message = 'is missing: this caller has no client of its own'
  throw new FreeholdError('InvalidInput', `${flow}: client_id ${message}.`, { flow, issues: [{ path: ['client_id'], message }] })
}

export async function clientPlace({ table }: AccountContext, id: string): Promise<Place> {
  standing('Client', id, await table.Client.get({ id }, consistent))
  return { client_id: id }
}

export async function projectPlace({ table }: AccountContext, id: string): Promise<Required<Omit<Place, 'building_id'>>> {
  const { client_id } = standing('Project', id, await table.ProjectPlace.get({ id }, consistent))
  return { client_id, project_id: id }
}

export async function buildingPlace({ table }: AccountContext, id: string): Promise<Required<Place>> {
  const { client_id, project_id } = standing('Building', id, await table.BuildingPlace.get({ id }, consistent))
  // A copy that every building has.
  if (client_id === undefined)
    throw new FreeholdError('MalformedItem', 'This building does not say whose it is.', { entity: 'Building', id })
  return { client_id, project_id, building_id: id }
}

/** A user's client; an internal user is the system's. */
export async function userPlace({ table }: AccountContext, id: string): Promise<Place | 'system'> {
  const { client_id } = standing('User', id, await table.User.get({ id }, consistent))
  return client_id === undefined ? 'system' : { client_id }
}

/** The same for what is a user's, which may be the caller's own. */
export async function ownerPlace(context: AccountContext, user_id: string): Promise<Where> {
  return context.user?.id === user_id ? 'own' : userPlace(context, user_id)
}

export type ScopeType = 'client' | 'project' | 'building' | 'user'

/** The place of a scope, of which there is one of each id. */
export async function scopePlace(context: AccountContext, scope_type: ScopeType, scope_id: string): Promise<Where> {
  if (scope_type === 'client') return clientPlace(context, scope_id)
  if (scope_type === 'project') return projectPlace(context, scope_id)
  return scope_type === 'building' ? buildingPlace(context, scope_id) : ownerPlace(context, scope_id)
}
