export type { Finding, FindingCode } from './analyse/finding.ts'
export type { PartitionHeat } from './analyse/heat.ts'
export type { PatternProof } from './analyse/pattern-proof.ts'
export { type Proof, prove } from './analyse/prove.ts'
export { describeProof } from './analyse/report.ts'
export type { CompiledPattern, Parameter } from './design/compiled-pattern.ts'
export { keyHoles } from './design/reference.ts'
export { type ClientOptions, isAwsEndpoint } from './dynamo/client.ts'
export { type OwnClient, type Sender, senderOf } from './dynamo/sender.ts'
export * from './errors.ts'
export { formatKey } from './key/format.ts'
export { compareKeys, type KeyRange, prefixRange } from './key/range.ts'
export { literalPrefix } from './key/template.ts'
export * from './language.ts'
export { createdValues } from './plan/input.ts'
export { indexKeys, keyText, type TableKey, tableKey, tableKeyIfPresent } from './plan/keys.ts'
export { checking, creating, moving, removing, type Step, updating } from './plan/step.ts'
export type { Stored } from './plan/stored.ts'
export { entityOf, isOver, viewItem } from './plan/view.ts'
export { type CloudFormationTemplate, cloudFormation } from './publish/cloud-formation.ts'
export { hcl } from './publish/hcl.ts'
export { describeDesign } from './publish/page/describe-design.ts'
export { type TerraformConfiguration, terraform } from './publish/terraform.ts'
export { type RangeReading, readCollection, readRange } from './run/collection.ts'
export {
  type ConnectedTable,
  type ConnectOptions,
  connect,
  type GetOf,
  type NamedPattern,
  type NamedRepository,
  type QueryOf,
  type Table,
} from './run/connect.ts'
export type { Outcome } from './run/create-many.ts'
export { type CursorBinding, openCursor, sealCursor } from './run/cursor.ts'
export { checkTable, ensureTable } from './run/ensure-table.ts'
export type { FlowJob, JobHandler, JobHandlers } from './run/jobs/flow-job.ts'
export type { Job } from './run/jobs/job.ts'
export type { Resumed } from './run/jobs/jobs.ts'
export { type Cost, meter, sideBySide, together } from './run/meter.ts'
export type { Malformed, Page, Reading } from './run/query.ts'
export { readItem, readItems } from './run/read.ts'
export { removeOver } from './run/remove-over.ts'
export type { Getting, Repository, Writing } from './run/repository.ts'
export { restoreItems } from './run/restore.ts'
export type { JobProgress, Runtime } from './run/runtime.ts'
export { scanItems } from './run/scan.ts'
export { type Results, type Steps, transact } from './run/transact.ts'
