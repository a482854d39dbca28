import { describe, expect, test } from 'vitest'
import { accountWork, changesOf, checkedAccountFlows } from '../../../../test/account-flows.ts'
import { holding } from '../../../../test/flow-decider.ts'
import type { PermissionPattern } from '../../permission/permission.ts'

const consistent = { consistent: true }
let count = 0
const name = () => `Role ${++count}`
const pattern = (text: string): PermissionPattern => {
  const [module = '', action = '', resource = ''] = text.split(':')
  return { module, action, resource }
}
const patterns = (...texts: string[]) => texts.map((text) => ({ ...pattern(text) }))
const make = (more: object = {}, client_id = ours) => work.flows.createRole({ client_id, name: name(), ...more })
const reload = (id: string, client_id: string | null = ours) => work.table.Role.get({ client_id, id }, consistent)
const auditOf = async (id: string, client_id: string | undefined = ours) =>
  (await work.audit(client_id)).filter(({ entity_id }) => entity_id === id)
/** Ada's flows, where decisions say that she may and that she has these. */
const adaHolding = (...texts: string[]) =>
  checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: ada } }, { decider: holding(patterns(...texts)) })
const linksOf = async (role_id: string) => {
  const links: string[] = []
  for await (const link of work.table.linksOfRole.all({ role_id }, consistent)) links.push(`${link.module}:${link.action}:${link.resource}`)
  return links.sort()
}

const work = await accountWork()
const ours = (await work.table.Client.create({ name: 'Ours' })).id
const theirs = (await work.table.Client.create({ name: 'Theirs' })).id
const ada = (await work.table.User.create({ client_id: ours, email: 'ada@ours.example', user_type: 'client_admin' })).id
const eve = (await work.table.User.create({ client_id: theirs, email: 'eve@theirs.example', user_type: 'client_admin' })).id
await work.table.Permission.create({ module: 'keys', action: 'destroy', resource: 'vault', is_dangerous: true })

