/** The policies of authorization: the room `cedar`, a folder to begin with, and cases. */

export * from '@freehold/frame/cedar'
export { checkPolicies, type PolicyCheck, type PolicyFolder } from './check-policies.ts'
export type { CaseResult, PolicyCase } from './policy-case.ts'
export { starterFiles } from './starter.ts'
