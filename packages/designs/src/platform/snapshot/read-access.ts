import { fields, flag, listOf, type Reader, snapshotFields, text } from '../../decision/snapshot/read-snapshot.ts'
import { type AccessData, type AccessSnapshot, accessSnapshot } from './access-snapshot.ts'

const flags = { canView: flag, canCreate: flag, canEdit: flag, canDelete: flag }

const data: Reader<AccessData> = snapshotFields({
  'userId?': text,
  places: listOf(fields({ accountId: text, 'workstreamId?': text })),
  grants: listOf(fields({ menuKey: text, ...flags, 'evidence?': listOf(fields({ groupId: text, roleId: text, ...flags })) })),
})

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
