import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../../test/engine/sender-after.ts'
import { accountWork } from '../../../../test/account-flows.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const clock = () => new Date(now++)
const work = await accountWork({ now: clock })
const ours = (await work.table.Client.create({ name: 'Ours' })).id
const project = (await work.table.Project.create({ client_id: ours, name: 'p' })).id
const ada = (await work.table.User.create({ client_id: ours, email: 'ada@example.org', user_type: 'client_admin' })).id

const consistent = { consistent: true }
let count = 0
const role = async (more: object = {}) => (await work.flows.createRole({ client_id: ours, name: `Role ${++count}`, ...more })).id
const atProject = () => ({ scope_type: 'project', scope_id: project }) as const
const assign = (user_id: string, role_id: string, role_owner = ours) =>
  work.table.UserRoleAssignment.create({ user_id, role_id, role_owner, ...atProject() })
const held = (user_id: string, role_id: string) => work.table.UserRoleAssignment.get({ user_id, role_id, ...atProject() }, consistent)
const reload = (id: string) => work.table.Role.get({ client_id: ours, id }, consistent)
const remove = (id: string, more: object = {}) => work.flows.deleteRole({ client_id: ours, id, ...more })

describe('a role in use', () => {
  test('is not deleted: neither with a holder nor with a role beneath it, and nothing is recorded', async () => {
    const id = await role()
    await assign(ada, id)
    const inUse = (...ways: string[]) => ({ code: 'InUse', message: expect.stringMatching(ways.join('.*')) })
    await expect(remove(id)).rejects.toMatchObject(inUse('in_use: "cascade"', 'reassign_to'))
    const parent = await role()
    await role({ parent_role_id: parent })
    await expect(remove(parent)).rejects.toMatchObject(inUse('another parent', 'in_use: "cascade"'))
    expect(await reload(id)).toMatchObject({ version: 1 })
    expect((await work.audit(ours)).filter(({ action }) => action === 'deleteRole')).toEqual([])
  })

  test('goes with its assignments and the roles beneath it where asked to cascade', async () => {
    const id = await role()
    const child = await role({ parent_role_id: id })
    await assign(ada, id)
    await assign(ada, child)
    await remove(id, { in_use: 'cascade' })
    expect([await reload(id), await reload(child)]).toEqual([undefined, undefined])
    expect([await held(ada, id), await held(ada, child)]).toEqual([undefined, undefined])
  })

  test('goes without what hangs on another owner’s role of the same id', async () => {
    const { id } = await work.flows.createRole({ system: true, name: `Role ${++count}` })
    await work.flows.createRole({ system: true, name: `Role ${++count}`, parent_role_id: id })
    await assign(ada, id, 'SYSTEM')
    for (const in_use of [undefined, 'cascade']) {
      await work.table.Role.create({ client_id: ours, id, name: `Role ${++count}` })
      await remove(id, in_use === undefined ? {} : { in_use })
      expect(await reload(id)).toBeUndefined()
    }
    expect(await held(ada, id)).toMatchObject({ role_owner: 'SYSTEM' })
    expect((await work.table.childrenOfRole({ parent_role_id: id }, consistent)).items).toHaveLength(1)
  })

  test('that is taken into use between the look and the write stays, and the audit says that the deletion failed', async () => {
    const id = await role()
    let hasBegun = false
    const late = await accountWork({
      table: work.table.runtime.table,
      now: clock,
      sender: senderAfter(async (operation, input) => {
        if (operation === 'TransactWriteItems' && !hasBegun && JSON.stringify(input).includes('deleteRole')) {
          hasBegun = true
          await assign(ada, id)
        }
      }),
    })
    await expect(late.flows.deleteRole({ client_id: ours, id })).rejects.toMatchObject({ code: 'InUse' })
    expect(await reload(id)).not.toHaveProperty('deleting')
    const entries = (await work.audit(ours)).filter(({ entity_id, action }) => entity_id === id && action === 'deleteRole')
    expect(entries.map(({ status }) => status)).toEqual(['success', 'failure'])
  })
})
