import { type AccessQuestion, importMatrix, type RebacTable } from '@freehold/designs/rebac'
import { matrixColumns, matrixEmail, readCsv } from '@freehold/frame/exchange'
import { type MatrixShape, permissionsOf, rolePermissionsCsv, rolesOf, userRolesCsv } from '../generated-matrix.js'
import { inFlight } from '../in-flight.js'
import { median } from '../measure.js'

/** About 10,000 rows, as many as a well-known matrix of a company with 3,477 people has. */
export const wholeShape: MatrixShape = { users: 3_477, roles: 200, permissions: 1_587, rolesOfUser: 2, permissionsOfRole: 15 }
export const location = 'HQ'
/** So many questions are asked for one figure, so many of them at once. */
export const questions = 4_000
export const atOnce = 16
const rounds = 7

/** A page that one of the user's roles allows, in every other question. */
export function questionOf(index: number, shape: MatrixShape, users = shape.users): AccessQuestion {
  const user = (index * 31) % users
  const [role = 0] = rolesOf(user, shape)
  const isOwn = index % 2 === 0
  const permission = isOwn ? (permissionsOf(role, shape)[index % shape.permissionsOfRole] ?? 0) : (index * 17) % shape.permissions
  return { user: matrixEmail(`u${user}`), location, page: `p${permission}` }
}

export const spent_us = (before: NodeJS.CpuUsage, after: NodeJS.CpuUsage): number => after.user + after.system - before.user - before.system

/** Microseconds of CPU for one question: the median of rounds that are all alike, after one that warms up. */
export async function cpuOf<Q>(
  asked: readonly Q[],
  ask: (question: Q) => Promise<unknown>,
  cpu: () => Promise<NodeJS.CpuUsage>,
): Promise<number> {
  const taken: number[] = []
  for (let round = -1; round < rounds; round++) {
    const before = await cpu()
    await inFlight(questions, atOnce, (index) => {
      // The index is below the length.
      return ask(asked[index % asked.length] as Q)
    })
    if (round >= 0) taken.push(spent_us(before, await cpu()) / questions)
  }
  return median(taken)
}

/** Imports the matrix, and tells its rows. */
export async function importShape(table: RebacTable, shape: MatrixShape): Promise<number> {
  const { userRoles, rolePermissions } = await importMatrix(table, {
    userRoles: readCsv(userRolesCsv(shape), matrixColumns.userRoles),
    rolePermissions: readCsv(rolePermissionsCsv(shape), matrixColumns.rolePermissions),
    location,
  })
  return userRoles.rows + rolePermissions.rows
}
