// A browser imports this file, as @freehold/designs/platform/access: nothing of Node and nothing of a table.
export type { Action } from '../deciding/menu-flags.ts'
export type { AccessData, AccessGrant, AccessSnapshot, AskedPlace, GivingRole, PlaceIds } from './access-snapshot.ts'
export { readAccess } from './read-access.ts'
