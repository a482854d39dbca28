import type { Permission } from '../permission/permission.ts'
import {
  type AccessData,
  type AccessEvidence,
  type AccessGrant,
  accessFormat,
  type GivingAssignment,
  type GivingRole,
  type ScopeIds,
} from './access-data.ts'
import { type AccessSnapshot, accessSnapshot } from './access-snapshot.ts'

type Fields = Readonly<Record<string, unknown>>

function refuse(path: string, problem: string): never {
  throw new TypeError(`This is no snapshot of access: ${path} ${problem}.`)
}

/** An object with these fields and no others; those that end in `?` may be absent. */
function fieldsAt(path: string, value: unknown, names: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(path, 'is not an object')
  const known = new Set(names.map((name) => name.replace('?', '')))
  const foreign = Object.keys(value).find((name) => !known.has(name))
  if (foreign !== undefined) refuse(path, `has a field that it should not have, ${JSON.stringify(foreign)}`)
  const missing = names.find((name) => !name.endsWith('?') && !Object.hasOwn(value, name))
  if (missing !== undefined) refuse(path, `has no ${missing}`)
  // What is inherited is not read: each field that is asked for below is its own, or absent.
  return Object.assign(Object.create(null), value) as Fields
}

function listAt<T>(path: string, value: unknown, read: (path: string, each: unknown) => T): readonly T[] {
  if (!Array.isArray(value)) refuse(path, 'is not a list')
  return value.map((each: unknown, index) => read(`${path}.${index}`, each))
}

function textAt(path: string, value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : refuse(path, 'is no text')
}

function countAt(path: string, value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : refuse(path, 'is no count')
}

function oneAt<const T extends string>(path: string, value: unknown, values: readonly T[]): T {
  return values.find((one) => one === value) ?? refuse(path, `is none of ${values.join(', ')}`)
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function idAt(path: string, value: unknown): string {
  return typeof value === 'string' && uuidForm.test(value) ? value : refuse(path, 'is not a UUID in lower case')
}

const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

function instantAt(path: string, value: unknown): string {
  const isInstant = typeof value === 'string' && instantForm.test(value) && !Number.isNaN(Date.parse(value))
  return isInstant ? value : refuse(path, 'is not an instant in UTC')
}

/** A field that may be absent, under its name. */
function optionalAt<N extends string, T>(
  path: string,
  fields: Fields,
  name: N,
  read: (path: string, value: unknown) => T,
): { [K in N]?: T } {
  // One field of the name that the type has.
  return (fields[name] === undefined ? {} : { [name]: read(`${path}.${name}`, fields[name]) }) as { [K in N]?: T }
}

function placeAt(path: string, value: unknown): ScopeIds {
  const fields = fieldsAt(path, value, ['client_id', 'project_id?', 'building_id?'])
  const { building_id } = optionalAt(path, fields, 'building_id', idAt)
  const { project_id } = optionalAt(path, fields, 'project_id', idAt)
  if (building_id !== undefined && project_id === undefined) refuse(path, 'has a building without its project')
  return {
    client_id: idAt(`${path}.client_id`, fields.client_id),
    ...(project_id === undefined ? {} : { project_id }),
    ...(building_id === undefined ? {} : { building_id }),
  }
}

function permissionAt(path: string, value: unknown): Permission {
  const { module, action, resource } = fieldsAt(path, value, ['module', 'action', 'resource'])
  return {
    module: textAt(`${path}.module`, module),
    action: textAt(`${path}.action`, action),
    resource: textAt(`${path}.resource`, resource),
  }
}

function assignmentAt(path: string, value: unknown): GivingAssignment {
  const fields = fieldsAt(path, value, ['scope_type', 'scope_id', 'start_at?', 'expires_at?'])
  return {
    scope_type: oneAt(`${path}.scope_type`, fields.scope_type, ['client', 'project', 'building']),
    scope_id: idAt(`${path}.scope_id`, fields.scope_id),
    ...optionalAt(path, fields, 'start_at', instantAt),
    ...optionalAt(path, fields, 'expires_at', instantAt),
  }
}

function roleAt(path: string, value: unknown): GivingRole {
  const { role_id, version } = fieldsAt(path, value, ['role_id', 'version'])
  return { role_id: idAt(`${path}.role_id`, role_id), version: countAt(`${path}.version`, version) }
}

function evidenceAt(path: string, value: unknown): AccessEvidence {
  const fields = fieldsAt(path, value, ['role_id', 'role_owner', 'roles?', 'assignments'])
  const { role_id, role_owner, assignments } = fields
  return {
    role_id: idAt(`${path}.role_id`, role_id),
    role_owner: textAt(`${path}.role_owner`, role_owner),
    ...optionalAt(path, fields, 'roles', (at, roles) => listAt(at, roles, roleAt)),
    assignments: listAt(`${path}.assignments`, assignments, assignmentAt),
  }
}

function grantAt(path: string, value: unknown): AccessGrant {
  const fields = fieldsAt(path, value, ['permissions', 'scopes', 'evidence?'])
  return {
    permissions: listAt(`${path}.permissions`, fields.permissions, permissionAt),
    scopes: listAt(`${path}.scopes`, fields.scopes, placeAt),
    ...optionalAt(path, fields, 'evidence', evidenceAt),
  }
}

function reasonAt(path: string, value: unknown): NonNullable<AccessData['reason']> {
  const { kind, code, message } = fieldsAt(path, value, ['kind', 'code', 'message'])
  return {
    kind: oneAt(`${path}.kind`, kind, ['policy', 'unknown', 'fault']),
    code: textAt(`${path}.code`, code),
    message: textAt(`${path}.message`, message),
  }
}

function dataOf(json: unknown): AccessData {
  const path = 'it'
  const names = ['format', 'user_id?', 'issued_at', 'expires_at', 'place?', 'grants', 'reason?']
  const fields = fieldsAt(path, json, names)
  if (fields.format !== accessFormat) refuse(path, `is of another format than ${accessFormat}`)
  return {
    format: accessFormat,
    ...optionalAt(path, fields, 'user_id', idAt),
    issued_at: instantAt(`${path}.issued_at`, fields.issued_at),
    expires_at: instantAt(`${path}.expires_at`, fields.expires_at),
    ...optionalAt(path, fields, 'place', placeAt),
    grants: listAt(`${path}.grants`, fields.grants, grantAt),
    ...optionalAt(path, fields, 'reason', reasonAt),
  }
}

/**
 * The snapshot that a service sent as JSON, for showing and hiding what a user may do. It proves nothing: its holder can write another,
 * so a service asks `can` and takes none back.
 * @param json as `JSON.parse` or `fetch` gave it
 * @param clock `now_ms`: milliseconds since the epoch by the service's clock, within which the snapshot holds; `Date.now` unless given
 * @throws TypeError for anything that is no snapshot of this format
 */
export function readAccess(json: unknown, { now_ms = Date.now }: { readonly now_ms?: () => number } = {}): AccessSnapshot {
  return accessSnapshot(dataOf(json), now_ms)
}
