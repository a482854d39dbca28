import { type MatrixReport, matrixEmail } from '@freehold/frame/exchange'
import { meter } from '@freehold/table'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownTable } from '../../test/own-table.ts'
import { checkPairs, matrixNames, matrixRows, pairRuns, userPermissions } from '../../test/role-matrices.ts'
import { wholeTable } from '../../test/whole-table.ts'
import { decideRebac, type RebacDecider } from './decide.ts'
import { importMatrix } from './importing/import-matrix.ts'
import type { RebacTable } from './rebac-table.ts'

const location = 'HQ'
const limit = 1000

describe.each(matrixNames)('the role matrix %s', (name) => {
  let table: RebacTable
  let decider: RebacDecider
  let expected: ReadonlyMap<string, ReadonlySet<string>>
  let permissions: readonly string[]
  let report: MatrixReport
  beforeAll(async () => {
    table = await ownTable()
    decider = decideRebac(table.runtime)
    expected = await userPermissions(name)
    permissions = [...new Set([...expected.values()].flatMap((each) => [...each]))].sort()
    report = await importMatrix(table, { ...matrixRows(name), location })
  })

  test('is imported whole', () => {
    expect(report.userRoles).toMatchObject({ failed: 0, unchanged: 0, skipped: 0 })
    expect(report.rolePermissions).toMatchObject({ failed: 0, unchanged: 0, skipped: 0 })
    expect(report.userRoles.written).toBe(report.userRoles.rows)
    expect(report.rolePermissions.written).toBe(report.rolePermissions.rows)
  })

  test('gives each user exactly the pages of its permissions', async () => {
    for (const [user, wanted] of expected) {
      const { items, cursor } = await decider.what({ user: matrixEmail(user), location }, { limit })
      expect(items.map(({ page }) => page).sort()).toEqual([...wanted].sort())
      expect(cursor).toBeUndefined()
    }
  })

  test.each(pairRuns)('allows every pair of user and permission, and denies others ($consistency)', (how) =>
    checkPairs(decider, expected, permissions, (user, page) => ({ user, location, page }), how),
  )

  test('lists for each page exactly the users who have the permission', async () => {
    const names = new Map<string, string>()
    for await (const { userId, displayName } of table.users.all({})) names.set(userId, displayName ?? '')
    expect(names.size).toBe(expected.size)
    for (const page of permissions) {
      const { items } = await decider.who({ location, page }, { limit })
      const wanted = [...expected].filter(([, each]) => each.has(page)).map(([user]) => user)
      expect(items.map(({ userId }) => names.get(userId)).sort()).toEqual(wanted.sort())
    }
  })

  test('again changes nothing, and writes nothing', async () => {
    const before = await wholeTable(table)
    const { result, cost } = await meter(() => importMatrix(table, { ...matrixRows(name), location: ' hq ' }))
    expect(result.userRoles).toMatchObject({ written: 0, failed: 0, unchanged: report.userRoles.rows })
    expect(result.rolePermissions).toMatchObject({ written: 0, failed: 0, unchanged: report.rolePermissions.rows })
    expect(cost.writeUnits).toBe(0)
    expect(await wholeTable(table)).toEqual(before)
  })
})

test('two imports of one matrix at once make what one makes', async () => {
  const count = async (table: RebacTable) => {
    const types = (await wholeTable(table)).map(({ Type }) => String(Type))
    return Object.fromEntries([...new Set(types)].sort().map((type) => [type, types.filter((each) => each === type).length]))
  }
  const [alone, both] = [await ownTable(), await ownTable()]
  await importMatrix(alone, { ...matrixRows('hc'), location })
  const reports = await Promise.all([1, 2, 3].map(() => importMatrix(both, { ...matrixRows('hc'), location })))
  expect(reports.flatMap(({ userRoles, rolePermissions }) => [...userRoles.failures, ...rolePermissions.failures])).toEqual([])
  expect(await count(both)).toEqual(await count(alone))
})
