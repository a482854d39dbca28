import { accessReader, fields, flag, listOf, type Reader, snapshotFields, text } from '@freehold/frame/snapshot'
import { type AccessData, accessSnapshot } from './access-snapshot.ts'

const flags = { canView: flag, canCreate: flag, canEdit: flag, canDelete: flag }

const data: Reader<AccessData> = snapshotFields({
  'userId?': text,
  places: listOf(fields({ accountId: text, 'workstreamId?': text })),
  grants: listOf(fields({ menuKey: text, ...flags, 'evidence?': listOf(fields({ groupId: text, roleId: text, ...flags })) })),
})

/** The snapshot that a service sent as JSON: it proves nothing (see `accessReader`). */
export const readAccess = accessReader(data, accessSnapshot)
