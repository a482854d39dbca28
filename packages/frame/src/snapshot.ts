/** What a browser reads an answer of access by: nothing of Node and nothing of a table. */

export { readAccess } from './access/snapshot/access.ts'
export type { AccessData, AccessGrant, AccessSnapshot, GivingItem } from './access/snapshot/access-snapshot.ts'
export {
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
} from './decision/snapshot/read-snapshot.ts'
export { accessFormat, inTime, type SnapshotData } from './decision/snapshot/snapshot-data.ts'
