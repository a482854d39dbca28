import type { Entity } from '@freehold/table'
import { createdValues } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { accountManagement } from './design.ts'

/** The attributes of the requirements' entities 1-14 and of the table design's linkage, kinds and defaults aside. */
const documented: Readonly<Record<string, string>> = {
  Client: 'id name status created_at updated_at logo_url primary_contact_email primary_contact_name timezone billing_email address phone',
  Project: 'id client_id name description status created_at updated_at start_date end_date region owner_user_id',
  Building:
    'id project_id name address city state country postal_code timezone square_footage floors year_built created_at updated_at status geo_latitude geo_longitude',
  User: 'id client_id email status first_name last_name password_hash phone title department created_at updated_at last_login_at user_type invited_by invited_at mfa_enabled mfa_type mfa_secret password_last_changed_at',
  Role: 'id client_id name description is_system custom_template_id created_at updated_at created_by parent_role_id permissions',
  Permission: 'id module action resource description is_dangerous created_at updated_at',
  UserRoleAssignment: 'id user_id role_id scope_type scope_id created_at updated_at created_by expires_at start_at',
  ServiceSubscription:
    'id client_id scope_type scope_id module_id status tier start_date end_date created_at created_by auto_renew usage_quota',
  Setting: 'id scope_type scope_id key value value_type last_updated updated_by is_overridable description',
  Device:
    'id building_id name type manufacturer model serial_number location_description zone_id status created_at updated_at configuration last_seen_at',
  Zone: 'id building_id name description floor area_sqft type parent_zone_id created_at updated_at geo_json',
  // With the TTL attribute of the table design.
  AuditLog:
    'id user_id action entity_type entity_id timestamp client_id ip_address user_agent metadata status session_id severity related_entities expires_at',
  AuthToken: 'id user_id client_id token_type issued_at expires_at payload revoked revoked_at revoked_by device_id ip_address',
  LoginSession:
    'id user_id client_id sso_provider session_start session_end ip_address user_agent device_info mfa_verified location status expires_at',
  // role_id and permission_id are in its keys.
  RolePermissionLink: 'role_id permission_id module action resource granted_by granted_at',
}

/** Attributes that the documents do not have; each says why it is there. */
const added: Readonly<Record<string, string>> = {
  Client: 'identity_providers',
  Building: 'client_id',
  User: 'invitation_status invitation_expires_at unlinked_providers',
  Role: 'permission_form',
  UserRoleAssignment: 'role_owner client_id',
  Setting: 'client_id',
  Device: 'client_id',
  Zone: 'client_id',
  AuthToken: 'token_hash',
  RolePermissionLink: 'client_id',
}

/** The values that the documents give in brackets. */
const values: Readonly<Record<string, string>> = {
  'Client.status': 'active suspended',
  'Project.status': 'active completed on-hold',
  'Building.status': 'active inactive',
  'User.status': 'active disabled',
  'User.invitation_status': 'open accepted expired withdrawn', // an addition
  'User.user_type': 'internal client_admin external_customer external_tenant',
  'Role.permission_form': 'embedded linked', // an addition
  'UserRoleAssignment.scope_type': 'client project building',
  'ServiceSubscription.scope_type': 'building project',
  'ServiceSubscription.status': 'active expired trial',
  'ServiceSubscription.tier': 'standard premium',
  'Setting.scope_type': 'client project building user',
  'Setting.value_type': 'string number boolean json',
  'Device.type': 'hvac camera robot',
  'Device.status': 'active inactive',
  'Zone.type': 'office lobby utility',
  'AuditLog.status': 'success failure error',
  'AuditLog.severity': 'info warning critical',
  'AuthToken.token_type': 'JWT refresh api',
  'LoginSession.status': 'active expired revoked',
}

/** Attributes that are of another kind than text, as the documents say. */
const kinds: Readonly<Record<string, string>> = {
  day: 'Project.start_date Project.end_date',
  number: 'Building.square_footage Building.floors Building.year_built Building.geo_latitude Building.geo_longitude Zone.area_sqft',
  flag: 'User.mfa_enabled Role.is_system Permission.is_dangerous ServiceSubscription.auto_renew Setting.is_overridable AuthToken.revoked LoginSession.mfa_verified',
  map: 'ServiceSubscription.usage_quota Device.configuration Zone.geo_json AuditLog.metadata AuditLog.related_entities AuthToken.payload LoginSession.device_info',
  list: 'Client.identity_providers Role.permissions User.unlinked_providers',
}

const entityNamed = (name: string): Entity => {
  const entity = accountManagement.form.entities.get(name)
  if (entity === undefined) throw new Error(`no entity ${name}`)
  return entity
}
const words = (text = '') => text.split(' ').filter((word) => word !== '')
const attributes = Object.keys(documented).flatMap((name) =>
  Object.entries(entityNamed(name).attributes).map(([attribute, each]) => ({ path: `${name}.${attribute}`, ...each })),
)
/** Paths of what is kept under the name that the documents' word stands for. */
const ofKind = (...names: string[]) => attributes.filter(({ kind }) => names.includes(kind.name)).map(({ path }) => path)

