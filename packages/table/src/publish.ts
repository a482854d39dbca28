/** A design for people and for AWS: its page, the definition of its table, and what differs from a former version of it. */
export type { Affected, Difference, Effect } from './evolve/difference.ts'
export { differences } from './evolve/differences.ts'
export { type Lock, lockOf } from './evolve/lock.ts'
export { lockText, readLock } from './evolve/lock-text.ts'
export type { KindForm, PartForm } from './kind/kind.ts'
export { attributeWords, nameWords } from './publish/attribute-words.ts'
export { type CloudFormationTemplate, cloudFormation } from './publish/cloud-formation.ts'
export { hcl } from './publish/hcl.ts'
export {
  attributeSchema,
  boundSchema,
  itemSchema,
  type JsonSchema,
  keySchema,
  kindSchema,
  newItemSchema,
  objectSchema,
  orNull,
  type SchemaSide,
  typeName,
} from './publish/json-schema.ts'
export { describeDesign } from './publish/page/describe-design.ts'
export { kindWords } from './publish/page/kind-words.ts'
export { madeWords } from './publish/page/made-words.ts'
export { code as markdownCode, prose as markdownProse, table as markdownTable } from './publish/page/markdown.ts'
export { type TerraformBlock, type TerraformConfiguration, terraform } from './publish/terraform.ts'
