/** Cedar policies of authorization: the port that decides by them, and an engine within this process. */
export { localEngine } from './local-engine.ts'
export type {
  CedarEntity,
  CedarPolicy,
  CedarValue,
  EntityUid,
  PolicyAnswer,
  PolicyEngine,
  PolicyError,
  PolicyRequest,
} from './policy-engine.ts'
export type { PolicyFiles } from './policy-set.ts'
