import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { accountManagement, decideAccountManagement, importAccountMatrix, importedPermission } from '@freehold/designs/account-management'
import type { AccessData, Permission } from '@freehold/designs/account-management/access'
import { type Columns, matrixColumns, matrixEmail, readCsv } from '@freehold/frame/exchange'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { startBenchEngine } from '../engine.js'

/** A user of a matrix with all that it has, and what was read of it. */
export interface MatrixUser {
  readonly permissions: ReadonlySet<string>
  readonly data: AccessData
}

/** A role matrix as it was imported and read again. */
export interface Matrix {
  readonly users: readonly MatrixUser[]
  readonly client: string
  /** Every permission of the matrix, by its name there. */
  readonly permissions: ReadonlyMap<string, Permission>
}

const folder = join(import.meta.dirname, '..', '..', '..', 'packages', 'designs', 'test', 'fixtures', 'role-matrices')
const rowsOf = (name: string, what: string, columns: Columns) => readCsv(createReadStream(join(folder, `${name}.${what}.csv`)), columns)

/** Imports a matrix into account-management, and takes a snapshot of each of its users. */
export async function readMatrix(name: string): Promise<Matrix> {
  const engine = await startBenchEngine()
  const table = connect(accountManagement, { dynamo: { endpoint: engine.endpoint } })
  try {
    await ensureTable(table.runtime)
    const { id: client } = await table.Client.create({ name })
    await importAccountMatrix(table, {
      userRoles: rowsOf(name, 'user-roles', matrixColumns.userRoles),
      rolePermissions: rowsOf(name, 'role-permissions', matrixColumns.rolePermissions),
      client,
    })
    const expected = new Map<string, Set<string>>()
    for await (const row of rowsOf(name, 'user-permissions', { must: ['user', 'permission'] })) {
      if ('error' in row) throw row.error
      const { user = '', permission = '' } = row.values
      expected.set(user, (expected.get(user) ?? new Set()).add(permission))
    }
    const decider = decideAccountManagement(table.runtime)
    const users: MatrixUser[] = []
    for (const [user, permissions] of expected) {
      const snapshot = await decider.access({ user: matrixEmail(user), client }, { lasts_ms: 86_400_000 })
      users.push({ permissions, data: JSON.parse(JSON.stringify(snapshot)) })
    }
    const names = [...new Set([...expected.values()].flatMap((each) => [...each]))]
    return { users, client, permissions: new Map(names.map((each) => [each, importedPermission(each)])) }
  } finally {
    table.close()
    await engine.stop()
  }
}
