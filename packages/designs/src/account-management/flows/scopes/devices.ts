import { count, creating, FreeholdError, type Item, instant, isFreeholdError, updating, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { decideAnew } from '../../../flow/decide-anew.ts'
import { changing, given } from '../../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../../flow/made-item.ts'
import { writeWhole } from '../../../flow/write-whole.ts'
import { Device, Zone } from '../../design.ts'
import type { AccountContext } from '../account-context.ts'
import { accountFlow } from '../account-flow.ts'
import { writeAudited } from '../audited.ts'
import { changeAudited, removeAudited, standingItem } from '../change-audited.ts'
import { besideOf } from '../grounds.ts'
import { buildingPlace, type Place } from '../place.ts'

export type DeviceItem = Item<typeof Device>

const feature = 'devices'
const named = { building_id: uuid(), id: uuid() }
const versioned = { ...named, version: count().optional() }
const described = ['manufacturer', 'model', 'serial_number', 'location_description', 'configuration'] as const

const place = async (context: AccountContext, { building_id }: { readonly building_id: string }): Promise<Required<Place>> =>
  buildingPlace(context, building_id)

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

export const createDevice = accountFlow({
  name: 'createDevice',
  summary: 'Creates a device of a building, perhaps in one of its zones.',
  feature,
  input: given(Device, 'building_id', 'id', 'name', 'type', 'zone_id', 'status', ...described),
  place,
  run: async (context, input, { client_id }): Promise<DeviceItem> => {
    const made = madeItem(context.table.runtime, Device, input)
    const entry = { entity: Device, id: String(made.id), client_id, after: { ...made, client_id } }
    const steps = { device: creating(Device, made) }
    return givenBack(Device, (await inZone(input.zone_id, () => writeAudited(context, steps, entry))).device)
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
    inZone(zone_id, () => changeAudited(context, Device, { building_id, id }, { zone_id }, { version })),
})

/**
 * A device says every few seconds that it is there: nobody decides that, and it is kept with the device, so that only the first time goes into
 * the audit, when the device turns up. What else a device is, its status included, is changed by those who may, and recorded each time.
 */
export const deviceSeen = accountFlow({
  name: 'deviceSeen',
  summary:
    'Notes when a device was seen: now, unless said otherwise. What is older than the last time changes nothing; the first is audited.',
  feature,
  input: { ...named, at: instant().optional() },
  place,
  run: async (context, { at, ...id }): Promise<DeviceItem> => {
    const now = context.table.runtime.now().toISOString()
    const last_seen_at = at ?? now
    if (last_seen_at > now) throw invalidInput(context.flow, [{ path: ['at'], message: 'is not past yet' }])
    return decideAnew(context.table.runtime, async () => {
      const before = await standingItem(context, Device, id)
      if (before.last_seen_at !== undefined && before.last_seen_at >= last_seen_at) return before
      const steps = { device: updating(Device, id, { last_seen_at }, { version: before.version }) }
      const { device } =
        before.last_seen_at === undefined
          ? await writeAudited(context, steps, {
              entity: Device,
              id: id.id,
              client_id: before.client_id,
              before,
              after: { ...before, last_seen_at },
            })
          : await writeWhole(context.table, steps, { grounds: besideOf(context) })
      return givenBack(Device, device)
    })
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