describe('every entity of the documents', () => {
  test.each(Object.entries(documented))('%s has each of its attributes, and no other without a reason', (name, text) => {
    const own = Object.entries(entityNamed(name).attributes)
    const [theirs, ours] = [own.filter(([, { why }]) => why === undefined), own.filter(([, { why }]) => why !== undefined)]
    expect(theirs.map(([attribute]) => attribute).sort()).toEqual(words(text).sort())
    expect(ours.map(([attribute]) => attribute).sort()).toEqual(words(added[name]).sort())
  })

  test('is there, and every other one is an addition that says why', () => {
    const theirs = [...accountManagement.form.entities.values()].filter(({ form }) => form.addition === undefined)
    expect(theirs.map(({ name }) => name)).toEqual(Object.keys(documented))
  })
})

test('enumerations have the values of the documents', () => {
  const found = attributes.flatMap(({ path, kind: { domain } }) => (domain?.values === undefined ? [] : [[path, domain.values.join(' ')]]))
  expect(Object.fromEntries(found)).toEqual(values)
})

test.each(Object.entries(kinds))('each %s of the documents is one', (kind, paths) => {
  expect(ofKind(kind).sort()).toEqual(words(paths).sort())
})

test('each UUID of the documents is one: every id but those of machines', () => {
  const named = attributes.filter(({ path }) => /(\.|_)(id|by)$/.test(path)).map(({ path }) => path)
  expect(named.filter((path) => !ofKind('uuid').includes(path))).toEqual(['AuthToken.device_id'])
})

test('each ISO timestamp of the documents is one', () => {
  const named = attributes
    .filter(({ path }) => /(_at|timestamp|session_start|session_end|last_updated)$/.test(path))
    .map(({ path }) => path)
  const dates = ['ServiceSubscription.start_date', 'ServiceSubscription.end_date']
  expect(ofKind('instant').sort()).toEqual([...named, ...dates].sort())
})

test('secrets are what the specification calls so', () => {
  const secret = attributes.filter(({ isSecret }) => isSecret).map(({ path }) => path)
  expect(secret).toEqual(['User.password_hash', 'User.mfa_secret', 'AuthToken.token_hash'])
})

const id = '00000000-0000-4000-8000-000000000001'
const making = { now: new Date('2026-01-31T09:30:00.000Z'), uuid: () => id, ulid: () => '' }
const now = '2026-01-31T09:30:00.000Z'
const stamps = { created_at: now, updated_at: now }

test.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
  ['Client', { name: 'Acme' }, { id, status: 'active', timezone: 'UTC', ...stamps }],
  ['Project', { client_id: id, name: 'Harbour' }, { id, status: 'active', ...stamps }],
  ['Building', { project_id: id, name: 'Pier' }, { id, status: 'active', ...stamps }],
  ['User', { email: 'ada@example.org', user_type: 'internal' }, { id, status: 'active', mfa_enabled: false, ...stamps }],
  ['Role', { name: 'Manager' }, { id, is_system: false, permission_form: 'embedded', permissions: [], ...stamps }],
  ['Permission', { module: 'devices', action: 'read', resource: '*' }, { id, is_dangerous: false, ...stamps }],
  ['UserRoleAssignment', { user_id: id, role_id: id, role_owner: 'SYSTEM', scope_type: 'client', scope_id: id }, { id, ...stamps }],
  [
    'ServiceSubscription',
    { scope_type: 'building', scope_id: id, module_id: id },
    { id, status: 'active', tier: 'standard', auto_renew: false, start_date: now, created_at: now },
  ],
  [
    'Setting',
    { scope_type: 'user', scope_id: id, key: 'theme', value: '' },
    { id, value_type: 'string', is_overridable: true, last_updated: now },
  ],
  ['Device', { building_id: id, name: 'Fan', type: 'hvac' }, { id, status: 'active', ...stamps }],
  ['Zone', { building_id: id, name: 'Lobby', type: 'lobby' }, { id, ...stamps }],
  ['AuditLog', { action: 'login' }, { id, timestamp: now, status: 'success', severity: 'info', expires_at: '2027-01-31T09:30:00.000Z' }],
  ['AuthToken', { user_id: id, token_type: 'JWT' }, { id, issued_at: now, revoked: false, expires_at: '2026-03-02T09:30:00.000Z' }],
  [
    'LoginSession',
    { user_id: id },
    { id, session_start: now, mfa_verified: false, status: 'active', expires_at: '2026-05-01T09:30:00.000Z' },
  ],
  ['RolePermissionLink', { role_id: id, permission_id: id }, { granted_at: now }],
])('a new %s needs %j only; the rest is made, or absent', (name, given, made) => {
  const entity = entityNamed(name)
  expect(createdValues(entity, given, making)).toEqual({ ...given, ...made })
  for (const left of Object.keys(given)) {
    expect(() => createdValues(entity, { ...given, [left]: undefined }, making)).toThrow(expect.objectContaining({ code: 'InvalidInput' }))
  }
})
