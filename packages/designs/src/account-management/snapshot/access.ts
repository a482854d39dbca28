// A browser imports this file, as @freehold/designs/account-management/access: nothing of Node and nothing of a table.
export type { Permission } from '../permission/permission.ts'
export type { AccessData, AccessGrant, GivingAssignment, ScopeIds } from './access-data.ts'
export type { AccessSnapshot } from './access-snapshot.ts'
export type { AskedScope } from './known-scopes.ts'
export { readAccess } from './read-access.ts'