describe('a role', () => {
  test('is created, renamed and deleted, and each is recorded', async () => {
    const { id, ...role } = await make({ name: 'Guard', permissions: patterns('doors:open:gate', 'doors:open:gate') })
    expect(role).toMatchObject({ client_id: ours, is_system: false, permissions: patterns('doors:open:gate'), permission_form: 'embedded' })
    await work.flows.updateRole({ id, client_id: ours, name: 'Guardian' })
    expect(await work.table.roleOfName({ client_id: ours, name: 'Guardian' }, consistent)).toMatchObject({ id })
    await work.flows.deleteRole({ id, client_id: ours })
    expect(await reload(id)).toBeUndefined()
    expect((await auditOf(id)).map((entry) => [entry.action, changesOf(entry)])).toEqual([
      ['createRole', expect.objectContaining({ name: { after: 'Guard' }, permissions: { after: patterns('doors:open:gate') } })],
      ['updateRole', { name: { before: 'Guard', after: 'Guardian' } }],
      ['deleteRole', expect.objectContaining({ name: { before: 'Guardian' } })],
    ])
  })

  test('has a name that no other of its client has', async () => {
    const { name: taken = '' } = await make()
    const message = `This client has a role named '${taken}' already.`
    const refused = { code: 'AlreadyExists', message, details: { guard: 'RoleName' } }
    await expect(make({ name: taken })).rejects.toMatchObject(refused)
    const { id } = await make()
    await expect(work.flows.updateRole({ id, client_id: ours, name: taken })).rejects.toMatchObject(refused)
    await work.flows.createRole({ system: true, name: taken })
    const ofSystem = work.flows.createRole({ system: true, name: taken })
    await expect(ofSystem).rejects.toMatchObject({ message: `The system has a role named '${taken}' already.` })
    await expect(make({ name: taken }, theirs)).resolves.toMatchObject({ client_id: theirs })
  })

  test('of the system is an operator’s, recorded at the system; omitting client_id never means it', async () => {
    const { id, client_id, is_system } = await work.flows.createRole({ system: true, name: name(), permissions: patterns('a:b:c') })
    expect([client_id, is_system]).toEqual([undefined, true])
    expect(await work.table.Role.get({ id }, consistent)).toMatchObject({ is_system: true })
    expect((await work.audit()).at(-1)).toMatchObject({ action: 'createRole', entity_id: id })
    await expect(adaHolding('*:*:*').createRole({ system: true, name: name() })).rejects.toMatchObject({ code: 'Denied' })
    await expect(adaHolding('*:*:*').updateRole({ id, system: true, name: name() })).rejects.toMatchObject({ code: 'Denied' })
    await expect(adaHolding('*:*:*').deleteRole({ id, system: true })).rejects.toMatchObject({ code: 'Denied' })
    await expect(adaHolding('*:*:*').updateRole({ id, name: name() })).rejects.toMatchObject({ code: 'NotFound' })
    const neither = work.flows.createRole({ name: name() })
    await expect(neither).rejects.toMatchObject({ code: 'InvalidInput', message: expect.stringContaining('system: true') })
    await expect(work.flows.createRole({ system: true, client_id: ours, name: name() })).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await adaHolding('*:*:*').createRole({ name: name() })).toMatchObject({ client_id: ours, created_by: ada })
  })

  test('is not touched by one who may not, nor by another client’s', async () => {
    const role = await make({ permissions: patterns('a:b:c') })
    const { id } = role
    for (const flow of ['updateRole', 'deleteRole', 'setParentRole', 'changeRolePermissions'] as const) {
      await expect(work.acting(ada, false).flows[flow]({ id })).rejects.toMatchObject({ code: 'Denied' })
      await expect(work.acting(eve).flows[flow]({ id })).rejects.toMatchObject({ code: 'NotFound' })
      await expect(work.acting(eve).flows[flow]({ id, client_id: ours })).rejects.toMatchObject({ code: 'NotFound' })
    }
    await expect(work.acting(eve).flows.createRole({ client_id: ours, name: name() })).rejects.toMatchObject({ code: 'NotFound' })
    expect(await reload(id)).toEqual(role)
  })
})

