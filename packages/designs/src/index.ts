export { type AccountDecider, decideAccountManagement } from './account-management/decide.ts'
export type {
  AccountAccessQuestion,
  AccountSnapshotQuestion,
  AccountWhatQuestion,
  AccountWhereQuestion,
  AccountWhoQuestion,
} from './account-management/deciding/question.ts'
export type { HeldPermission } from './account-management/deciding/what.ts'
export type { GrantingPlace } from './account-management/deciding/where.ts'
export type { EntitledUser } from './account-management/deciding/who.ts'
export * as accountManagementEntities from './account-management/design.ts'
export { accountManagement } from './account-management/design.ts'
export type { AccountTable } from './account-management/flows/account-host.ts'
export { type AccountFlows, accountFlows, offeredAccountFlows } from './account-management/flows/flows.ts'
export { type AccountMatrixOptions, importAccountMatrix, importedPermission } from './account-management/importing/import-matrix.ts'
export type { Permission } from './account-management/permission/permission.ts'
export type { AccessData, AccessGrant, GivingAssignment, PlaceIds } from './account-management/snapshot/access-data.ts'
export type { AccessSnapshot } from './account-management/snapshot/access-snapshot.ts'
export type { AskedPlace } from './account-management/snapshot/known-places.ts'
export * as authorizationEntities from './authorization/design.ts'
export { authorization } from './authorization/design.ts'
export * from './decision/decision.ts'
export { type Answered, causeOfFault, isUnanswered } from './decision/fault.ts'
export { lastsMax_ms } from './decision/question.ts'
export { itemsOfCells } from './exchange/cells.ts'
export { type CsvReading, type CsvRecord, csvRecords } from './exchange/csv-records.ts'
export { duplicateName } from './exchange/duplicate-name.ts'
export { type ExportedItem, type ExportOptions, exportItems } from './exchange/export-items.ts'
export { importItems } from './exchange/import-items.ts'
export type { FailedRow, ImportCount, ImportOptions, ImportReport } from './exchange/import-rows.ts'
export { type Columns, type CsvRow, readCsv } from './exchange/read-csv.ts'
export { readJsonLines } from './exchange/read-json-lines.ts'
export {
  emailDomainDefault,
  type MatrixFile,
  type MatrixReport,
  matrixColumns,
  matrixEmail,
  type RoleMatrix,
} from './exchange/role-matrix.ts'
export type { Source, SourceRow } from './exchange/source-row.ts'
export { type Actor, type Caller, operator } from './flow/actor.ts'
export { type ByFlows, checkByFlows } from './flow/by-flows.ts'
export type { FlowDescription, InputDescription } from './flow/describe-flow.ts'
export type { Flow, FlowFunctions, NeededPermission, Needs } from './flow/flow.ts'
export type { FlowOptions } from './flow/flow-host.ts'
export type { OfferedFlows } from './flow/offered-flows.ts'
export type { InputOf } from './flow/read-input.ts'
export type { Offer } from './offer.ts'
export { offers } from './offers.ts'
export * as platformEntities from './platform/design.ts'
export { platform } from './platform/design.ts'
export { decideRebac, type RebacDecider } from './rebac/decide.ts'
export type { AccessQuestion, WhatQuestion, WhereQuestion, WhoQuestion } from './rebac/deciding/question.ts'
export type { OpenPage } from './rebac/deciding/what.ts'
export type { AllowedPlace } from './rebac/deciding/where.ts'
export type { AllowedUser } from './rebac/deciding/who.ts'
export * as rebacEntities from './rebac/design.ts'
export { rebac } from './rebac/design.ts'
export {
  type GroupMembership,
  joinGroup,
  joinLocation,
  type LocationMembership,
  leaveGroup,
  leaveLocation,
} from './rebac/flows/membership.ts'
export { type SignedIn, type SignInOutcome, type SignInProvider, type SigningIn, signIn } from './rebac/flows/sign-in.ts'
export { type Assignment, assignMany } from './rebac/importing/assign-many.ts'
export { importMatrix, type MatrixOptions } from './rebac/importing/import-matrix.ts'
export { importPeople } from './rebac/importing/import-people.ts'
export { personColumns } from './rebac/importing/person-row.ts'
export { Keys } from './rebac/keys.ts'
export type { RebacTable } from './rebac/rebac-table.ts'
export { type RecentlyUsed, recentlyUsed } from './recently-used.ts'
