import { untold } from '@freehold/frame/attributes'
import { count, day, entity, instant, map, mirror, number, oneOf, text, uuid } from '@freehold/table'
import { ofParent, stamps } from './attributes.ts'
import { Client, User } from './people.ts'

// Projects and buildings (entities 2-3)

export const Project = entity('Project', {
  attributes: {
    id: uuid().made(),
    client_id: uuid(),
    name: text().mayBeAbsent(untold),
    description: text().optional(),
    status: oneOf('active', 'completed', 'on-hold').default('active'),
    start_date: day().optional(),
    end_date: day().optional(),
    region: text().optional(),
    owner_user_id: uuid().optional(),
    ...stamps,
  },
  key: ['CLIENT#{client_id}', 'PROJECT#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'PROJECT#{id}'], GSI4: ['CLIENT#{client_id}', 'PROJECT#{created_at}'] },
  refers: { client_id: Client, owner_user_id: { to: User, onRemove: 'refuse' } },
  fixed: ['client_id'],
})
export const ProjectPlace = mirror('ProjectPlace', Project, ['PROJECT#{id}', 'METADATA'], [], { why: 'from a bare id to its client' })
export const OwnedProject = mirror('OwnedProject', Project, ['OWNED_PROJECTS#{owner_user_id}', 'PROJECT#{id}'], [], {
  why: 'a user who owns projects does not go',
})

export const Building = entity('Building', {
  attributes: {
    id: uuid().made(),
    project_id: uuid(),
    client_id: uuid().from('project_id').addition('its keys in GSI1 and GSI4 need it', ofParent),
    name: text().mayBeAbsent(untold),
    address: text().optional(),
    city: text().optional(),
    state: text().optional(),
    country: text().optional(),
    postal_code: text().optional(),
    timezone: text().optional(),
    square_footage: number({ min: 0 }).optional(),
    floors: count().optional(),
    year_built: number({ integer: true }).optional(),
    status: oneOf('active', 'inactive').default('active'),
    geo_latitude: number({ min: -90, max: 90 }).optional(),
    geo_longitude: number({ min: -180, max: 180 }).optional(),
    ...stamps,
  },
  key: ['PROJECT#{project_id}', 'BUILDING#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'BUILDING#{id}'], GSI4: ['CLIENT#{client_id}', 'BUILDING#{created_at}'] },
  refers: { project_id: ProjectPlace },
  fixed: ['client_id'], // it moves within its client only
})
export const BuildingPlace = mirror('BuildingPlace', Building, ['BUILDING#{id}', 'METADATA'], ['client_id'], {
  why: 'from a bare id to its project and client',
})
export const ClientBuilding = mirror('ClientBuilding', Building, ['CLIENT_BUILDINGS#{client_id}', 'BUILDING#{project_id}#{id}'], [], {
  why: 'decisions list the buildings of a client in the order of its projects, which GSI1 does not, nor consistently',
})

// Zones and devices of a building (entities 10-11)

export const Zone = entity('Zone', {
  attributes: {
    id: uuid().made(),
    building_id: uuid(),
    client_id: uuid().from('building_id').addition('its key in GSI1 needs it', ofParent),
    name: text().mayBeAbsent(untold),
    description: text().optional(),
    floor: text().optional(),
    area_sqft: number({ min: 0 }).optional(),
    type: oneOf('office', 'lobby', 'utility').mayBeAbsent(untold),
    parent_zone_id: uuid().optional(),
    geo_json: map().optional(),
    ...stamps,
  },
  key: ['BUILDING#{building_id}', 'ZONE#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'ZONE#{id}'] },
  refers: { building_id: BuildingPlace, parent_zone_id: { to: 'itself', onRemove: 'refuse' } },
})

export const Device = entity('Device', {
  attributes: {
    id: uuid().made(),
    building_id: uuid(),
    client_id: uuid().from('building_id').addition('its key in GSI1 needs it', ofParent),
    name: text().mayBeAbsent(untold),
    type: oneOf('hvac', 'camera', 'robot').mayBeAbsent(untold),
    manufacturer: text().optional(),
    model: text().optional(),
    serial_number: text().optional(),
    location_description: text().optional(),
    zone_id: uuid().optional(),
    status: oneOf('active', 'inactive').default('active'),
    configuration: map().optional(),
    last_seen_at: instant().optional(),
    ...stamps,
  },
  key: ['BUILDING#{building_id}', 'DEVICE#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'DEVICE#{id}'] },
  refers: { building_id: BuildingPlace, zone_id: { to: Zone, onRemove: 'refuse' } },
})
