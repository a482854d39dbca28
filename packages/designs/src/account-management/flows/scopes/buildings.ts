import { count, creating, FreeholdError, flag, isFreeholdError, moving, uuid } from '@freehold/table'
import { changeItem, removeItem } from '../../../flow/change-item.ts'
import { changing, given } from '../../../flow/input-attributes.ts'
import { checkNamedVersion, liveItem } from '../../../flow/live-item.ts'
import { newItem, returnedItem } from '../../../flow/new-item.ts'
import { writeRecorded } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { itemOf, nothing } from '../../../flow/returns.ts'
import { Building } from '../../design.ts'
import { type AccountContext, type AccountScope, flow } from '../account-host.ts'
import { grantedAtScope } from '../assignments/granted-at-scope.ts'
import { checkAllHeld } from '../assignments/held.ts'
import { at } from '../needs.ts'
import { confirmedGrant, confirming } from '../roles/dangerous.ts'
import { buildingScope, projectScope } from '../scope.ts'

const named = { id: uuid(), version: count().optional() }
const described = [
  'name',
  'address',
  'city',
  'state',
  'country',
  'postal_code',
  'timezone',
  'square_footage',
  'floors',
  'year_built',
  'status',
  'geo_latitude',
  'geo_longitude',
] as const

/** What does not find the building where it was is told whether it is elsewhere by now: `VersionConflict`, and not `NotFound`. */
async function unlessMoved<R>(context: AccountContext, id: string, from: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (!isFreeholdError(error, 'NotFound') || (await buildingScope(context, id)).project_id === from) throw error
    throw new FreeholdError('VersionConflict', 'This building was moved meanwhile: read it again and decide anew.', {
      entity: Building.name,
    })
  }
}

export const createBuilding = flow({
  name: 'createBuilding',
  summary: 'Creates a building of a project.',
  input: { project_id: uuid(), ...given(Building, 'id', ...described) },
  needs: at('project', 'create', 'building'),
  effect: 'write',
  returns: itemOf(Building),
  scope: async (context, { project_id }) => projectScope(context, project_id),
  run: async (context, input, { client_id }) => {
    const after = newItem(context.table.runtime, Building, input)
    const entry = { entity: Building, id: String(after.id), tenant: client_id, after: { ...after, client_id } }
    const { building } = await writeRecorded(context, { building: creating(Building, after) }, entry)
    return returnedItem(Building, building)
  },
})

export const updateBuilding = flow({
  name: 'updateBuilding',
  summary: 'Changes a building: its name, address, status and the like.',
  input: { ...named, ...changing(Building, ...described) },
  needs: at('building', 'update', 'building'),
  effect: 'write',
  returns: itemOf(Building),
  scope: async (context, { id }) => buildingScope(context, id),
  run: async (context, { id, version, ...change }, { project_id }) =>
    unlessMoved(context, id, project_id, () => changeItem(context, Building, { project_id, id }, change, { version })),
})

/** Said before the design refuses it, which knows the building's client only as a copy that does not change. */
function checkSameClient(ours: string, theirs: string): void {
  if (ours === theirs) return
  const message = 'is a project of another client: a building moves within its client only'
  throw new FreeholdError('InvalidInput', `moveBuilding: project_id ${message}.`, { issues: [{ path: ['project_id'], message }] })
}

/**
 * Whoever has a role at a project has it at the buildings there: to move a building into it is to grant to each of them what the role grants,
 * at the building, as if it were assigned there. So the caller must hold all of that, and as long, where the building is before it moves (spec rule 23):
 * what the caller itself would gain is not enough to look at, since another, who does, may be its friend. Who is given a role at the project
 * between this look and the move is given it by somebody who held it there without the building.
 */
async function checkedMove(context: AccountContext, from: AccountScope, project_id: string, confirmed: boolean | null | undefined) {
  const there = await grantedAtScope(context, { client_id: from.client_id, scope_type: 'project', scope_id: project_id })
  await checkAllHeld(context, there, from)
  const all = there.flatMap(({ granted }) => granted)
  return confirmedGrant(context, all, confirmed)
}

export const moveBuilding = flow({
  name: 'moveBuilding',
  summary:
    'Moves a building to another project of its client, with all that is in it; a user must hold there what the roles given at that project grant.',
  input: { ...named, project_id: uuid(), ...confirming },
  needs: at('client', 'move', 'building'),
  effect: 'write',
  returns: itemOf(Building),
  scope: async (context, { id }) => buildingScope(context, id),
  run: async (context, { id, project_id, version: asked, confirm_dangerous }, { client_id }) => {
    checkSameClient(client_id, (await projectScope(context, project_id)).client_id)
    return retryOnConflict(context.table.runtime, async () => {
      const from = await buildingScope(context, id)
      return unlessMoved(context, id, from.project_id, async () => {
        const before = await liveItem(context, Building, { project_id: from.project_id, id })
        checkNamedVersion(Building, before.version, asked)
        if (from.project_id === project_id) return before
        const confirmed = await checkedMove(context, from, project_id, confirm_dangerous)
        const steps = { building: moving(Building, { project_id: from.project_id, id }, { project_id }, { version: before.version }) }
        const entry = { entity: Building, id, tenant: client_id, before, after: { ...before, project_id }, ...confirmed }
        return returnedItem(Building, (await writeRecorded(context, steps, entry)).building)
      })
    })
  },
})

export const deleteBuilding = flow({
  name: 'deleteBuilding',
  summary: 'Deletes a building with its zones, devices, subscriptions, settings and assignments, by a durable job.',
  input: { ...named, wait: flag().optional() },
  needs: at('project', 'delete', 'building'),
  effect: 'write',
  returns: nothing,
  scope: async (context, { id }) => buildingScope(context, id),
  run: async (context, { id, version, wait }, { project_id }) =>
    unlessMoved(context, id, project_id, () => removeItem(context, Building, { project_id, id }, { version, wait })),
})
