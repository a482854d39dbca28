/** Cedar policies, of any design or program: the port that decides by them, and an engine within this process. */

export { loadCedar } from './cedar.ts'
export { cedarProblem } from './cedar-value.ts'
export { engineOf, localEngine } from './local-engine.ts'
export { type PackedPolicies, packPolicies } from './packed-policies.ts'
export { isPolicyFile, linksFile, policiesOf, policyFiles, type ReplaceablePolicies } from './policies-of.ts'
export type {
  CedarEntity,
  CedarPolicy,
  CedarValue,
  EntityUid,
  PolicyAnswer,
  PolicyEngine,
  PolicyError,
  PolicyRequest,
  PolicySchema,
  PolicySource,
} from './policy-engine.ts'
export { type PolicyFiles, type PolicyLink, type PolicySet, parsePolicies, readPolicySet, schemaFile } from './policy-set.ts'
export { entitiesNamed, type ReadPolicy, readPolicies } from './read-policies.ts'
export { schemaFromJson, schemaToJson } from './schema-form.ts'
