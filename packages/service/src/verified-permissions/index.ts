/** Amazon Verified Permissions: an engine of policies, and the policy store that a folder is pushed to. */

export { type VerifiedPermissionsEngine, verifiedPermissions } from './engine.ts'
export { pulledFiles } from './pull.ts'
export { type PolicyRecords, type Pushed, type PushOptions, policyDrift, pushPolicies } from './push.ts'
export type { PolicyRecord, PushStep } from './push-plan.ts'
export type { StoreOptions } from './store-client.ts'
