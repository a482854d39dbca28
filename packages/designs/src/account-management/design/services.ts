import { uniqueName, untold } from '@freehold/frame/attributes'
import { dependingOn, entity, flag, instant, map, oneOf, stamp, text, uuid, verbatim } from '@freehold/table'
import { actor, created, ofScope } from './attributes.ts'
import { Client, User } from './people.ts'
import { BuildingPlace, ProjectPlace } from './places.ts'

// Modules and settings (entities 8-9)

export const ServiceSubscription = entity('ServiceSubscription', {
  attributes: {
    id: uuid().made().mayBeAbsent('scope and module name it'),
    client_id: uuid().from('scope_id').mayBeAbsent(ofScope),
    scope_type: oneOf('building', 'project'),
    scope_id: uuid(),
    module_id: uuid(),
    status: oneOf('active', 'expired', 'trial')
      .made(() => 'active')
      .mayBeAbsent('it is not known to be active: nobody is entitled by it'),
    tier: oneOf('standard', 'premium').default('standard'),
    start_date: instant().made().mayBeAbsent('it has begun'),
    end_date: instant().optional(),
    created_by: actor(),
    auto_renew: flag().default(false),
    usage_quota: map().optional(),
    ...created,
  },
  key: ['SCOPE#{scope_type}#{scope_id}', 'SUBSCRIPTION#{module_id}'],
  indexes: { GSI5: ['MODULE#{module_id}', 'SUBSCRIPTION#{scope_type}#{scope_id}'] },
  refers: { scope_id: dependingOn('scope_type', { project: ProjectPlace, building: BuildingPlace }) },
})

export const Setting = entity('Setting', {
  attributes: {
    id: uuid().made().mayBeAbsent('scope and key name it'),
    scope_type: oneOf('client', 'project', 'building', 'user'),
    scope_id: uuid(),
    client_id: uuid().from('scope_id', { Client: 'id' }).addition('tenant isolation needs it', ofScope),
    key: uniqueName,
    value: verbatim().mayBeAbsent('it sets nothing'),
    value_type: oneOf('string', 'number', 'boolean', 'json').default('string'),
    last_updated: stamp.onWrite().mayBeAbsent(untold),
    updated_by: actor(),
    is_overridable: flag().default(true),
    description: text().optional(),
  },
  key: ['SCOPE#{scope_type}#{scope_id}', 'SETTING#{key}'],
  refers: { scope_id: dependingOn('scope_type', { client: Client, project: ProjectPlace, building: BuildingPlace, user: User }) },
})
