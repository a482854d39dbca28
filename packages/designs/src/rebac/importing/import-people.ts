import { type CsvRow, type ImportOptions, type ImportReport, importRows, rowFault, type SourceRow } from '@freehold/frame/exchange'
import { FreeholdError } from '@freehold/table'
import type { RebacTable } from '../rebac-table.ts'
import { type PersonRow, personRow } from './person-row.ts'
import { peopleImporter } from './plan-people.ts'

async function* peopleOf(rows: AsyncIterable<CsvRow>): AsyncGenerator<SourceRow<PersonRow>, void, void> {
  for await (const row of rows) {
    const values = row.error ?? rowFault(() => personRow(row.values))
    yield values instanceof FreeholdError ? { line: row.line, error: values } : { line: row.line, values }
  }
}

/**
 * Imports people from the rows of a CSV file with `personColumns`:
 * - `email`: the person, found again by it; else a user is made whose identity has the provider `import`, for a first verified sign-in to claim;
 * - `displayName`, `userType` (`MEMBER` unless given): of a user that is made;
 * - `location`: a code; the person joins it, and it is made where it is missing, named `locationName` (the code unless given);
 * - `group`: a name, found again at the location; the person joins it, and it is made where it is missing, of type `groupType` (`VOLUNTEER`
 *   unless given);
 * - `role`: the group gets it, and it is made where it is missing.
 *
 * It only adds: what is there stays as it is, also where the row has another name for it. Each row is written whole or not at all.
 */
export function importPeople(table: RebacTable, rows: AsyncIterable<CsvRow>, options: ImportOptions = {}): Promise<ImportReport> {
  return importRows(table.runtime, peopleOf(rows), peopleImporter(table), options)
}
