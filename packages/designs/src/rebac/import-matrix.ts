import { FreeholdError, isFreeholdError } from '@freehold/table'
import { type FailedRow, type ImportCount, type ImportReport, importRows, rowFault } from '../exchange/import-rows.ts'
import { primed } from '../exchange/primed.ts'
import type { CsvRow } from '../exchange/read-csv.ts'
import type { SourceRow } from '../exchange/source-row.ts'
import { EmailIdentity, Location, Page, Role, User } from './design.ts'
import { fitting, naming, type PersonRow } from './person-row.ts'
import { peopleImporter } from './plan-people.ts'
import { type PermissionRow, permissionImporter } from './plan-permissions.ts'
import type { RebacTable } from './rebac-table.ts'

/** The columns of the two files of a role matrix. */
export const matrixColumns = { userRoles: { must: ['user', 'role'] }, rolePermissions: { must: ['role', 'permission'] } } as const

export const matrixFiles = ['rolePermissions', 'userRoles'] as const
export type MatrixFile = (typeof matrixFiles)[number]

export interface MatrixOptions {
  /** Who has which role: rows of `user` and `role`. */
  readonly userRoles: AsyncIterable<CsvRow>
  /** What each role may do: rows of `role` and `permission`. */
  readonly rolePermissions: AsyncIterable<CsvRow>
  /** A code; the location is made, with the code as its name, where it is missing. */
  readonly location: string
  /** A user `u1` has the e-mail address `u1@import.example` unless another domain is given. */
  readonly emailDomain?: string | undefined
  readonly onProgress?: ((file: MatrixFile, count: ImportCount) => void) | undefined
  readonly onFailed?: ((file: MatrixFile, failed: FailedRow) => void) | undefined
}

export type MatrixReport = Readonly<Record<MatrixFile, ImportReport>>

export const emailDomainDefault = 'import.example'

/** The e-mail address of a matrix's user. Names that differ in case only are one user: addresses have no case. */
export function matrixEmail(user: string, domain: string = emailDomainDefault): string {
  return fitting(EmailIdentity.attributes.email, 'user', `${user}@${domain}`)
}

async function* mapped<V>(
  rows: AsyncIterable<CsvRow>,
  valuesOf: (cells: Readonly<Record<string, string>>) => V,
): AsyncGenerator<SourceRow<V>, void, void> {
  for await (const row of rows) {
    const values = row.error ?? rowFault(() => valuesOf(row.values))
    yield values instanceof FreeholdError ? { line: row.line, error: values } : { line: row.line, values }
  }
}

function personOf({ user, role }: Readonly<Record<string, string>>, locationCode: string, domain: string): PersonRow {
  const displayName = naming(User.attributes.displayName, 'user', user)
  const roleName = naming(Role.attributes.roleName, 'role', role)
  const place = { locationCode, locationName: locationCode, group: { name: roleName, roleName } }
  return { email: matrixEmail(displayName, domain), displayName, place }
}

function permissionOf({ role, permission }: Readonly<Record<string, string>>): PermissionRow {
  return {
    roleName: naming(Role.attributes.roleName, 'role', role),
    pageName: naming(Page.attributes.pageName, 'permission', permission),
  }
}

/** The location of this code, made where it is missing. */
async function locationOf(table: RebacTable, locationCode: string): Promise<string> {
  const find = () => table.LocationCodeLookup.get({ locationCode }, { consistent: true })
  const found = await find()
  if (found !== undefined) return found.locationId
  try {
    return (await table.Location.create({ locationCode, name: locationCode })).locationId
  } catch (error) {
    // Another import was faster.
    const made = isFreeholdError(error, 'AlreadyExists') ? await find() : undefined
    if (made === undefined) throw error
    return made.locationId
  }
}

/**
 * Imports an existing role matrix: each role becomes a group at the location that has that role, each permission a page that the role may
 * open, each user a user with an e-mail identity of the provider `import`. It only adds, so that importing again, also after an interruption,
 * goes on where it ended, and writes nothing once all is there. Memory does not grow with the files.
 */
export async function importMatrix(table: RebacTable, options: MatrixOptions): Promise<MatrixReport> {
  const { emailDomain = emailDomainDefault, onProgress, onFailed } = options
  const locationCode = naming(Location.attributes.locationCode, 'location', options.location)
  // A domain that no address can have is not each row's fault.
  matrixEmail('someone', emailDomain)
  const [userRoles, rolePermissions] = [await primed(options.userRoles), await primed(options.rolePermissions)]
  const locationId = await locationOf(table, locationCode)
  const telling = (file: MatrixFile) => ({
    onProgress: (count: ImportCount) => onProgress?.(file, count),
    onFailed: (failed: FailedRow) => onFailed?.(file, failed),
  })
  return {
    rolePermissions: await importRows(
      table.runtime,
      mapped(rolePermissions, permissionOf),
      permissionImporter(table, locationId),
      telling('rolePermissions'),
    ),
    userRoles: await importRows(
      table.runtime,
      mapped(userRoles, (cells) => personOf(cells, locationCode, emailDomain)),
      peopleImporter(table),
      telling('userRoles'),
    ),
  }
}
