// A browser imports this file, by @freehold/frame/snapshot: nothing of Node and nothing of a table.
import { accessReader, fields, listOf, type Reader, refuse, snapshotFields, text } from '../../decision/snapshot/read-snapshot.ts'
import { type AccessData, type AccessGrant, accessSnapshot } from './access-snapshot.ts'

export type { AccessData, AccessGrant, AccessSnapshot, GivingItem } from './access-snapshot.ts'

/** Evidence is for people: a snapshot answers without it. */
const evidence: Reader<AccessGrant['evidence']> = (path, value) =>
  typeof value === 'object' && value !== null ? (value as AccessGrant['evidence']) : refuse(path, 'is not an object')

const data: Reader<AccessData> = snapshotFields({
  'subject?': text,
  'place?': text,
  grants: listOf(fields({ place: text, actions: listOf(text), 'evidence?': evidence })) as Reader<AccessData['grants']>,
})

/** The snapshot that a service sent as JSON: it proves nothing (see `accessReader`). */
export const readAccess = accessReader(data, accessSnapshot)
