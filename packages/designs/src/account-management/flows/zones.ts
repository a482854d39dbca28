import { checking, count, creating, FreeholdError, flag, invalidInput, isFreeholdError, type Steps, updating, uuid } from '@freehold/table'
import { decideAnew } from '../../flow/decide-anew.ts'
import { changing, given } from '../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../flow/made-item.ts'
import { Zone } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { writeAudited } from './audited.ts'
import { changeAudited, checkNamedVersion, removeAudited } from './change-audited.ts'
import { buildingPlace, type Place, standing } from './place.ts'
import { ancestryOf, heightOf, zoneTree as treeOf, type ZoneItem, type ZoneNode } from './zone-tree.ts'

const feature = 'devices'
const named = { building_id: uuid(), id: uuid() }
const versioned = { ...named, version: count().optional() }
const described = ['description', 'floor', 'area_sqft', 'geo_json'] as const
/** So that a transaction can check all zones around one. */
const depthMax = 32

const place = async (context: AccountContext, { building_id }: { readonly building_id: string }): Promise<Required<Place>> =>
  buildingPlace(context, building_id)

/** All zones of a building, each as it is, but not as they were at one moment: who rests on one names its version. */
async function zonesOf({ table }: AccountContext, building_id: string): Promise<ReadonlyMap<string, ZoneItem>> {
  const zones = new Map<string, ZoneItem>()
  for await (const zone of table.zonesOfBuilding.all({ building_id }, { consistent: true })) zones.set(zone.id, zone)
  return zones
}

function refusedParent(flow: string, message: string): FreeholdError {
  return invalidInput(flow, [{ path: ['parent_zone_id'], message }], { flow })
}

/**
 * The zones around a new place, and the steps that hold a write to none of them moving meanwhile: two who move zones into each other at once
 * would otherwise both find that they may. Throws `NotFound`, `BeingDeleted`, `InvalidInput`.
 */
function aroundSteps(
  flow: string,
  zones: ReadonlyMap<string, ZoneItem>,
  parent_zone_id: string,
  moved: string | undefined,
  height: number,
): Steps {
  standing('Zone', parent_zone_id, zones.get(parent_zone_id))
  const { path, problem } = ancestryOf(zones, parent_zone_id)
  if (path.some(({ id }) => id === moved)) throw refusedParent(flow, 'is the zone itself, or lies in it')
  if (problem !== undefined) throw refusedParent(flow, problem === 'cycle' ? 'lies in itself' : 'lies in a zone that is not there')
  if (path.length + height > depthMax) throw refusedParent(flow, `would make the zones more than ${depthMax} deep`)
  return Object.fromEntries(
    path.map(({ building_id, id, parent_zone_id: above = null }, index) => [
      `around${index}`,
      checking(Zone, { building_id, id }, { where: { parent_zone_id: above } }),
    ]),
  )
}

export const createZone = accountFlow({
  name: 'createZone',
  summary: 'Creates a zone of a building, perhaps in another zone of it.',
  feature,
  input: { ...given(Zone, 'building_id', 'id', 'name', 'type', 'parent_zone_id', ...described) },
  place,
  run: async (context, input, { client_id }): Promise<ZoneItem> =>
    decideAnew(context.table.runtime, async () => {
      const { building_id, parent_zone_id } = input
      const steps =
        typeof parent_zone_id === 'string'
          ? aroundSteps('createZone', await zonesOf(context, building_id), parent_zone_id, undefined, 1)
          : {}
      const made = madeItem(context.table.runtime, Zone, input)
      const entry = { entity: Zone, id: String(made.id), client_id, after: { ...made, client_id } }
      return givenBack(Zone, (await writeAudited(context, { ...steps, zone: creating(Zone, made) }, entry)).zone)
    }),
})

export const updateZone = accountFlow({
  name: 'updateZone',
  summary: 'Changes what is said of a zone: its name, type, floor and the like.',
  feature,
  input: { ...versioned, ...changing(Zone, 'name', 'type', ...described) },
  place,
  run: async (context, { building_id, id, version, ...change }): Promise<ZoneItem> =>
    changeAudited(context, Zone, { building_id, id }, change, { version }),
})

export const moveZone = accountFlow({
  name: 'moveZone',
  summary: 'Moves a zone, with those in it, into another zone of its building, or out of all; never into itself.',
  feature,
  input: { ...versioned, ...given(Zone, 'parent_zone_id') },
  place,
  run: async (context, { building_id, id, version, parent_zone_id = null }, { client_id }): Promise<ZoneItem> =>
    decideAnew(context.table.runtime, async () => {
      const zones = await zonesOf(context, building_id)
      const before = standing('Zone', id, zones.get(id))
      checkNamedVersion(Zone, before.version, version)
      if ((before.parent_zone_id ?? null) === parent_zone_id) return before
      const around = parent_zone_id === null ? {} : aroundSteps('moveZone', zones, parent_zone_id, id, heightOf(zones, id))
      const { parent_zone_id: _above, ...rest } = before
      const after = parent_zone_id === null ? rest : { ...rest, parent_zone_id }
      const zone = updating(Zone, { building_id, id }, { parent_zone_id }, { version: before.version })
      const written = await writeAudited(context, { ...around, zone }, { entity: Zone, id, client_id, before, after })
      return givenBack(Zone, written.zone)
    }),
})

export const zoneTree = accountFlow({
  name: 'zoneTree',
  summary: 'The zones of a building as a tree; apart from it those that are in none, which only a foreign writer can have written.',
  feature,
  input: { building_id: uuid() },
  place,
  run: async (context, { building_id }): Promise<{ readonly zones: readonly ZoneNode[]; readonly astray: readonly ZoneItem[] }> => {
    const zones = [...(await zonesOf(context, building_id)).values()]
    return treeOf(
      zones.filter(({ deleting }) => deleting === undefined),
      depthMax,
    )
  },
})

/** What keeps a zone from going, with the way to go on. */
function stillUsed(error: FreeholdError): FreeholdError {
  return new FreeholdError('InUse', `${error.message} With \`cascade\` it goes along, with all that is in it.`, error.details, {
    cause: error,
  })
}

export const deleteZone = accountFlow({
  name: 'deleteZone',
  summary: 'Deletes a zone. One in which there are zones or devices is refused, or with `cascade` takes these along.',
  feature,
  input: { ...versioned, cascade: flag().optional(), wait: flag().optional() },
  place,
  run: async (context, { version, cascade, wait, ...id }): Promise<void> => {
    try {
      await removeAudited(context, Zone, id, { version, wait, inUse: cascade === true ? 'cascade' : undefined })
    } catch (error) {
      throw isFreeholdError(error, 'InUse') ? stillUsed(error) : error
    }
  },
})
