import { beforeEach, describe, expect, test } from 'vitest'
import { accountWork } from '../../../../test/account-flows.ts'
import { decideAccountManagement } from '../../decide.ts'

// The key of a link, and that of a mirror by its role, names the role's id and not its owner. Operators choose ids: two roles may have one.

const consistent = { consistent: true }
const use = (resource: string) => ({ module: 'docs', action: 'use', resource })
const atOurs = () => ({ scope_type: 'client', scope_id: ours }) as const
const atTheirs = () => ({ scope_type: 'client', scope_id: theirs }) as const
async function linksAt(role_id: string): Promise<readonly string[]> {
  const { items } = await work.table.linksOfRole({ role_id }, consistent)
  return items.map(({ client_id, resource }) => `${client_id ?? 'SYSTEM'} ${resource}`).sort()
}
async function may(user: string, client: string, resource: string): Promise<boolean> {
  const decider = decideAccountManagement(work.table.runtime)
  return (await decider.can({ user, client, permission: use(resource) }, { consistency: 'strong' })).allowed
}

const work = await accountWork()
const ours = (await work.table.Client.create({ name: 'Ours' })).id
const theirs = (await work.table.Client.create({ name: 'Theirs' })).id
const ada = (await work.table.User.create({ client_id: ours, email: 'ada@ours.example', user_type: 'client_admin' })).id
const eve = (await work.table.User.create({ client_id: theirs, email: 'eve@theirs.example', user_type: 'client_admin' })).id
for (const resource of ['a', 'b']) await work.table.Permission.create(use(resource))

test('a user does not choose the id of a role: it might be that of another', async () => {
  const { id } = await work.flows.createRole({ system: true, name: 'Chosen', permission_form: 'linked', permissions: [use('a')] })
  const refused = { code: 'Denied', details: { reason: 'OperatorsOnly', attribute: 'id' } }
  await expect(work.acting(ada).flows.createRole({ id, name: 'Mine' })).rejects.toMatchObject(refused)
  await expect(work.flows.createRole({ id, client_id: ours, name: 'Mine' })).rejects.toMatchObject({ code: 'AlreadyExists' })
  expect(await work.table.Role.get({ client_id: ours, id }, consistent)).toBeUndefined()
  const chosen = '5e1ec7ed-0000-4000-8000-000000000001'
  expect(await work.flows.createRole({ id: chosen, client_id: ours, name: 'Imported' })).toMatchObject({ id: chosen })
})

describe('of two roles of one id', () => {
  let count = 0
  let id: string
  /** A role of theirs, which may read b, and one of ours or the system's, which may read a. */
  async function both(owner: 'ours' | 'system'): Promise<void> {
    id = `5e1ec7ed-0000-4000-8000-${String(++count).padStart(12, '1')}`
    const name = `Role ${count}`
    const linked = { id, name, permission_form: 'linked' } as const
    await work.flows.createRole({ client_id: theirs, ...linked, permissions: [use('b')] })
    if (owner === 'ours') await work.flows.createRole({ client_id: ours, ...linked, permissions: [use('a')] })
    else await work.flows.createRole({ system: true, ...linked, permissions: [use('a')] })
    await work.flows.assignRole({ user_id: ada, role_id: id, ...atOurs() })
    await work.table.UserRoleAssignment.create({ user_id: eve, role_id: id, role_owner: theirs, ...atTheirs() })
  }
  const mine = (owner: 'ours' | 'system') => (owner === 'ours' ? { id, client_id: ours } : { id, system: true as const })
  const owners = ['ours', 'system'] as const

  beforeEach(() => work.flows.revokeAllRoles({ user_id: ada }).then(() => work.flows.revokeAllRoles({ user_id: eve })))

  test.each(owners)('each grants what it is linked to itself (%s)', async (owner) => {
    await both(owner)
    expect([await may(ada, ours, 'a'), await may(ada, ours, 'b')]).toEqual([true, false])
    expect([await may(eve, theirs, 'a'), await may(eve, theirs, 'b')]).toEqual([false, true])
    const here = { ...mine(owner), remove: [use('b')] }
    await expect(work.flows.changeRolePermissions(here)).rejects.toMatchObject({ code: 'NotFound' })
  })

  test.each(owners)('one embeds its own links, and the other keeps its own (%s)', async (owner) => {
    await both(owner)
    const { permissions } = await work.flows.changeRoleForm({ ...mine(owner), permission_form: 'embedded' })
    expect(permissions).toEqual([use('a')])
    expect(await linksAt(id)).toEqual([`${theirs} b`])
    await work.flows.changeRoleForm({ ...mine(owner), permission_form: 'linked' })
    expect((await linksAt(id)).map((link) => link.slice(-1)).sort()).toEqual(['a', 'b'])
    await expect(work.flows.changeRolePermissions({ ...mine(owner), remove: [use('b')] })).rejects.toMatchObject({ code: 'NotFound' })
  })

  test.each(owners)('one goes with its own links, holders and children, and the other keeps its own (%s)', async (owner) => {
    await both(owner)
    await work.flows.createRole({ client_id: theirs, name: `Child ${count}`, parent_role_id: id })
    await work.flows.deleteRole({ ...mine(owner), in_use: 'cascade' })
    expect(await linksAt(id)).toEqual([`${theirs} b`])
    expect([await may(ada, ours, 'a'), await may(eve, theirs, 'b')]).toEqual([false, true])
    expect(await work.table.roleOfName({ client_id: theirs, name: `Child ${count}` }, consistent)).toBeDefined()
  })

  test.each(owners)('one is reassigned, and the holders of the other stay (%s)', async (owner) => {
    await both(owner)
    await work.flows.createRole({ client_id: theirs, name: `Child ${count}`, parent_role_id: id })
    const whose = owner === 'ours' ? { client_id: ours } : { system: true as const }
    const { id: reassign_to } = await work.flows.createRole({ ...whose, name: `Next ${count}`, permissions: [use('a')] })
    await work.flows.deleteRole({ ...mine(owner), reassign_to })
    expect((await work.table.holdersOfRole({ role_id: id }, consistent)).items.map(({ user_id }) => user_id)).toEqual([eve])
    expect([await may(ada, ours, 'a'), await may(eve, theirs, 'b')]).toEqual([true, true])
  })

  test('one can be hung beneath roles though eight levels are beneath the other', async () => {
    await both('ours')
    let parent_role_id = id
    for (let level = 2; level <= 8; level++)
      parent_role_id = (await work.flows.createRole({ client_id: theirs, name: `Level ${count} ${level}`, parent_role_id })).id
    const { id: top } = await work.flows.createRole({ client_id: ours, name: `Top ${count}` })
    expect(await work.flows.setParentRole({ client_id: ours, id, parent_role_id: top })).toMatchObject({ parent_role_id: top })
  })

  test('neither is linked to what the other is linked to: there is room for one link only', async () => {
    await both('ours')
    await expect(work.flows.changeRolePermissions({ client_id: ours, id, add: [use('b')] })).rejects.toMatchObject({
      code: 'AlreadyExists',
    })
    await work.flows.changeRoleForm({ client_id: ours, id, permission_form: 'embedded' })
    await work.flows.changeRolePermissions({ client_id: ours, id, add: [use('b')] })
    const asked = { client_id: ours, id, permission_form: 'linked' } as const
    await expect(work.flows.changeRoleForm(asked)).rejects.toMatchObject({ code: 'AlreadyExists' })
    expect(await work.table.jobs.list()).toEqual([])
    expect([await may(ada, ours, 'b'), await may(eve, theirs, 'b')]).toEqual([true, true])
  })
})
