import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../../test/engine/sender-after.ts'
import { accountWork, checkedAccountFlows, linksOf } from '../../../../test/account-flows.ts'
import { isOfWork } from '../../../../test/transaction-of-work.ts'
import { linksAtOnceMax } from './role-links.ts'

const permissions = Array.from({ length: 40 }, (_, index) => ({ module: 'doors', action: 'open', resource: `room${index}` }))
const work = await accountWork()
const client_id = (await work.table.Client.create({ name: 'Ours' })).id
for (const permission of permissions) await work.table.Permission.create(permission)

const consistent = { consistent: true }
let count = 0
const make = async (permission_form: 'embedded' | 'linked', of: typeof permissions) =>
  (await work.flows.createRole({ client_id, name: `Role ${++count}`, permission_form, permissions: of })).id

describe('a role of many links', () => {
  const many = (more: object = {}) => ({ client_id, name: `Role ${++count}`, permission_form: 'linked', permissions, ...more }) as const

  test('is not made where its name is taken, also meanwhile', async () => {
    const { name } = await work.flows.createRole({ client_id, name: `Role ${++count}` })
    const taken = { code: 'AlreadyExists', message: `This client has a role named '${name}' already.` }
    await expect(work.flows.createRole(many({ name }))).rejects.toMatchObject(taken)
    const asked = many()
    let isTaken = false
    const late = await accountWork({
      table: work.table.runtime.table,
      sender: senderAfter(async (operation) => {
        if (operation === 'TransactWriteItems' && !isTaken) {
          isTaken = true
          await work.flows.createRole({ client_id, name: asked.name })
        }
      }),
    })
    await expect(late.flows.createRole(asked)).rejects.toMatchObject({ code: 'AlreadyExists', details: { guard: 'RoleName' } })
    expect(await work.table.jobs.list()).toEqual([])
  })

  test.each([
    ['its job is recorded', (operation: string) => operation === 'TransactWriteItems'],
    ['the first transaction of its job', isOfWork],
  ] as const)('is made of what its parent grants when it is made, also where that changes before %s', async (_, isMoment) => {
    const danger = { module: 'keys', action: 'destroy', resource: 'vault' }
    if ((await work.table.permissionOfKey(danger, consistent)) === undefined)
      await work.table.Permission.create({ ...danger, is_dangerous: true })
    const parent_role_id = await make('embedded', [])
    const asked = many({ parent_role_id })
    let hasGrown = false
    const late = await accountWork({
      table: work.table.runtime.table,
      sender: senderAfter(async (operation, input) => {
        if (isMoment(operation, input) && !hasGrown) {
          hasGrown = true
          await work.flows.changeRolePermissions({ client_id, id: parent_role_id, add: [danger], confirm_dangerous: true })
        }
      }),
    })
    await expect(late.flows.createRole(asked)).rejects.toMatchObject({
      code: 'InvalidInput',
      details: { dangerous: ['keys:destroy:vault'] },
    })
    expect(await work.table.roleOfName({ client_id, name: asked.name }, consistent)).toBeUndefined()
    expect(await late.flows.createRole({ ...asked, confirm_dangerous: true })).toMatchObject({ parent_role_id })
  })

  test('fits its transactions beneath seven others, whoever makes it', async () => {
    const { id: user_id } = await work.table.User.create({ client_id, email: `user${++count}@example.org`, user_type: 'client_admin' })
    const { id: role_id } = await work.flows.createRole({
      client_id,
      name: `Role ${++count}`,
      permissions: [
        { module: 'account-management', action: 'create', resource: 'role' },
        { module: 'doors', action: 'open', resource: '*' },
      ],
    })
    await work.flows.assignRole({ user_id, role_id, scope_type: 'client', scope_id: client_id, confirm_dangerous: true })
    const flows = checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id } })
    let parent_role_id = (await work.flows.createRole({ client_id, name: `Role ${++count}` })).id
    for (let level = 2; level <= 7; level++)
      parent_role_id = (await work.flows.createRole({ client_id, name: `Role ${++count}`, parent_role_id })).id
    for (const size of [linksAtOnceMax, linksAtOnceMax + 1]) {
      const { id } = await flows.createRole({ ...many({ parent_role_id }), permissions: permissions.slice(0, size) })
      expect(await linksOf(work, id)).toHaveLength(size)
    }
  })
})
