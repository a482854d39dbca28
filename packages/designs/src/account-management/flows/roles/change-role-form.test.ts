import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../../test/engine/sender-after.ts'
import { accountWork, linksOf } from '../../../../test/account-flows.ts'
import { dyingSender } from '../../../../test/dying-sender.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const clock = () => new Date(now++)
const lease_ms = 5000
const resources = ['room00', 'room01']
const permissions = resources.map((resource) => ({ module: 'doors', action: 'open', resource }))
const work = await accountWork({ now: clock })
const client_id = (await work.table.Client.create({ name: 'Ours' })).id
for (const permission of permissions) await work.table.Permission.create(permission)

const consistent = { consistent: true }
let count = 0
const make = async (permission_form: 'embedded' | 'linked', of: typeof permissions) =>
  (await work.flows.createRole({ client_id, name: `Role ${++count}`, permission_form, permissions: of })).id

describe('a role becomes embedded', () => {
  const doomed = (resource: string) => ({ module: 'doors', action: 'seal', resource })
  /** A table whose catalogue loses an entry right before the form turns. */
  async function losing(permission_id: string) {
    let isDone = false
    const late = await accountWork({
      table: work.table.runtime.table,
      now: clock,
      sender: senderAfter(async (operation, input) => {
        if (operation === 'TransactWriteItems' && !isDone && JSON.stringify(input).includes('AuditLog')) {
          isDone = true
          await work.flows.deletePermission({ id: permission_id, in_use: 'cascade' })
        }
      }),
    })
    return { ...late, hasLost: () => isDone }
  }

  test('without what is being taken out of the catalogue', async () => {
    const lab = await work.table.Permission.create({ ...doomed('lab'), is_dangerous: true })
    await work.table.Permission.create(doomed('yard'))
    const { id } = await work.flows.createRole({
      client_id,
      name: `Role ${++count}`,
      permission_form: 'linked',
      permissions: [doomed('lab'), doomed('yard')],
      confirm_dangerous: true,
    })
    const beneath = () => work.flows.createRole({ client_id, name: `Role ${++count}`, parent_role_id: id })
    await expect(beneath()).rejects.toMatchObject({ code: 'InvalidInput', details: { dangerous: ['doors:seal:lab'] } })
    // Marked, and not gone yet: its link is still there.
    const { sender } = work.table.runtime
    const dying = dyingSender(sender, 1)
    const halfway = await accountWork({ table: work.table.runtime.table, now: clock, sender: dying.sender, patience_ms: 0 })
    await halfway.flows.deletePermission({ id: lab.id, in_use: 'cascade' }).catch(() => {})
    expect(await work.table.Permission.get({ id: lab.id }, consistent)).toMatchObject({ deleting: expect.any(String) })
    expect(await linksOf(work, id)).toEqual(['lab', 'yard'])
    // It grants nothing any more, and so needs no confirmation.
    await expect(beneath()).resolves.toMatchObject({ parent_role_id: id })
    const { permissions: embedded } = await work.flows.changeRoleForm({ client_id, id, permission_form: 'embedded' })
    expect(embedded).toEqual([doomed('yard')])
    now += lease_ms
    expect(await work.table.jobs.resume()).toMatchObject({ held: [], failed: [] })
    expect(await linksOf(work, id)).toEqual([])
  })

  test('without what is taken out between the look and the write', async () => {
    const { id: permission_id } = await work.table.Permission.create(doomed('dock'))
    const id = await make('linked', [doomed('dock'), ...permissions.slice(0, 2)])
    const late = await losing(permission_id)
    const { permissions: embedded } = await late.flows.changeRoleForm({ client_id, id, permission_form: 'embedded' })
    expect(late.hasLost()).toBe(true)
    expect(embedded.map(({ resource }) => resource).sort()).toEqual(resources.slice(0, 2))
  })

  test('with what the catalogue calls it, also where a link was not reached yet', async () => {
    const { id: permission_id } = await work.table.Permission.create(doomed('quay'))
    const id = await make('linked', [doomed('quay')])
    const dying = dyingSender(work.table.runtime.sender, 1)
    const halfway = await accountWork({ table: work.table.runtime.table, now: clock, sender: dying.sender, patience_ms: 0 })
    await halfway.flows.updatePermission({ id: permission_id, resource: 'pier' }).catch(() => {})
    expect(await linksOf(work, id)).toEqual(['quay'])
    const { permissions: embedded } = await work.flows.changeRoleForm({ client_id, id, permission_form: 'embedded' })
    expect(embedded).toEqual([doomed('pier')])
    now += lease_ms
    await work.table.jobs.resume()
  })
})
