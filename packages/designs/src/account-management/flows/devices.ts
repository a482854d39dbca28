import { count, creating, type Item, instant, invalidInput, uuid } from '@freehold/table'
import { changing, given } from '../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../flow/made-item.ts'
import { Device } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { writeAudited } from './audited.ts'
import { changeAudited, removeAudited } from './change-audited.ts'
import { buildingPlace, type Place } from './place.ts'

export type DeviceItem = Item<typeof Device>

const feature = 'devices'
const named = { building_id: uuid(), id: uuid() }
const versioned = { ...named, version: count().optional() }
const described = ['manufacturer', 'model', 'serial_number', 'location_description', 'configuration'] as const

const place = async (context: AccountContext, { building_id }: { readonly building_id: string }): Promise<Required<Place>> =>
  buildingPlace(context, building_id)

export const createDevice = accountFlow({
  name: 'createDevice',
  summary: 'Creates a device of a building, perhaps in one of its zones.',
  feature,
  input: given(Device, 'building_id', 'id', 'name', 'type', 'zone_id', 'status', ...described),
  place,
  run: async (context, input, { client_id }): Promise<DeviceItem> => {
    const made = madeItem(context.table.runtime, Device, input)
    const entry = { entity: Device, id: String(made.id), client_id, after: { ...made, client_id } }
    return givenBack(Device, (await writeAudited(context, { device: creating(Device, made) }, entry)).device)
  },
})

export const updateDevice = accountFlow({
  name: 'updateDevice',
  summary: 'Changes what is said of a device: its name, type, status, configuration and the like.',
  feature,
  input: { ...versioned, ...changing(Device, 'name', 'type', 'status', ...described) },
  place,
  run: async (context, { building_id, id, version, ...change }): Promise<DeviceItem> =>
    changeAudited(context, Device, { building_id, id }, change, { version }),
})

export const assignDeviceZone = accountFlow({
  name: 'assignDeviceZone',
  summary: 'Puts a device into a zone of its building, or out of all.',
  feature,
  input: { ...versioned, ...given(Device, 'zone_id') },
  place,
  run: async (context, { building_id, id, version, zone_id = null }): Promise<DeviceItem> =>
    changeAudited(context, Device, { building_id, id }, { zone_id }, { version }),
})

export const deviceSeen = accountFlow({
  name: 'deviceSeen',
  summary: 'Notes when a device was seen: now, unless said otherwise. What is older than the last time changes nothing.',
  feature,
  input: { ...named, at: instant().optional() },
  place,
  run: async (context, { at, ...id }): Promise<DeviceItem> => {
    const now = context.table.runtime.now().toISOString()
    const last_seen_at = at ?? now
    if (last_seen_at > now) throw invalidInput(context.flow, [{ path: ['at'], message: 'is not past yet' }])
    return changeAudited(context, Device, id, ({ last_seen_at: known }) =>
      known !== undefined && known >= last_seen_at ? {} : { last_seen_at },
    )
  },
})

export const deleteDevice = accountFlow({
  name: 'deleteDevice',
  summary: 'Deletes a device.',
  feature,
  input: versioned,
  place,
  run: async (context, { version, ...id }): Promise<void> => removeAudited(context, Device, id, { version }),
})
