import { importRoleMatrix, type MatrixReport, matrixEmail, naming, type RoleMatrix, rowError } from '@freehold/frame/exchange'
import { requireLive } from '@freehold/frame/flow'
import { checkAdopted } from '@freehold/table/runtime'
import { Permission, Role } from '../design.ts'
import type { AccountTable } from '../flows/account-host.ts'
import type { PermissionPattern } from '../permission/permission.ts'
import { type AssignmentRow, assignmentImporter } from './plan-assignments.ts'
import { matrixImport } from './plan-audit.ts'
import { type GrantRow, grantImporter } from './plan-grants.ts'

export interface AccountMatrixOptions extends RoleMatrix {
  /** The id of a client that is there. */
  readonly client: string
  /** Grants permissions that the catalogue marks as dangerous; else the rows that would grant them fail. */
  readonly confirm_dangerous?: boolean | undefined
}

/** The permission that one of a matrix becomes. */
export function importedPermission(resource: string): PermissionPattern {
  return { module: 'imported', action: 'use', resource }
}

type Cells = Readonly<Record<string, string>>

/** The name of a permission is no pattern: as `*` it would stand for every permission that was ever imported. */
function grantOf({ role, permission }: Cells): GrantRow {
  const resource = naming(Permission.attributes.resource, 'permission', permission)
  if (resource === '*') throw rowError('is a wildcard', 'permission')
  return { name: naming(Role.attributes.name, 'role', role), permission: importedPermission(resource) }
}

function assignmentOf({ user = '', role }: Cells, domain: string): AssignmentRow {
  return { email: matrixEmail(user.trim(), domain), name: naming(Role.attributes.name, 'role', role) }
}

/**
 * Imports an existing role matrix for one client: its roles become roles of the client, of the linked form; a permission `p1` the entry
 * `imported:use:p1` of the catalogue, linked to the role; its users users of the client, with the role at the client as a whole. It only adds, so
 * that importing again, also after an interruption, goes on where it ended, and writes nothing once all is there. What a row makes is recorded in the
 * audit with it, as `importMatrix`. Throws `NotFound` for a client that is not there, `BeingDeleted`.
 */
export async function importAccountMatrix(table: AccountTable, options: AccountMatrixOptions): Promise<MatrixReport> {
  await checkAdopted(table.runtime, 'It is not known which users, roles and permissions are there')
  return importRoleMatrix(table.runtime, options, async (domain) => {
    const client = await table.Client.get({ id: options.client }, { consistent: true })
    const matrix = matrixImport(table, requireLive('Client', options.client, client).id, options.confirm_dangerous === true)
    return {
      rolePermissions: { valuesOf: grantOf, importer: grantImporter(matrix) },
      userRoles: { valuesOf: (cells) => assignmentOf(cells, domain), importer: assignmentImporter(matrix) },
    }
  })
}
