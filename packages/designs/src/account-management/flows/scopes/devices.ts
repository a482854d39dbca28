import {
  given,
  itemOf,
  liveItem,
  naming,
  readErrors,
  retryOnConflict,
  returnedItem,
  writeRecorded,
  writeUnrecorded,
} from '@freehold/frame/flow'
import { FreeholdError, instant, updating } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { Device, Zone } from '../../design.ts'
import { type AccountContext, type AccountScope, flow, itemFlows } from '../account-host.ts'
import * as needs from '../needs.ts'
import { buildingScope } from '../scope.ts'

const described = ['manufacturer', 'model', 'serial_number', 'location_description', 'configuration'] as const

const scope = async (context: AccountContext, { building_id }: { readonly building_id: string }): Promise<Required<AccountScope>> =>
  buildingScope(context, building_id)
const device = itemFlows(Device, { scope })

/** A zone that is not there, in words: its key says nothing to the caller who named it. */
function missingZone(error: FreeholdError, { zone_id }: { readonly zone_id?: string | null | undefined }): FreeholdError {
  if (error.code !== 'MissingEnd' || error.details.entity !== Zone.name) return error
  const message = `This building has no zone ${zone_id}, or it is being deleted.`
  return new FreeholdError('MissingEnd', message, { entity: Zone.name, id: zone_id }, { cause: error })
}

const createDevice = device.create({
  name: 'createDevice',
  summary: 'Creates a device of a building, perhaps in one of its zones.',
  given: ['building_id', 'id', 'name', 'type', 'zone_id', 'status', ...described],
  needs: needs.at('building', 'create', 'device'),
  scope,
  refusal: (error, { input }) => missingZone(error, input),
})

const updateDevice = device.update({
  name: 'updateDevice',
  summary: 'Changes what is said of a device: its name, type, status, configuration and the like.',
  may: ['name', 'type', 'status', ...described],
  needs: needs.at('building', 'update', 'device'),
})

const assignDeviceZone = device.update({
  name: 'assignDeviceZone',
  summary: 'Puts a device into a zone of its building, or out of all.',
  input: given(Device, 'zone_id'),
  needs: needs.at('building', 'update', 'device'),
  errors: ['MissingEnd'],
  change: ({ input: { zone_id = null } }) => ({ zone_id }),
  refusal: (error, { input }) => missingZone(error, input),
})

/**
 * A device says every few seconds that it is there: nobody decides that, and it is kept with the device, so that only the first time goes into
 * the audit, when the device turns up. What else a device is, its status included, is changed by those who may, and recorded each time.
 */
const deviceSeen = flow({
  name: 'deviceSeen',
  summary:
    'Notes when a device was seen: now, unless said otherwise. What is older than the last time changes nothing; the first is audited.',
  feature: 'devices',
  input: { ...naming(Device, 'building_id', 'id'), at: instant().optional() },
  needs: needs.at('building', 'report', 'device'),
  effect: 'write',
  returns: itemOf(Device),
  errors: readErrors,
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

const deleteDevice = device.remove({ name: 'deleteDevice', summary: 'Deletes a device.', needs: needs.deleteDevice })

export const deviceFlows = { createDevice, updateDevice, assignDeviceZone, deviceSeen, deleteDevice } as const