describe('permissions', () => {
  test('are added and taken away; of ten who add at once none is lost', async () => {
    const { id } = await make({ permissions: patterns('a:b:c', 'a:b:d') })
    await work.flows.changeRolePermissions({ id, client_id: ours, add: patterns('a:b:e', 'a:b:c'), remove: patterns('a:b:d') })
    expect((await reload(id))?.permissions).toEqual(patterns('a:b:c', 'a:b:e'))
    expect(changesOf((await auditOf(id)).at(-1))).toEqual({
      permissions: { before: patterns('a:b:c', 'a:b:d'), after: patterns('a:b:c', 'a:b:e') },
    })
    const added = Array.from({ length: 10 }, (_, index) => `many:at:${index}`)
    await Promise.all(added.map((text) => work.flows.changeRolePermissions({ id, client_id: ours, add: patterns(text) })))
    expect((await reload(id))?.permissions).toHaveLength(12)
    await work.flows.changeRolePermissions({ id, client_id: ours, add: patterns('a:b:c') })
    expect(await auditOf(id)).toHaveLength(12)
  })

  test('that the role lacks are not taken away, and nothing is: what was mistyped would be believed gone', async () => {
    const { id } = await make({ permissions: patterns('a:*:*', 'a:b:c') })
    const change = { id, client_id: ours, add: patterns('d:e:f') }
    for (const remove of [patterns('a:b:c', 'a:b:d'), patterns('*:*:*')])
      await expect(work.flows.changeRolePermissions({ ...change, remove })).rejects.toMatchObject({
        code: 'NotFound',
        message: expect.stringContaining('no permission'),
      })
    const both = work.flows.changeRolePermissions({ ...change, remove: patterns('d:e:f') })
    await expect(both).rejects.toMatchObject({ code: 'InvalidInput', message: expect.stringContaining('d:e:f') })
    expect((await reload(id))?.version).toBe(1)
  })

  test('are said in three parts or as text, and kept as the catalogue would keep them', async () => {
    // The form that the command and HTTP take; programs give the parts.
    const asText = ['doors:open:gate', 'doors:*:e\u0301'] as unknown as PermissionPattern[]
    const { id, permissions } = await make({ permissions: [...asText, { module: ' Doors ', action: 'open', resource: 'a#b' }] })
    expect(permissions).toEqual([...patterns('doors:open:gate', 'doors:*:\u00e9'), { module: 'Doors', action: 'open', resource: 'a#b' }])
    await work.flows.changeRolePermissions({ id, client_id: ours, remove: asText.slice(0, 1) })
    expect((await reload(id))?.permissions).toHaveLength(2)
  })

  test.each([
    ['an empty part', { module: 'a', action: ' ', resource: 'c' }, 'permissions.0.action is empty'],
    ['a # where another part follows', { module: 'a#:b', action: 'b', resource: 'c' }, "permissions.0.module holds '#'"],
    ['a control character', { module: 'a', action: 'b', resource: 'c\u0007' }, 'permissions.0.resource holds a control character'],
    ['a part that is too long', { module: 'a', action: 'b', resource: 'c'.repeat(1025) }, 'permissions.0'],
    ['a part that is no text', { module: 'a', action: 7, resource: 'c' }, 'permissions.0.action is not text'],
    ['a part too few', { module: 'a', action: 'b' }, 'permissions.0.resource is missing'],
    ['a part too many', { module: 'a', action: 'b', resource: 'c', scope: 'd' }, 'permissions.0 has a part that is none of'],
    ['text of two parts', 'a:b', 'permissions.0 is neither {module, action, resource} nor module:action:resource'],
    ['text of four parts', 'a:b:c:d', 'permissions.0 is neither {module, action, resource} nor module:action:resource'],
    ['nothing of the kind', 7, 'permissions.0 is neither {module, action, resource} nor module:action:resource'],
    ['nothing', null, 'permissions.0 is neither {module, action, resource} nor module:action:resource'],
  ])('with %s are refused', async (_, said, message) => {
    const refused = { code: 'InvalidInput', message: expect.stringContaining(message) }
    await expect(make({ permissions: [said] })).rejects.toMatchObject(refused)
    const { id } = await make()
    const add = [said] as unknown as PermissionPattern[]
    const adding = work.flows.changeRolePermissions({ id, client_id: ours, add })
    await expect(adding).rejects.toMatchObject({ ...refused, message: expect.stringContaining(message.replace('permissions', 'add')) })
  })

  test('such as no role is given any more are taken away still', async () => {
    const odd = { module: 'a#:b', action: '', resource: 'c' }
    const { id } = await work.table.Role.create({ client_id: ours, name: name(), permissions: [odd, { ...odd, module: 'a' }] })
    await work.flows.changeRolePermissions({ id, client_id: ours, remove: [odd, { ...odd, module: 'a' }] })
    expect((await reload(id))?.permissions).toEqual([])
  })

  test('above a thousand are not embedded', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => pattern(`a:b:${index}`)).map((each) => ({ ...each }))
    await expect(make({ permissions: many })).rejects.toMatchObject({ code: 'InvalidInput' })
    const { id } = await make({ permissions: many.slice(1) })
    const more = work.flows.changeRolePermissions({ id, client_id: ours, add: many.slice(0, 1) })
    await expect(more).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test.each(['embedded', 'linked'] as const)(
    'above a thousand are given and taken by several calls, whatever is said of them (%s)',
    async (permission_form) => {
      const { id } = await make({ permission_form })
      const issues = (name: string) => [{ path: [name], message: 'has more than 1000 members' }]
      const flows = adaHolding('doors:open:gate')
      for (const size of [1001, 240_000]) {
        // A value that is no permission at all would be told of each of them.
        const permissions = Array<PermissionPattern>(size).fill({} as unknown as PermissionPattern)
        const refused = (name: string) => ({ code: 'InvalidInput', details: { issues: issues(name) } })
        for (const each of [flows, work.flows]) {
          await expect(each.createRole({ client_id: ours, name: name(), permission_form, permissions })).rejects.toMatchObject(
            refused('permissions'),
          )
          for (const change of ['add', 'remove'])
            await expect(each.changeRolePermissions({ client_id: ours, id, [change]: permissions })).rejects.toMatchObject(refused(change))
        }
      }
    },
  )

  test('that a user grants it holds itself at the client; for any in a part it holds any', async () => {
    const flows = adaHolding('doors:*:gate', 'lights:on:hall')
    const grant = (...texts: string[]) => flows.createRole({ name: name(), permissions: patterns(...texts) })
    await expect(grant('doors:open:gate', 'doors:*:gate', 'lights:on:hall')).resolves.toBeDefined()
    const refused = { code: 'Denied', details: { reason: 'NotHeld' } }
    for (const text of ['doors:open:*', 'doors:*:*', '*:open:gate', 'lights:*:hall', 'lights:off:hall', '*:*:*'])
      await expect(grant(text), text).rejects.toMatchObject(refused)
    const { id } = await make({ permissions: patterns('secret:read:all') })
    await expect(flows.changeRolePermissions({ id, add: patterns('lights:off:hall') })).rejects.toMatchObject(refused)
    await flows.changeRolePermissions({ id, add: patterns('lights:on:hall'), remove: patterns('secret:read:all') })
    expect((await reload(id))?.permissions).toEqual(patterns('lights:on:hall'))
  })

  test('of a parent are granted, too', async () => {
    const { id: parent_role_id } = await make({ permissions: patterns('secret:read:all') })
    const { id } = await make()
    const refused = { code: 'Denied', details: { reason: 'NotHeld' } }
    const flows = adaHolding('doors:open:gate')
    await expect(flows.createRole({ name: name(), parent_role_id })).rejects.toMatchObject(refused)
    await expect(flows.setParentRole({ id, parent_role_id })).rejects.toMatchObject(refused)
    await expect(adaHolding('secret:*:all').setParentRole({ id, parent_role_id })).resolves.toMatchObject({ parent_role_id })
  })

  test.each(['keys:destroy:vault', 'keys:*:vault', '*:*:*'])(
    'that are dangerous (%s) need a confirmation and are a warning',
    async (text) => {
      const dangerous = { permissions: patterns(text) }
      await expect(make(dangerous)).rejects.toMatchObject({ code: 'InvalidInput', details: { dangerous: ['keys:destroy:vault'] } })
      await expect(make({ ...dangerous, confirm_dangerous: false })).rejects.toMatchObject({ code: 'InvalidInput' })
      const { id: parent_role_id } = await make({ ...dangerous, confirm_dangerous: true })
      expect((await auditOf(parent_role_id))[0]).toMatchObject({ severity: 'warning', metadata: { dangerous: ['keys:destroy:vault'] } })
      const { id } = await make()
      expect((await auditOf(id))[0]).toMatchObject({ severity: 'info' })
      await expect(work.flows.setParentRole({ id, client_id: ours, parent_role_id })).rejects.toMatchObject({ code: 'InvalidInput' })
      await work.flows.setParentRole({ id, client_id: ours, parent_role_id, confirm_dangerous: true })
      expect((await auditOf(id))[1]).toMatchObject({ severity: 'warning' })
      const add = patterns(text)
      const { id: other } = await make()
      await expect(work.flows.changeRolePermissions({ id: other, client_id: ours, add })).rejects.toMatchObject({ code: 'InvalidInput' })
    },
  )
})

