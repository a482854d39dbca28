import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Decider } from '../../frame/src/decision/decision.ts'
import { readCsv } from '../../frame/src/exchange/read-csv.ts'
import { matrixColumns, matrixEmail, type RoleMatrix } from '../../frame/src/exchange/role-matrix.ts'

/** The sets of fixtures/role-matrices. */
export const matrixNames = ['hc', 'domino'] as const
export type MatrixName = (typeof matrixNames)[number]

const fileOf = (name: MatrixName, what: string) => join(import.meta.dirname, 'fixtures', 'role-matrices', `${name}.${what}.csv`)

/** The two files of a set, as an import takes them. */
export function matrixRows(name: MatrixName): Pick<RoleMatrix, 'userRoles' | 'rolePermissions'> {
  return {
    userRoles: readCsv(createReadStream(fileOf(name, 'user-roles')), matrixColumns.userRoles),
    rolePermissions: readCsv(createReadStream(fileOf(name, 'role-permissions')), matrixColumns.rolePermissions),
  }
}

/** Who has which permission: the answers that the set expects. Read without the code under test. */
export async function userPermissions(name: MatrixName): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const [, ...lines] = (await readFile(fileOf(name, 'user-permissions'), 'utf8')).trim().split(/\r?\n/)
  const permissions = new Map<string, Set<string>>()
  for (const line of lines) {
    const [user = '', permission = ''] = line.split(',')
    permissions.set(user, (permissions.get(user) ?? new Set()).add(permission))
  }
  return permissions
}

/** Strong decisions read everything anew: of what is not allowed they ask another twentieth for each user. */
export const pairRuns = [
  { consistency: 'bounded', everyOther: 1 },
  { consistency: 'strong', everyOther: 20 },
] as const

/** Asks for each user about all that is allowed, and about some of what is not. */
export async function checkPairs(
  decider: Pick<Decider, 'canMany'>,
  expected: ReadonlyMap<string, ReadonlySet<string>>,
  permissions: readonly string[],
  questionOf: (user: string, permission: string) => unknown,
  { consistency, everyOther }: (typeof pairRuns)[number],
): Promise<void> {
  for (const [user, wanted] of expected) {
    const offset = Number(user.slice(1))
    const asked = permissions.filter((each, index) => wanted.has(each) || (index + offset) % everyOther === 0)
    const questions = asked.map((each) => questionOf(matrixEmail(user), each))
    const answers = await decider.canMany(questions, { consistency })
    expect(answers.map(({ allowed }) => allowed)).toEqual(asked.map((each) => wanted.has(each)))
  }
}
