import { count, fields, instant, listOf, oneOf, type Reader, refuse, snapshotFields, text } from '../../decision/snapshot/read-snapshot.ts'
import type { AccessData } from './access-data.ts'
import { type AccessSnapshot, accessSnapshot } from './access-snapshot.ts'

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const id: Reader<string> = (path, value) =>
  typeof value === 'string' && uuidForm.test(value) ? value : refuse(path, 'is not a UUID in lower case')

const scopeFields = fields({ client_id: id, 'project_id?': id, 'building_id?': id })
const scope: typeof scopeFields = (path, value) => {
  const read = scopeFields(path, value)
  return read.building_id !== undefined && read.project_id === undefined ? refuse(path, 'has a building without its project') : read
}

const evidence = fields({
  role_id: id,
  role_owner: text,
  'roles?': listOf(fields({ role_id: id, version: count })),
  assignments: listOf(
    fields({ scope_type: oneOf('client', 'project', 'building'), scope_id: id, 'start_at?': instant, 'expires_at?': instant }),
  ),
})

const grant = fields({
  permissions: listOf(fields({ module: text, action: text, resource: text })),
  scopes: listOf(scope),
  'evidence?': evidence,
})

const data: Reader<AccessData> = snapshotFields({ 'user_id?': id, 'place?': scope, grants: listOf(grant) })

/**
 * The snapshot that a service sent as JSON, for showing and hiding what a user may do. It proves nothing: its holder can write another,
 * so a service asks `can` and takes none back.
 * @param json as `JSON.parse` or `fetch` gave it
 * @param clock `now_ms`: milliseconds since the epoch by the service's clock, within which the snapshot holds; `Date.now` unless given
 * @throws TypeError for anything that is no snapshot of this format
 */
export function readAccess(json: unknown, { now_ms = Date.now }: { readonly now_ms?: () => number } = {}): AccessSnapshot {
  return accessSnapshot(data('it', json), now_ms)
}