describe('a linked role', () => {
  const enter = (resource: string) => work.flows.createPermission({ module: 'linked', action: 'use', resource })

  test('has links instead, which the catalogue must have', async () => {
    for (const resource of ['a', 'b', 'c']) await enter(resource)
    const role = await make({ permission_form: 'linked', permissions: patterns('linked:use:a', 'linked:use:b') })
    const { id } = role
    expect(role.permissions).toEqual([])
    expect(await linksOf(id)).toEqual(['linked:use:a', 'linked:use:b'])
    await work.flows.changeRolePermissions({ id, client_id: ours, add: patterns('linked:use:c'), remove: patterns('linked:use:a') })
    expect(await linksOf(id)).toEqual(['linked:use:b', 'linked:use:c'])
    expect((await auditOf(id)).map(({ metadata }) => metadata)).toMatchObject([
      { granted: ['linked:use:a', 'linked:use:b'] },
      { granted: ['linked:use:c'], withdrawn: ['linked:use:a'] },
    ])
    const unknown = { id, client_id: ours, add: patterns('linked:use:unknown') }
    await expect(work.flows.changeRolePermissions(unknown)).rejects.toMatchObject({ code: 'NotFound' })
    await expect(make({ permission_form: 'linked', permissions: unknown.add })).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('of many permissions is linked by a durable job, and changed by one', async () => {
    const resources = Array.from({ length: 70 }, (_, index) => `many${index}`)
    for (const resource of resources) await enter(resource)
    const permissions = patterns(...resources.map((resource) => `linked:use:${resource}`))
    const { id } = await make({ permission_form: 'linked', permissions })
    expect(await linksOf(id)).toHaveLength(70)
    await work.flows.changeRolePermissions({ id, client_id: ours, remove: permissions.slice(0, 60), add: patterns('linked:use:a') })
    expect(await linksOf(id)).toHaveLength(11)
    expect(await work.table.jobs.list()).toEqual([])
    const granted = (await auditOf(id)).flatMap(({ metadata }) => (metadata as { granted?: string[] }).granted ?? [])
    expect(new Set(granted).size).toBe(71)
  })

  test('is checked for what is held and what is dangerous as an embedded one', async () => {
    const permissions = patterns('keys:destroy:vault')
    const linked = { permission_form: 'linked', permissions } as const
    await expect(make(linked)).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(adaHolding('keys:read:vault').createRole({ name: name(), ...linked, confirm_dangerous: true })).rejects.toMatchObject({
      code: 'Denied',
    })
    const { id: parent_role_id } = await make({ ...linked, confirm_dangerous: true })
    await expect(make({ parent_role_id })).rejects.toMatchObject({ code: 'InvalidInput' })
  })
})

test('the assignable roles of a client are its own and those of the system, page by page', async () => {
  const { id: client_id } = await work.table.Client.create({ name: 'Listed' })
  for (let each = 0; each < 5; each++) await make({}, client_id)
  const all: { readonly id: string; readonly client_id?: string }[] = []
  for (const limit of [1, 3, 100]) {
    all.length = 0
    let cursor: string | undefined
    do {
      const page = await work.flows.assignableRoles({ client_id, limit, ...(cursor === undefined ? {} : { cursor }) })
      all.push(...page.items)
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(all.filter((role) => role.client_id === client_id)).toHaveLength(5)
    expect(all.filter((role) => role.client_id === undefined)).toHaveLength(
      (await work.table.systemRoles({}, { limit: 1000 })).items.length,
    )
    expect(all.length).toBeGreaterThan(5)
  }
})

test('who names a version loses to any other writer', async () => {
  const { id } = await make()
  await work.flows.updateRole({ id, client_id: ours, description: 'x' })
  const named = { id, client_id: ours, version: 1 }
  const conflict = { code: 'VersionConflict' }
  await expect(work.flows.updateRole({ ...named, name: name() })).rejects.toMatchObject(conflict)
  await expect(work.flows.setParentRole({ ...named, parent_role_id: (await make()).id })).rejects.toMatchObject(conflict)
  await expect(work.flows.changeRolePermissions({ ...named, add: patterns('a:b:c') })).rejects.toMatchObject(conflict)
  await expect(work.flows.deleteRole(named)).rejects.toMatchObject(conflict)
})
