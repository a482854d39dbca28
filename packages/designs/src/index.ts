export * from './decision/decision.ts'
export { type Answered, causeOfFault, isUnanswered } from './decision/fault.ts'
export { lastsMax_ms } from './decision/question.ts'
export { describeModule } from './describe-module.ts'
export {
  apiNameOf,
  type DesignModule,
  type FolderModule,
  type FromFolder,
  folderOf,
  type ModuleFolder,
  type OpenDesign,
  type OpenOptions,
  openModule,
} from './design-module.ts'
export { designModules } from './design-modules.ts'
export { itemsOfCells } from './exchange/cells.ts'
export { type CsvReading, type CsvRecord, csvRecords } from './exchange/csv-records.ts'
export { type ExportedItem, type ExportOptions, exportItems } from './exchange/export-items.ts'
export { headerHint } from './exchange/header-hint.ts'
export { importItems } from './exchange/import-items.ts'
export type { FailedRow, ImportCount, ImportOptions, ImportReport } from './exchange/import-rows.ts'
export { type Columns, type CsvRow, readCsv } from './exchange/read-csv.ts'
export { readJsonLines, readLines } from './exchange/read-json-lines.ts'
export {
  emailDomainDefault,
  type MatrixFile,
  type MatrixReport,
  matrixColumns,
  matrixEmail,
  type RoleMatrix,
} from './exchange/role-matrix.ts'
export type { Source, SourceRow } from './exchange/source-row.ts'
export { type ExportedModule, exportedModule, moduleOf } from './exported-module.ts'
export { type Actor, type Caller, operator } from './flow/actor.ts'
export { type ByFlows, checkByFlows } from './flow/by-flows.ts'
export { createOnce } from './flow/calls/create-once.ts'
export { isReplayed, type Replayable, type Replayed } from './flow/calls/replayed.ts'
export type { FlowDescription, InputDescription } from './flow/describe-flow.ts'
export type { Flow, FlowDeclaration, FlowFunctions, NeededPermission, Needs } from './flow/flow.ts'
export { commonErrors, type FlowError, type Verb } from './flow/flow-errors.ts'
export type { FlowOptions } from './flow/flow-host.ts'
export type { InputOf } from './flow/input/input-attributes.ts'
export type { OfferedFlows, UserAt } from './flow/offered-flows.ts'
export { escaped, type MailPart, mailText, oneLine } from './mail/mail-text.ts'
export { type Mail, type Mailbox, type MailedUser, type Mailer, type Mailing, MailRefused } from './mail/mailer.ts'
export { modulesWithout, type WithoutErrors } from './modules-without.ts'
export { proveModule } from './prove-module.ts'
export { readJson } from './read-json.ts'
export { utf8Text } from './read-text.ts'
export { base64urlBytes, isPlainText, malformedClaim, readToken, type TokenParts } from './read-token.ts'
export { type RecentlyUsed, recentlyUsed } from './recently-used.ts'
export { type Returns, shownIn } from './returns.ts'
export { type Invocation, type SweepReport, scheduledSweep, sweepAll } from './sweep/sweep-all.ts'
