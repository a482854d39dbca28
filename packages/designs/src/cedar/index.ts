/** Cedar policies, of any design or program: the port that decides by them, and an engine within this process. */

export { cedarProblem } from './cedar-value.ts'
export { localEngine } from './local-engine.ts'
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
export { type PolicyFiles, type PolicyLink, type PolicySet, readPolicySet, schemaFile } from './policy-set.ts'
export { entitiesNamed, type ReadPolicy, readPolicies } from './read-policies.ts'
export { schemaFromJson, schemaToJson } from './schema-form.ts'
