import { answerBytesMax, given, keptWithin, permit, readErrors, requireLive, shownOf, valuesOf, waiting } from '@freehold/frame/flow'
import { checking, FreeholdError, flag, isFreeholdError, list, map, type Steps, uuid } from '@freehold/table'
import { consistent, invalidInput } from '@freehold/table/runtime'
import { Zone } from '../../design.ts'
import { type AccountContext, type AccountScope, flow, itemFlows } from '../account-host.ts'
import * as needs from '../needs.ts'
import { buildingScope } from '../scope.ts'
import { ancestryOf, levelsOf, outlineOf, zoneTree as treeOf, type ZoneItem, type ZoneTree } from './zone-tree.ts'

const described = ['description', 'floor', 'area_sqft', 'geo_json'] as const
/** So that a transaction can check all zones around one. */
const depthMax = 32

const scope = async (context: AccountContext, { building_id }: { readonly building_id: string }): Promise<Required<AccountScope>> =>
  buildingScope(context, building_id)
const zone = itemFlows(Zone, { scope })

/**
 * Reads all zones of a building. It is no snapshot: a write that rests on a zone names its version. Throws `TooLarge`.
 * @param keep the part of a zone to keep; undefined: none
 */
async function zonesOf<K>(context: AccountContext, building_id: string, keep: (zone: ZoneItem) => K | undefined): Promise<readonly K[]> {
  const message = `The zones of this building are more than ${answerBytesMax} bytes together: zonesOfBuilding gives them a page at a time.`
  return keptWithin(context.flow, context.table.zonesOfBuilding.all({ building_id }, consistent), keep, message)
}

function refusedParent(flow: string, message: string): FreeholdError {
  return invalidInput(flow, [{ path: ['parent_zone_id'], message }], { flow })
}

/**
 * Checks a new parent, and gives the steps that check that no zone around it moves meanwhile: two callers that move zones into each other at once
 * would otherwise both find that they may.
 * @param heightOf how many levels come to lie beneath it, asked once the parent is known to be good
 * Throws `NotFound`, `BeingDeleted`, `InvalidInput`.
 */
async function aroundSteps(
  { flow, table }: AccountContext,
  building_id: string,
  parent_zone_id: string,
  moved: string | undefined,
  heightOf: () => Promise<number>,
): Promise<Steps> {
  const read = async (id: string) => {
    const zone = await table.Zone.get({ building_id, id }, consistent)
    return zone === undefined ? undefined : outlineOf(zone)
  }
  const { path, problem } = await ancestryOf(read, parent_zone_id, depthMax)
  requireLive('Zone', parent_zone_id, path[0])
  if (path.some(({ id }) => id === moved)) throw refusedParent(flow, 'is the zone itself, or lies in it')
  if (problem !== undefined) throw refusedParent(flow, problem === 'cycle' ? 'lies in itself' : 'lies in a zone that is not there')
  if (path.length + (await heightOf()) > depthMax) throw refusedParent(flow, `would make the zones more than ${depthMax} deep`)
  return Object.fromEntries(
    path.map(({ id, parent_zone_id: above = null }, index) => [
      `around${index}`,
      checking(Zone, { building_id, id }, { where: { parent_zone_id: above } }),
    ]),
  )
}

const createZone = zone.create({
  name: 'createZone',
  summary: 'Creates a zone of a building, perhaps in another zone of it.',
  given: ['building_id', 'id', 'name', 'type', 'parent_zone_id', ...described],
  needs: needs.at('building', 'create', 'zone'),
  scope,
  alongside: async ({ context, input: { building_id, parent_zone_id } }) =>
    typeof parent_zone_id === 'string' ? { steps: await aroundSteps(context, building_id, parent_zone_id, undefined, async () => 1) } : {},
})

const updateZone = zone.update({
  name: 'updateZone',
  summary: 'Changes what is said of a zone: its name, type, floor and the like.',
  may: ['name', 'type', ...described],
  needs: needs.at('building', 'update', 'zone'),
})

const moveZone = zone.update({
  name: 'moveZone',
  summary: 'Moves a zone, with those in it, into another zone of its building, or out of all; never into itself.',
  input: given(Zone, 'parent_zone_id'),
  needs: needs.at('building', 'update', 'zone'),
  errors: ['MissingEnd', 'TooLarge'],
  change: ({ input: { parent_zone_id = null } }) => ({ parent_zone_id }),
  alongside: async ({ context, input: { building_id, id, parent_zone_id } }) => {
    if (typeof parent_zone_id !== 'string') return {}
    const height = async () => levelsOf(await zonesOf(context, building_id, outlineOf), id).length
    return { steps: await aroundSteps(context, building_id, parent_zone_id, id, height) }
  },
})

const zoneTree = flow({
  name: 'zoneTree',
  summary: 'The zones of a building as a tree; apart from it those that are in none, which only a foreign writer can have written.',
  feature: 'devices',
  input: { building_id: uuid() },
  needs: needs.at('building', 'read', 'zone'),
  effect: 'read',
  returns: valuesOf<ZoneTree>({ zones: list(map()), astray: list(shownOf(Zone)) }),
  errors: [...readErrors, 'TooLarge'],
  scope,
  run: async (context, { building_id }) => {
    const zones = await zonesOf(context, building_id, (zone) => (zone.deleting === undefined ? zone : undefined))
    return treeOf(zones, depthMax)
  },
})

/** The error for a zone in use, with the way to go on. */
function stillUsed(error: FreeholdError): FreeholdError {
  return new FreeholdError('InUse', `${error.message} With \`cascade\` it goes along, with all that is in it.`, error.details, {
    cause: error,
  })
}

/** True for a zone with a device in it, or in a zone in it. */
async function hasDevices(context: AccountContext, building_id: string, id: string): Promise<boolean> {
  const going = new Set<string | undefined>(levelsOf(await zonesOf(context, building_id, outlineOf), id).flat())
  for await (const { zone_id } of context.table.devicesOfBuilding.all({ building_id }, consistent))
    if (zone_id !== undefined && going.has(zone_id)) return true
  return false
}

/**
 * Devices that go along are deleted, which needs the permission for that. A device that somebody puts in right after this look, before the zone is
 * marked as being deleted, goes along unasked: it has been put where things go.
 */
async function permittedDevices(context: AccountContext, at: Required<AccountScope>, id: string): Promise<void> {
  try {
    await permit(context, needs.deleteDevice, at)
  } catch (error) {
    if (!isFreeholdError(error, 'Denied') || (await hasDevices(context, at.building_id, id))) throw error
  }
}

const deleteZone = zone.remove({
  name: 'deleteZone',
  summary:
    'Deletes a zone. One in which there are zones or devices is refused, or with `cascade` takes these along, devices by those who may delete devices, too.',
  input: { cascade: flag().optional(), ...waiting },
  needs: needs.at('building', 'delete', 'zone'),
  errors: ['TooLarge'],
  cascades: ({ input }) => input.cascade === true,
  check: async ({ context, input, scope }) => (input.cascade === true ? permittedDevices(context, scope, input.id) : undefined),
  refusal: (error) => (error.code === 'InUse' ? stillUsed(error) : error),
})

export const zoneFlows = { createZone, updateZone, moveZone, zoneTree, deleteZone } as const
