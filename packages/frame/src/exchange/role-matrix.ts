import { email, FreeholdError, type Runtime } from '@freehold/table'
import { fitting } from './cells.ts'
import {
  type FailedRow,
  type ImportCount,
  type Importer,
  type ImportOptions,
  type ImportReport,
  importRows,
  rowFault,
} from './import-rows.ts'
import type { CsvRow } from './read-csv.ts'
import type { SourceRow } from './source-row.ts'

/** The columns of the two files of a role matrix. */
export const matrixColumns = { userRoles: { must: ['user', 'role'] }, rolePermissions: { must: ['role', 'permission'] } } as const

export type MatrixFile = 'rolePermissions' | 'userRoles'

/** An existing role matrix, which a design imports into its own terms. */
export interface RoleMatrix {
  /** The roles of each user: rows of `user` and `role`. */
  readonly userRoles: AsyncIterable<CsvRow>
  /** The permissions of each role: rows of `role` and `permission`. */
  readonly rolePermissions: AsyncIterable<CsvRow>
  /** A user `u1` has the e-mail address `u1@import.example` unless another domain is given. */
  readonly emailDomain?: string | undefined
  /** Records what each transaction creates, for a design whose importer does not do so by itself. */
  readonly record?: ImportOptions['record']
  readonly onProgress?: ((file: MatrixFile, count: ImportCount) => void) | undefined
  readonly onFailed?: ((file: MatrixFile, failed: FailedRow) => void) | undefined
}

export type MatrixReport = Readonly<Record<MatrixFile, ImportReport>>

/** The domain of the addresses of users whom a matrix names by a word. */
export const emailDomainDefault = 'import.example'
const address = email()

/** The e-mail address of a matrix's user. Names that differ in case only are one user: addresses have no case. */
export function matrixEmail(user: string, domain: string = emailDomainDefault): string {
  return fitting(address, 'user', `${user}@${domain}`)
}

type Cells = Readonly<Record<string, string>>

/** The rows of one file in a design's own terms, and how those are imported. */
export interface MatrixPart<V> {
  valuesOf(cells: Cells): V
  readonly importer: Importer<V>
}
export interface MatrixParts<P, A> {
  readonly rolePermissions: MatrixPart<P>
  readonly userRoles: MatrixPart<A>
}

/** The same rows. The first is read at once: an unreadable file, or another header, shows before anything is written. */
async function primed<T>(rows: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = rows[Symbol.asyncIterator]()
  const first = await iterator.next()
  const rest: AsyncIterable<T> = { [Symbol.asyncIterator]: () => iterator }
  return (async function* () {
    if (first.done === true) return
    yield first.value
    yield* rest
  })()
}

async function* mapped<V>(rows: AsyncIterable<CsvRow>, valuesOf: (cells: Cells) => V): AsyncGenerator<SourceRow<V>, void, void> {
  for await (const row of rows) {
    const values = row.error ?? rowFault(() => valuesOf(row.values))
    yield values instanceof FreeholdError ? { line: row.line, error: values } : { line: row.line, values }
  }
}

/**
 * Imports a role matrix, what roles may do first. It only adds, so that importing again, also after an interruption, goes on where it ended.
 * Memory does not grow with the files. `begin` is called once both files are known to have the columns, with the domain of addresses.
 */
export async function importRoleMatrix<P, A>(
  runtime: Runtime,
  { emailDomain = emailDomainDefault, onProgress, onFailed, record, ...files }: RoleMatrix,
  begin: (emailDomain: string) => Promise<MatrixParts<P, A>>,
): Promise<MatrixReport> {
  // A domain that no address can have is not each row's fault.
  matrixEmail('someone', emailDomain)
  const [userRoles, rolePermissions] = [await primed(files.userRoles), await primed(files.rolePermissions)]
  const parts = await begin(emailDomain)
  const importPart = <V>(file: MatrixFile, rows: AsyncIterable<CsvRow>, { valuesOf, importer }: MatrixPart<V>) =>
    importRows(runtime, mapped(rows, valuesOf), importer, {
      record,
      onProgress: (count) => onProgress?.(file, count),
      onFailed: (failed) => onFailed?.(file, failed),
    })
  return {
    rolePermissions: await importPart('rolePermissions', rolePermissions, parts.rolePermissions),
    userRoles: await importPart('userRoles', userRoles, parts.userRoles),
  }
}
