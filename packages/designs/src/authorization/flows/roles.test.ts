import { beforeEach, describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../test/engine/sender-after.ts'
import { type AuthorizationScene, authorizationScene, authorizationWork } from '../../../test/authorization-flows.ts'
import { dyingSender } from '../../../test/dying-sender.ts'
import { mentions } from '../../../test/whole-table.ts'
import type { AuthorizationFlows } from './flows.ts'

const lease_ms = 5000
let now_ms = Date.parse('2026-03-15T12:00:00.000Z')
let scene: AuthorizationScene
let count = 0
const work = await authorizationWork({ now: () => new Date(now_ms) })
beforeEach(async () => {
  scene = await authorizationScene(work, String(++count))
})

const consistent = { consistent: true }
const rolesOf = async (userId: string) => (await work.table.User.get({ userId }, consistent))?.roles
const rolesIn = async (tenantId: string, userId: string) => (await work.table.TenantGrant.get({ tenantId, userId }, consistent))?.roles
/** The items that have an id, but for records. */
const holding = async (id: string) => (await mentions(work.table, id)).filter((key) => !key.startsWith('CHANGES#'))

describe('a renamed role', () => {
  test('keeps its id, and stays with all who have it', async () => {
    const { viewer: roleId, ours, lead, admin } = scene
    const name = `reader ${count}`
    expect(await work.flows.renameRole({ roleId, name })).toMatchObject({ roleId, name, scope: 'tenant', version: 2 })
    expect(await work.table.roleOfId({ roleId }, consistent)).toMatchObject({ name })
    expect(await rolesIn(ours, lead)).toEqual([admin, roleId])
    expect(await holding(`viewer ${count}`)).toEqual([])
  })

  test('loses to a version that the caller names, and alters nothing by its own name', async () => {
    const { viewer: roleId } = scene
    await expect(work.flows.renameRole({ roleId, name: 'x', version: 7 })).rejects.toMatchObject({ code: 'VersionConflict' })
    expect(await work.flows.renameRole({ roleId, name: ` viewer ${count} ` })).toMatchObject({ version: 1 })
  })

  test('is found by its id while others rename it, and never mistaken for one that got its name', async () => {
    const { viewer, editor } = scene
    const [from, to] = [`viewer ${count}`, `moved ${count}`]
    // Between the look at the id and the write, the role is renamed, and another gets its name.
    work.meanwhile = async () => {
      await work.flows.renameRole({ roleId: viewer, name: to })
      await work.flows.renameRole({ roleId: editor, name: from })
    }
    await work.flows.renameRole({ roleId: viewer, name: `last ${count}` })
    expect(await work.table.roleOfId({ roleId: viewer }, consistent)).toMatchObject({ name: `last ${count}` })
    expect(await work.table.roleOfId({ roleId: editor }, consistent)).toMatchObject({ name: from })
    await Promise.all(Array.from({ length: 10 }, (_, index) => work.flows.renameRole({ roleId: viewer, name: `racing ${index} ${count}` })))
    // The role and its guard, and two grants, each with its lookup item.
    expect(await holding(viewer)).toHaveLength(6)
  })

  test.each([
    ['renamed', (flows: AuthorizationFlows, roleId: string) => flows.renameRole({ roleId, name: `last ${count}` }), `last`],
    ['deleted', (flows: AuthorizationFlows, roleId: string) => flows.deleteRole({ roleId }), undefined],
  ] as const)('is %s by its id though others rename it right after the look at that', async (_, change, left) => {
    const { viewer: roleId } = scene
    let isRenamed = false
    const held = await authorizationWork({
      table: work.table.runtime.table,
      now: () => new Date(now_ms),
      sender: senderAfter(async (operation, input) => {
        if (!isRenamed && operation === 'GetItem' && JSON.stringify(input).includes(`viewer ${count}`)) {
          isRenamed = true
          await work.flows.renameRole({ roleId, name: `other ${count}` })
        }
      }),
    })
    await change(held.flows, roleId)
    expect(isRenamed).toBe(true)
    expect((await work.table.roleOfId({ roleId }, consistent))?.name).toBe(left && `${left} ${count}`)
  })
})

describe('a deleted role', () => {
  test('goes from all users and grants, and from no others', async () => {
    const { viewer, staff, ours, theirs, lead, friend, stranger, admin } = scene
    const other = await scene.role(`other ${count}`, 'global')
    for (const roleId of [other, staff]) await work.flows.giveGlobalRole({ userId: friend, roleId })
    await work.flows.deleteRole({ roleId: viewer })
    await work.flows.deleteRole({ roleId: staff })
    expect([await rolesIn(ours, lead), await rolesIn(theirs, stranger), await rolesIn(ours, friend)]).toEqual([[admin], [admin], []])
    expect(await rolesOf(friend)).toEqual([other])
    expect([...(await holding(viewer)), ...(await holding(staff))]).toEqual([])
    expect((await work.table.grantsOfUserOnTable({ userId: lead }, consistent)).items).toMatchObject([{ roles: [admin] }])
    await expect(work.flows.deleteRole({ roleId: viewer })).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('is given to nobody from the start, while its job has yet to be done', async () => {
    const { viewer: roleId, ours, theirs, friend, stranger } = scene
    await work.flows.deleteRole({ roleId, wait: false })
    await work.table.jobs.resume()
    const add = { tenantId: ours, userId: friend, add: [roleId] }
    await expect(work.flows.changeGrantRoles(add)).rejects.toMatchObject({ code: 'MissingEnd' })
    expect(await rolesIn(theirs, stranger)).toEqual([scene.admin])
    expect(await work.table.jobs.list()).toEqual([])
  })

  test('goes under its new name, where another renames it meanwhile', async () => {
    const { viewer: roleId, editor } = scene
    let transactions = 0
    const held = await authorizationWork({
      table: work.table.runtime.table,
      now: () => new Date(now_ms),
      sender: senderAfter(async (operation) => {
        // The first transaction records the job, the second is the removal.
        if (operation === 'TransactWriteItems' && ++transactions === 2) {
          await work.flows.renameRole({ roleId, name: `other ${count}` })
          await work.flows.renameRole({ roleId: editor, name: `viewer ${count}` })
        }
      }),
    })
    await held.flows.deleteRole({ roleId })
    expect(transactions).toBeGreaterThan(1)
    expect(await holding(roleId)).toEqual([])
    expect(await work.table.roleOfId({ roleId: editor }, consistent)).toMatchObject({ name: `viewer ${count}` })
  })

  test('loses to a version that the caller names', async () => {
    await expect(work.flows.deleteRole({ roleId: scene.viewer, version: 7 })).rejects.toMatchObject({ code: 'VersionConflict' })
    expect(await work.table.roleOfId({ roleId: scene.viewer }, consistent)).toBeDefined()
  })

  test('goes from all, also if its process ends after any write and another goes on', async () => {
    let isDead = true
    for (let writes = 0; isDead; writes++) {
      const at = await authorizationScene(work, `crash-${writes}`)
      await work.flows.giveGlobalRole({ userId: at.friend, roleId: at.staff })
      for (const roleId of [at.viewer, at.staff]) {
        const dying = dyingSender(work.table.runtime.sender, writes)
        const { table } = work.table.runtime
        const doomed = await authorizationWork({ table, now: () => new Date(now_ms), sender: dying.sender, patience_ms: 0 })
        await doomed.flows.deleteRole({ roleId }).catch(() => {})
        isDead = dying.isDead()
        now_ms += lease_ms
        await work.table.jobs.resume()
        const left = await work.table.roleOfId({ roleId }, consistent)
        // The process had not got as far as the job.
        if (left !== undefined) await work.flows.deleteRole({ roleId })
        expect(await holding(roleId)).toEqual([])
        expect(await work.table.jobs.list()).toEqual([])
      }
    }
  })
})

describe('a global role', () => {
  test('is given and taken one at a time, also where several do so at once', async () => {
    const { friend: userId, staff } = scene
    const roles = await Promise.all([1, 2, 3, 4].map((each) => scene.role(`global ${each} ${count}`, 'global')))
    await work.flows.giveGlobalRole({ userId, roleId: staff })
    await Promise.all([
      ...roles.map((roleId) => work.flows.giveGlobalRole({ userId, roleId })),
      work.flows.takeGlobalRole({ userId, roleId: staff }),
    ])
    expect([...((await rolesOf(userId)) ?? [])].sort()).toEqual([...roles].sort())
    const again = { userId, roleId: roles[0] ?? '' }
    const { version } = await work.flows.giveGlobalRole(again)
    expect(await work.flows.giveGlobalRole(again)).toMatchObject({ version })
  })

  test('is global, and exists', async () => {
    const missing = { code: 'MissingEnd' }
    const { friend: userId, viewer } = scene
    await expect(work.flows.giveGlobalRole({ userId, roleId: viewer })).rejects.toMatchObject(missing)
    await expect(work.flows.giveGlobalRole({ userId, roleId: scene.ours })).rejects.toMatchObject(missing)
    expect(await rolesOf(userId)).toEqual([])
  })
})
