/** Access at scopes that contain each other; `scopedAccessOf` says what follows from it. */
export type { AllHeld } from './held.ts'
export type { ScopedAsked, ScopeNeed } from './need.ts'
export type { Pattern } from './patterns.ts'
export type { Path } from './scope-chain.ts'
export type { ScopeFacts } from './scope-nodes.ts'
export type { ScopedWords } from './scoped.ts'
export { type ScopedAccess, type ScopedDecider, type ScopedDeclaration, type ScopedGrant, scopedAccessOf } from './scoped-access-of.ts'
export type { Assignment } from './situation.ts'
