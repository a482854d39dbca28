import { FreeholdError } from '@freehold/table'
import { checkAdopted, invalidInput, parallel } from '@freehold/table/runtime'
import { requireLive } from '../../flow/items/live-item.ts'
import type { AccountContext, AccountScope, AccountWithin } from './account-host.ts'

const consistent = { consistent: true }

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

// What another program wrote has no place. Within a client it is found all the same: a project by its key, a building by GSI1, each read consistently.

/** Throws `NotAdopted` where no client is known in which what has no place could be looked for. */
async function checkPlaced({ table: { runtime } }: AccountContext): Promise<void> {
  if (runtime.tenant === undefined) await checkAdopted(runtime, 'The client of a bare id is told by its place')
}

export async function projectScope(context: AccountContext, id: string): Promise<Required<Omit<AccountScope, 'building_id'>>> {
  const { table } = context
  const { tenant } = table.runtime
  const place = await table.ProjectPlace.get({ id }, consistent)
  const unplaced = place === undefined && tenant !== undefined ? await table.Project.get({ client_id: tenant, id }, consistent) : undefined
  if (place === undefined && unplaced === undefined) await checkPlaced(context)
  const { client_id } = requireLive('Project', id, place ?? unplaced)
  return { client_id, project_id: id }
}

async function unplacedBuilding({ table }: AccountContext, id: string) {
  const { tenant: client_id } = table.runtime
  const [found] = client_id === undefined ? [] : (await table.buildingOfClient({ client_id, id })).items
  if (client_id === undefined || found === undefined) return undefined
  const { project_id } = found
  const [project, building] = await parallel(
    () => table.Project.get({ client_id, id: project_id }, consistent),
    () => table.Building.get({ project_id, id }, consistent),
  )
  return project === undefined || building === undefined ? undefined : { ...building, client_id }
}

export async function buildingScope(context: AccountContext, id: string): Promise<Required<AccountScope>> {
  const place = await context.table.BuildingPlace.get({ id }, consistent)
  const building = place ?? (await unplacedBuilding(context, id))
  if (building === undefined) await checkPlaced(context)
  const { client_id, project_id } = requireLive('Building', id, building)
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
