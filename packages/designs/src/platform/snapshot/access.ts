// A browser imports this file, as @freehold/designs/platform/access: nothing of Node and nothing of a table.

export type { AccessData, AccessGrant, AccessSnapshot, AskedPlace, GivingRole, PlaceIds } from './access-snapshot.ts'
export type { Action } from './menu-flags.ts'
export { readAccess } from './read-access.ts'
