/** Import and export of any design: CSV, JSON lines, the matrices of roles, one tenant whole. */
export { fitting, itemsOfCells, naming } from './cells.ts'
export { type CsvReading, type CsvRecord, csvRecords } from './csv-records.ts'
export { type ExportedItem, type ExportOptions, exportItems } from './export-items.ts'
export { exportInput, exporting, exportTenant } from './export-tenant.ts'
export { headerHint } from './header-hint.ts'
export { importItems } from './import-items.ts'
export {
  type FailedRow,
  type GoodRow,
  type ImportCount,
  type Importer,
  type ImportOptions,
  type ImportReport,
  importRows,
  type Planned,
  rowFault,
} from './import-rows.ts'
export { type Part, part } from './part.ts'
export { type ChunkPlan, chunkDrafts, type Drafts, type Looked, lookAt, lookable, type Place, planChunk } from './plan-chunk.ts'
export { type Columns, type CsvRow, readCsv } from './read-csv.ts'
export { readJsonLines, readLines } from './read-json-lines.ts'
export {
  emailDomainDefault,
  importRoleMatrix,
  type MatrixFile,
  type MatrixReport,
  matrixColumns,
  matrixEmail,
  type RoleMatrix,
} from './role-matrix.ts'
export { rowError, type Source, type SourceRow } from './source-row.ts'
export { collection, type TenantTree, tenantTree } from './tenant-tree.ts'
export { type Turn, type Walked, walkCollections, walkTenant } from './walk-tenant.ts'
export { isOfRows } from './write-rows.ts'
