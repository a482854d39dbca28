import { matrixEmail } from '@freehold/frame/exchange'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownTableOf } from '../../test/own-table.ts'
import { checkPairs, matrixNames, matrixRows, pairRuns, userPermissions } from '../../test/role-matrices.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'
import type { AccountTable } from './flows/account-host.ts'
import { importAccountMatrix, importedPermission } from './importing/import-matrix.ts'

const limit = 1000

describe.each(matrixNames)('the role matrix %s', (name) => {
  let table: AccountTable
  let decider: AccountDecider
  let client: string
  let expected: ReadonlyMap<string, ReadonlySet<string>>
  let permissions: readonly string[]
  beforeAll(async () => {
    table = await ownTableOf(accountManagement)
    decider = decideAccountManagement(table.runtime)
    client = (await table.Client.create({ name })).id
    await importAccountMatrix(table, { ...matrixRows(name), client })
    expected = await userPermissions(name)
    permissions = [...new Set([...expected.values()].flatMap((each) => [...each]))].sort()
  })

  test('gives each user exactly its permissions', async () => {
    for (const [user, wanted] of expected) {
      const { items, cursor } = await decider.what({ user: matrixEmail(user), client }, { limit })
      const given = items.map(({ permission }) => permission)
      expect(given).toHaveLength(wanted.size)
      expect(given).toEqual(expect.arrayContaining([...wanted].map(importedPermission)))
      expect(cursor).toBeUndefined()
    }
  })

  test.each(pairRuns)('allows every pair of user and permission, and denies others ($consistency)', (how) =>
    checkPairs(decider, expected, permissions, (user, permission) => ({ user, client, permission: importedPermission(permission) }), how),
  )

  test('lists for each permission exactly the users who have it', async () => {
    const emails = new Map<string, string>()
    for await (const { id, email = '' } of table.usersOfClient.all({ client_id: client })) emails.set(id, email)
    for (const permission of permissions) {
      const { items } = await decider.who({ client, permission: importedPermission(permission) }, { limit })
      const wanted = [...expected].filter(([, each]) => each.has(permission)).map(([user]) => matrixEmail(user))
      expect(items.map(({ user_id }) => emails.get(user_id)).sort()).toEqual(wanted.sort())
    }
  })
})
