import {
  accessReader,
  count,
  fields,
  flag,
  instant,
  listOf,
  oneOf,
  type Reader,
  refuse,
  snapshotFields,
  text,
} from '@freehold/frame/snapshot'
import type { AccessData } from './access-data.ts'
import { accessSnapshot } from './access-snapshot.ts'

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
    fields({
      ...{ scope_type: oneOf('client', 'project', 'building'), scope_id: id },
      ...{ 'start_at?': instant, 'expires_at?': instant, 'says_owner?': flag },
    }),
  ),
})

const grant = fields({
  permissions: listOf(fields({ module: text, action: text, resource: text })),
  scopes: listOf(scope),
  'evidence?': evidence,
})

const data: Reader<AccessData> = snapshotFields({ 'user_id?': id, 'place?': scope, grants: listOf(grant) })

/** The snapshot that a service sent as JSON: it proves nothing (see `accessReader`). */
export const readAccess = accessReader(data, accessSnapshot)
