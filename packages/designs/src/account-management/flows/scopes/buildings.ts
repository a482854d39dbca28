import {
  askedVersion,
  changeErrors,
  checkNamedVersion,
  itemOf,
  liveItem,
  retryOnConflict,
  returnedItem,
  waiting,
  writeRecorded,
} from '@freehold/frame/flow'
import { FreeholdError, isFreeholdError, moving, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { Building } from '../../design.ts'
import { type AccountContext, type AccountScope, flow, itemFlows } from '../account-host.ts'
import { checkHeld } from '../assignments/grant-ceiling.ts'
import { grantedAtScope } from '../assignments/granted-at-scope.ts'
import { at } from '../needs.ts'
import { confirmedGrant, confirming } from '../roles/dangerous.ts'
import { buildingScope, projectScope } from '../scope.ts'

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

const building = itemFlows(Building, { named: ['id'], scope: async (context, { id }) => buildingScope(context, id) })

/** A building that is not found in its project may have been moved: `VersionConflict`, and not `NotFound`. */
async function unlessMoved(
  error: FreeholdError,
  context: AccountContext,
  id: string,
  { project_id }: { readonly project_id: string },
): Promise<FreeholdError> {
  if (error.code !== 'NotFound') return error
  // Where it was before tells nothing now.
  context.table.runtime.reads?.end()
  const { project_id: now } = await buildingScope(context, id)
  // It may have come back.
  if (now === project_id && (await context.table.Building.get({ project_id, id }, { consistent: true })) === undefined) return error
  const message = 'This building was moved meanwhile: read it again and decide anew.'
  return new FreeholdError('VersionConflict', message, { entity: Building.name })
}

const createBuilding = building.create({
  name: 'createBuilding',
  summary: 'Creates a building of a project.',
  given: ['project_id', 'id', ...described],
  needs: at('project', 'create', 'building'),
  scope: async (context, { project_id }) => projectScope(context, project_id),
})

const updateBuilding = building.update({
  name: 'updateBuilding',
  summary: 'Changes a building: its name, address, status and the like.',
  may: described,
  needs: at('building', 'update', 'building'),
  refusal: async (error, { context, input, scope }) => unlessMoved(error, context, input.id, scope),
})

/** Said before the design refuses it, which knows the building's client only as a copy that does not change. */
function checkSameClient({ flow }: AccountContext, ours: string, theirs: string): void {
  const message = 'is a project of another client: a building moves within its client only'
  if (ours !== theirs) throw invalidInput(flow, [{ path: ['project_id'], message }])
}

/**
 * A user with a role at a project has the role at its buildings, too. So a move of a building into a project grants: the caller must hold all that
 * the roles there grant, and for as long, at the building before it moves (spec rule 23). The caller's own gain does not matter, since another
 * user who gains may be its friend. Roles that are assigned at the project between this read and the move are not checked: their givers held them.
 */
async function checkedMove(context: AccountContext, from: AccountScope, project_id: string, confirmed: boolean | null | undefined) {
  const there = await grantedAtScope(context, { client_id: from.client_id, scope_type: 'project', scope_id: project_id })
  await checkHeld(context, there, from)
  const all = there.flatMap(({ granted }) => granted)
  return confirmedGrant(context, all, confirmed)
}

const moveBuilding = flow({
  name: 'moveBuilding',
  summary:
    'Moves a building to another project of its client, with all that is in it; a user must hold there what the roles given at that project grant.',
  input: { id: uuid(), version: askedVersion, project_id: uuid(), ...confirming },
  needs: at('client', 'move', 'building'),
  effect: 'write',
  returns: itemOf(Building),
  errors: changeErrors,
  scope: async (context, { id }) => buildingScope(context, id),
  run: async (context, { id, project_id, version: asked, confirm_dangerous }, { client_id }) => {
    checkSameClient(context, client_id, (await projectScope(context, project_id)).client_id)
    return retryOnConflict(context.table.runtime, async () => {
      const from = await buildingScope(context, id)
      try {
        const before = await liveItem(context, Building, { project_id: from.project_id, id })
        checkNamedVersion(Building, before.version, asked)
        if (from.project_id === project_id) return before
        const confirmed = await checkedMove(context, from, project_id, confirm_dangerous)
        const steps = { building: moving(Building, { project_id: from.project_id, id }, { project_id }, { version: before.version }) }
        const entry = { entity: Building, id, tenant: client_id, before, after: { ...before, project_id }, ...confirmed }
        return returnedItem(Building, (await writeRecorded(context, steps, entry)).building)
      } catch (error) {
        throw isFreeholdError(error) ? await unlessMoved(error, context, id, from) : error
      }
    })
  },
})

const deleteBuilding = building.remove({
  name: 'deleteBuilding',
  summary: 'Deletes a building with its zones, devices, subscriptions, settings and assignments, by a durable job.',
  input: waiting,
  needs: at('project', 'delete', 'building'),
  refusal: async (error, { context, input, scope }) => unlessMoved(error, context, input.id, scope),
})

export const buildingFlows = { createBuilding, updateBuilding, moveBuilding, deleteBuilding } as const
