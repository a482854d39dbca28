import { describe, expect, test } from 'vitest'
import { accountWork, changesOf } from '../../../../test/account-flows.ts'

const work = await accountWork()
const client_id = (await work.table.Client.create({ name: 'Ours' })).id
const ada = (await work.table.User.create({ client_id, email: 'ada@ours.example', user_type: 'client_admin' })).id

const consistent = { consistent: true }
const enter = (resource: string) => work.flows.createPermission({ module: 'doors', action: 'open', resource })
const linked = async (name: string, resource: string) => {
  const permissions = [{ module: 'doors', action: 'open', resource }]
  return (await work.flows.createRole({ client_id, name, permission_form: 'linked', permissions })).id
}

test('the catalogue has an entry once, and its changes are recorded at the system', async () => {
  const { id } = await enter('gate')
  await expect(enter('gate')).rejects.toMatchObject({ code: 'AlreadyExists', details: { guard: 'PermissionKey' } })
  await work.flows.updatePermission({ id, is_dangerous: true, description: 'The main gate' })
  await work.flows.deletePermission({ id })
  expect(await work.table.Permission.get({ id }, consistent)).toBeUndefined()
  const entries = (await work.audit()).filter(({ entity_id }) => entity_id === id)
  expect(entries.map((entry) => [entry.action, entry.client_id, changesOf(entry)])).toEqual([
    ['createPermission', undefined, expect.objectContaining({ resource: { after: 'gate' } })],
    ['updatePermission', undefined, { is_dangerous: { before: false, after: true }, description: { after: 'The main gate' } }],
    ['deletePermission', undefined, expect.objectContaining({ is_dangerous: { before: true } })],
  ])
})

test('roles that are linked to an entry follow it', async () => {
  const { id } = await enter('hatch')
  const role_id = await linked('Sailor', 'hatch')
  await work.flows.updatePermission({ id, resource: 'porthole' })
  expect(await work.table.RolePermissionLink.get({ role_id, permission_id: id }, consistent)).toMatchObject({ resource: 'porthole' })
})

test('an entry in use stays, unless asked to cascade, which unlinks it', async () => {
  const { id } = await enter('safe')
  const role_id = await linked('Cashier', 'safe')
  await expect(work.flows.deletePermission({ id })).rejects.toMatchObject({ code: 'InUse' })
  expect(await work.table.Permission.get({ id }, consistent)).toMatchObject({ version: 1 })
  await work.flows.deletePermission({ id, in_use: 'cascade' })
  expect(await work.table.Permission.get({ id }, consistent)).toBeUndefined()
  expect(await work.table.RolePermissionLink.get({ role_id, permission_id: id }, consistent)).toBeUndefined()
  expect(await work.table.Role.get({ client_id, id: role_id }, consistent)).toBeDefined()
})

describe('a change of an entry that roles are linked to', () => {
  const confirm_dangerous = true
  const refused = (dangerous: string) => ({ code: 'InvalidInput', details: { dangerous: [dangerous] } })
  const severities = async (id: string) =>
    (await work.audit())
      .filter(({ entity_id, action }) => entity_id === id && action === 'updatePermission')
      .map(({ severity }) => severity)

  test('that comes to match what is dangerous needs a confirmation, and is a warning', async () => {
    await work.flows.createPermission({ module: 'keys', action: 'destroy', resource: 'all', is_dangerous: true })
    const { id } = await work.flows.createPermission({ module: 'keys', action: 'read', resource: 'all' })
    const permissions = [{ module: 'keys', action: 'read', resource: 'all' }]
    const role_id = (await work.flows.createRole({ client_id, name: 'Keeper', permission_form: 'linked', permissions })).id
    const widened = { id, action: '*' }
    await expect(work.flows.updatePermission(widened)).rejects.toMatchObject(refused('keys:destroy:all'))
    await expect(work.flows.updatePermission({ ...widened, confirm_dangerous: false })).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await work.table.Permission.get({ id }, consistent)).toMatchObject({ action: 'read', version: 1 })
    await work.flows.updatePermission({ id, action: 'list' })
    expect(await work.flows.updatePermission({ ...widened, confirm_dangerous })).toMatchObject({ action: '*' })
    expect(await severities(id)).toEqual(['info', 'warning'])
    expect(await work.table.RolePermissionLink.get({ role_id, permission_id: id }, consistent)).toMatchObject({ action: '*' })
    // A description needs no confirmation.
    await work.flows.updatePermission({ id, description: 'Whatever is done with keys' })
  })

  test('that marks it as dangerous, or no longer, needs one, too', async () => {
    const { id } = await enter('reactor')
    await linked('Engineer', 'reactor')
    for (const is_dangerous of [true, false]) {
      await expect(work.flows.updatePermission({ id, is_dangerous })).rejects.toMatchObject(refused('doors:open:reactor'))
      await work.flows.updatePermission({ id, is_dangerous, confirm_dangerous })
    }
    expect(await severities(id)).toEqual(['warning', 'warning'])
  })

  test('needs none while no role is', async () => {
    const { id } = await enter('bunker')
    for (const change of [{ is_dangerous: true }, { resource: '*' }, { resource: 'shelter' }, { is_dangerous: false }])
      await work.flows.updatePermission({ id, ...change })
    expect(new Set(await severities(id))).toEqual(new Set(['info']))
  })

  test('loses to any other writer where it names a version', async () => {
    const { id } = await enter('cellar')
    await work.flows.updatePermission({ id, description: 'Below' })
    await expect(work.flows.updatePermission({ id, version: 1, description: 'Beneath' })).rejects.toMatchObject({ code: 'VersionConflict' })
  })
})

test('a role that embeds a permission keeps it when the entry goes', async () => {
  const { id } = await enter('attic')
  const permissions = [{ module: 'doors', action: 'open', resource: 'attic' }]
  const role = await work.flows.createRole({ client_id, name: 'Ghost', permissions })
  await work.flows.deletePermission({ id })
  expect(await work.table.Role.get({ client_id, id: role.id }, consistent)).toEqual(role)
})

test('users do not write it, whatever they may', async () => {
  const { id } = await enter('vault')
  const { flows, asked } = work.acting(ada)
  const refused = { code: 'Denied', details: { reason: 'OperatorsOnly' } }
  await expect(flows.createPermission({ module: 'a', action: 'b', resource: 'c' })).rejects.toMatchObject(refused)
  await expect(flows.updatePermission({ id, is_dangerous: true })).rejects.toMatchObject(refused)
  await expect(flows.deletePermission({ id })).rejects.toMatchObject(refused)
  expect(asked).toEqual([])
})
