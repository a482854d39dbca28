import { waiting } from '@freehold/frame/flow'
import { Location } from '../design.ts'
import { atLocation, inSystem, itemFlows } from './rebac-host.ts'

const locations = itemFlows(Location, { scope: atLocation })

/** The flows of locations: for operators. */
export const locationFlows = {
  createLocation: locations.create({
    name: 'createLocation',
    summary: 'Creates a location with a code that no other has.',
    given: ['locationId', 'locationCode', 'name', 'address'],
    needs: 'operator',
    scope: inSystem,
  }),
  updateLocation: locations.update({
    name: 'updateLocation',
    summary: 'Changes a location, also where its members show it. A new code replaces the old one at once.',
    may: ['locationCode', 'name', 'address'],
    needs: 'operator',
  }),
  deleteLocation: locations.remove({
    name: 'deleteLocation',
    summary: 'Deletes a location with its groups and memberships. From the start nothing is granted there.',
    input: waiting,
    needs: 'operator',
  }),
}
