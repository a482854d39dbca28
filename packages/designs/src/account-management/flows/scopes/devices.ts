import { count, creating, FreeholdError, type Item, instant, isFreeholdError, updating, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { changeItem, removeItem } from '../../../flow/change-item.ts'
import { changing, given } from '../../../flow/input-attributes.ts'
import { liveItem } from '../../../flow/live-item.ts'
import { newItem, returnedItem } from '../../../flow/new-item.ts'
import { writeRecorded, writeUnrecorded } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { itemOf, nothing } from '../../../flow/returns.ts'
import { Device, Zone } from '../../design.ts'
import { type AccountContext, type AccountScope, flow } from '../account-host.ts'
import * as needs from '../needs.ts'
import { at } from '../needs.ts'
import { buildingScope } from '../scope.ts'

export type DeviceItem = Item<typeof Device>

const feature = 'devices'
const named = { building_id: uuid(), id: uuid() }
const versioned = { ...named, version: count().optional() }
const described = ['manufacturer', 'model', 'serial_number', 'location_description', 'configuration'] as const

const scope = async (context: AccountContext, { building_id }: { readonly building_id: string }): Promise<Required<AccountScope>> =>
  buildingScope(context, building_id)

/** A zone that is not there, in words: its key says nothing to whoever named it. */
async function inZone<R>(zone_id: string | null | undefined, write: () => Promise<R>): Promise<R> {
  try {
    return await write()
  } catch (error) {
    if (!isFreeholdError(error, 'MissingEnd') || error.details.entity !== Zone.name) throw error
    const message = `This building has no zone ${zone_id}, or it is being deleted.`
    throw new FreeholdError('MissingEnd', message, { entity: Zone.name, id: zone_id }, { cause: error })
  }
}

export const createDevice = flow({
  name: 'createDevice',
  summary: 'Creates a device of a building, perhaps in one of its zones.',
  feature,
  input: given(Device, 'building_id', 'id', 'name', 'type', 'zone_id', 'status', ...described),
  needs: at('building', 'create', 'device'),
  effect: 'write',
  returns: itemOf(Device),
  scope,
  run: async (context, input, { client_id }) => {
    const made = newItem(context.table.runtime, Device, input)
    const entry = { entity: Device, id: String(made.id), tenant: client_id, after: { ...made, client_id } }
    const steps = { device: creating(Device, made) }
    return returnedItem(Device, (await inZone(input.zone_id, () => writeRecorded(context, steps, entry))).device)
  },
})

export const updateDevice = flow({
  name: 'updateDevice',
  summary: 'Changes what is said of a device: its name, type, status, configuration and the like.',
  feature,
  input: { ...versioned, ...changing(Device, 'name', 'type', 'status', ...described) },
  needs: at('building', 'update', 'device'),
  effect: 'write',
  returns: itemOf(Device),
  scope,
  run: async (context, { building_id, id, version, ...change }) => changeItem(context, Device, { building_id, id }, change, { version }),
})

export const assignDeviceZone = flow({
  name: 'assignDeviceZone',
  summary: 'Puts a device into a zone of its building, or out of all.',
  feature,
  input: { ...versioned, ...given(Device, 'zone_id') },
  needs: at('building', 'update', 'device'),
  effect: 'write',
  returns: itemOf(Device),
  scope,
  run: async (context, { building_id, id, version, zone_id = null }) =>
    inZone(zone_id, () => changeItem(context, Device, { building_id, id }, { zone_id }, { version })),
})

/**
 * A device says every few seconds that it is there: nobody decides that, and it is kept with the device, so that only the first time goes into
 * the audit, when the device turns up. What else a device is, its status included, is changed by those who may, and recorded each time.
 */
export const deviceSeen = flow({
  name: 'deviceSeen',
  summary:
    'Notes when a device was seen: now, unless said otherwise. What is older than the last time changes nothing; the first is audited.',
  feature,
  input: { ...named, at: instant().optional() },
  needs: at('building', 'report', 'device'),
  effect: 'write',
  returns: itemOf(Device),
  scope,
  run: async (context, { at, ...id }) => {
    const now = context.table.runtime.now().toISOString()
    const last_seen_at = at ?? now
    if (last_seen_at > now) throw invalidInput(context.flow, [{ path: ['at'], message: 'is not past yet' }])
    return retryOnConflict(context.table.runtime, async () => {
      const before = await liveItem(context, Device, id)
      if (before.last_seen_at !== undefined && before.last_seen_at >= last_seen_at) return before
      const steps = { device: updating(Device, id, { last_seen_at }, { version: before.version }) }
      const { device } =
        before.last_seen_at === undefined
          ? await writeRecorded(context, steps, {
              entity: Device,
              id: id.id,
              tenant: before.client_id,
              before,
              after: { ...before, last_seen_at },
            })
          : await writeUnrecorded(context, steps)
      return returnedItem(Device, device)
    })
  },
})

export const deleteDevice = flow({
  name: 'deleteDevice',
  summary: 'Deletes a device.',
  feature,
  input: versioned,
  needs: needs.deleteDevice,
  effect: 'write',
  returns: nothing,
  scope,
  run: async (context, { version, ...id }) => removeItem(context, Device, id, { version }),
})
