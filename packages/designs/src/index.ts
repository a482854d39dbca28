export * as accountManagementEntities from './account-management/design.ts'
export { accountManagement } from './account-management/design.ts'
export * as authorizationEntities from './authorization/design.ts'
export { authorization } from './authorization/design.ts'
export * from './decision/decision.ts'
export { itemsOfCells } from './exchange/cells.ts'
export { type CsvReading, type CsvRecord, csvRecords } from './exchange/csv-records.ts'
export { type ExportedItem, type ExportOptions, exportItems } from './exchange/export-items.ts'
export { importItems } from './exchange/import-items.ts'
export type { FailedRow, ImportCount, ImportOptions, ImportReport } from './exchange/import-rows.ts'
export { type Columns, type CsvRow, readCsv } from './exchange/read-csv.ts'
export { readJsonLines } from './exchange/read-json-lines.ts'
export type { Source, SourceRow } from './exchange/source-row.ts'
export { offers } from './offers.ts'
export * as platformEntities from './platform/design.ts'
export { platform } from './platform/design.ts'
export { type Assignment, assignMany } from './rebac/assign-many.ts'
export { decideRebac, type RebacDecider } from './rebac/decide.ts'
export * as rebacEntities from './rebac/design.ts'
export { rebac } from './rebac/design.ts'
export {
  emailDomainDefault,
  importMatrix,
  type MatrixFile,
  type MatrixOptions,
  type MatrixReport,
  matrixColumns,
  matrixEmail,
} from './rebac/import-matrix.ts'
export { importPeople } from './rebac/import-people.ts'
export { Keys } from './rebac/keys.ts'
export { type GroupMembership, joinGroup, joinLocation, type LocationMembership, leaveGroup, leaveLocation } from './rebac/membership.ts'
export { personColumns } from './rebac/person-row.ts'
export type { AccessQuestion, WhatQuestion, WhereQuestion, WhoQuestion } from './rebac/question.ts'
export type { RebacTable } from './rebac/rebac-table.ts'
export { type SignedIn, type SignInOutcome, type SignInProvider, type SigningIn, signIn } from './rebac/sign-in.ts'
export type { OpenPage } from './rebac/what.ts'
export type { AllowedPlace } from './rebac/where.ts'
export type { AllowedUser } from './rebac/who.ts'
export { type RecentlyUsed, recentlyUsed } from './recently-used.ts'
