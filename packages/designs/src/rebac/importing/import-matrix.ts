import { importRoleMatrix, type MatrixReport, matrixEmail, naming, type RoleMatrix } from '@freehold/frame/exchange'
import { isFreeholdError } from '@freehold/table'
import { Location, Page, Role, User } from '../design.ts'
import type { RebacTable } from '../rebac-table.ts'
import type { PersonRow } from './person-row.ts'
import { peopleImporter } from './plan-people.ts'
import { type PermissionRow, permissionImporter } from './plan-permissions.ts'

export interface MatrixOptions extends RoleMatrix {
  /** A code; the location is made, with the code as its name, where it is missing. */
  readonly location: string
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
  const locationCode = naming(Location.attributes.locationCode, 'location', options.location)
  return importRoleMatrix(table.runtime, options, async (domain) => {
    const locationId = await locationOf(table, locationCode)
    return {
      rolePermissions: { valuesOf: permissionOf, importer: permissionImporter(table, locationId) },
      userRoles: { valuesOf: (cells) => personOf(cells, locationCode, domain), importer: peopleImporter(table) },
    }
  })
}
