/** Amazon Verified Permissions: an engine of policies, and the policy store that a folder is pushed to. */

export { type VerifiedPermissionsEngine, verifiedPermissions } from './engine.ts'
export type { StoreOptions } from './store-client.ts'
