import { meter } from '@freehold/table'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  acting,
  ada,
  as,
  at,
  atClient,
  bob,
  denied,
  entries,
  failure,
  give,
  givenAnew,
  holdUpWrites,
  hooks,
  newProject,
  newRole,
  newUser,
  ours,
  permission,
  projects,
  revoke,
  role_id,
  suspend,
  work,
} from '../../../test/held-up-writes.ts'
import { wholeTable } from '../../../test/whole-table.ts'

// A write that was held up after its caller had been allowed, while somebody else took away what that rested on.

holdUpWrites()

describe('a write that was held up', () => {
  test.each([
    ['its caller was disabled', 'UserNotActive', () => work.flows.disableUser({ id: ada })],
    ['its caller was removed', 'UnknownUser', () => work.flows.deleteUser({ id: ada })],
    ['the role was revoked', 'NoAssignment', () => revoke(ada, role_id)],
    ['the role was removed', 'NoAssignment', () => work.flows.deleteRole({ id: role_id, client_id: ours, in_use: 'cascade' })],
    ['the role was given anew, for later', 'AssignmentNotStarted', () => givenAnew(ada, role_id, { start_at: at(1) })],
    [
      'the role granted something else',
      'NoGrant',
      () => work.flows.changeRolePermissions({ id: role_id, client_id: ours, remove: permission('create project') }),
    ],
    ['its client was suspended', 'ClientSuspended', suspend],
  ])('until %s is not applied, nor recorded', async (_, reason, change) => {
    hooks.meanwhile = change
    await expect(acting.createProject({ name: 'late' })).rejects.toMatchObject(denied(reason))
    expect([await projects(), await entries('createProject')]).toEqual([0, [failure(reason)]])
  })

  test('until its caller had lost the role and got another is applied', async () => {
    hooks.meanwhile = async () => {
      await give(ada, ['create project'])
      await revoke(ada, role_id)
    }
    await expect(acting.createProject({ name: 'late' })).resolves.toBeDefined()
    expect([await projects(), (await entries('createProject')).length]).toEqual([1, 1])
  })

  test.each([
    [
      'lost its permission',
      (parent: string) => work.flows.changeRolePermissions({ id: parent, client_id: ours, remove: permission('create zone') }),
    ],
    ['was taken away', () => work.flows.setParentRole({ id: role_id, client_id: ours, parent_role_id: null })],
  ])('until the role above, by which it was allowed, %s is not applied', async (_, change) => {
    const parent = await newRole('create zone')
    await work.flows.setParentRole({ id: role_id, client_id: ours, parent_role_id: parent })
    const { id: project_id } = await work.flows.createProject({ client_id: ours, name: 'Harbour' })
    const { id: building_id } = await work.flows.createBuilding({ project_id, name: 'Pier' })
    hooks.meanwhile = () => change(parent)
    await expect(acting.createZone({ building_id, name: 'late', type: 'office' })).rejects.toMatchObject(denied('NoGrant'))
    expect((await work.table.zonesOfBuilding({ building_id })).items).toEqual([])
  })

  test.each([
    ['lost its permission', { permissions: { L: [] } }, [0]],
    ['got another name', { name: { S: 'Other' } }, [1]],
  ])('until a role of another program, which counts no versions, %s', async (_, change, expected) => {
    const key = { PK: { S: `CLIENT#${ours}` }, SK: { S: `ROLE#${role_id}` } }
    const { sender, table: TableName } = work.table.runtime
    const { Item: { version: _version, writeId: _writeId, ...item } = {} } = await sender.send('GetItem', { TableName, Key: key })
    expect(item).toMatchObject({ Type: { S: 'Role' } })
    const put = (more: typeof item) => sender.send('PutItem', { TableName, Item: { ...item, ...more } })
    await put({})
    hooks.meanwhile = () => put(change)
    await acting.createProject({ name: 'late' }).catch((error: unknown) => expect(error).toMatchObject(denied('NoGrant')))
    expect([await projects()]).toEqual(expected)
  })

  test('until a linked role lost what it allows is not applied', async () => {
    const [entry] = permission('create device')
    if (entry === undefined) throw new Error('a permission')
    await work.flows.createPermission(entry).catch(() => undefined)
    const { id } = await work.flows.createRole({ client_id: ours, name: 'Linked', permission_form: 'linked', permissions: [entry] })
    await work.flows.assignRole({ user_id: ada, role_id: id, ...atClient() })
    const { id: project_id } = await work.flows.createProject({ client_id: ours, name: 'Harbour' })
    const { id: building_id } = await work.flows.createBuilding({ project_id, name: 'Pier' })
    hooks.meanwhile = () => work.flows.changeRolePermissions({ id, client_id: ours, remove: [entry] })
    await expect(acting.createDevice({ building_id, name: 'late', type: 'hvac' })).rejects.toMatchObject(denied('NoGrant'))
  })

  describe('rests on the scope chain below the assignment:', () => {
    const moved = async () => {
      const [from, to] = [await newProject(), await newProject()]
      const { id: building_id } = await work.flows.createBuilding({ project_id: from, name: 'Pier' })
      const give = (scope_type: 'project' | 'building', scope_id: string, ...texts: string[]) =>
        newRole(...texts).then((id) => work.flows.assignRole({ user_id: bob, role_id: id, scope_type, scope_id }))
      hooks.meanwhile = undefined
      const move = () => work.flows.moveBuilding({ id: building_id, project_id: to })
      return { from, building_id, give, move }
    }
    const at = (building_id: string) => ({ scope_type: 'building', scope_id: building_id }) as const
    const writes: Readonly<Record<string, (building_id: string, friend: string, role: string) => Promise<unknown>>> = {
      createDevice: (building_id) => as(bob).createDevice({ building_id, name: 'afterwards', type: 'hvac' }),
      createZone: (building_id) => as(bob).createZone({ building_id, name: 'afterwards', type: 'office' }),
      updateBuilding: (building_id) => as(bob).updateBuilding({ id: building_id, name: 'afterwards' }),
      setSetting: (building_id) => as(bob).setSetting({ ...at(building_id), key: 'afterwards', value: 'x', value_type: 'string' }),
      assignRole: (building_id, user_id, role) => as(bob).assignRole({ user_id, role_id: role, ...at(building_id) }),
    }

    test.each(Object.entries(writes))('%s in a building that was moved out of the project is not applied', async (_, write) => {
      const { from, building_id, give, move } = await moved()
      const [friend, shared] = [await newUser(ours), await newRole('create zone')]
      await give('project', from, 'create device', 'create zone', 'update building', 'write setting', 'assign role')
      hooks.meanwhile = move
      await expect(write(building_id, friend, shared)).rejects.toMatchObject({ code: 'Denied' })
      const written = (await wholeTable(work.table)).filter(
        ({ Type, SK, ...values }) => Type !== 'AuditLog' && (Object.values(values).includes('afterwards') || values.user_id === friend),
      )
      expect(written).toEqual([])
    })

    test('a building that moves below the same assignment, or beside one at the building itself, is written', async () => {
      const { building_id, give, move } = await moved()
      await give('building', building_id, 'create zone')
      hooks.meanwhile = move
      await expect(as(bob).createZone({ building_id, name: 'afterwards', type: 'office' })).resolves.toMatchObject({ building_id })
    })
  })

  test('and is not audited is not applied either', async () => {
    const reporter = await give(ada, ['report device'])
    const { id: building_id } = await work.flows.createBuilding({ project_id: await newProject(), name: 'Pier' })
    const { id } = await work.flows.createDevice({ building_id, name: 'Heater', type: 'hvac' })
    await work.flows.deviceSeen({ building_id, id })
    const before = await work.table.Device.get({ building_id, id }, { consistent: true })
    hooks.now_ms += 3_600_000
    hooks.meanwhile = () => revoke(ada, reporter)
    await expect(acting.deviceSeen({ building_id, id })).rejects.toMatchObject(denied('NoGrant'))
    expect(await work.table.Device.get({ building_id, id }, { consistent: true })).toEqual(before)
  })

  test('of what is one’s own is not applied either once one is disabled, or of another client, or one’s client is suspended', async () => {
    const setting = (of: string) => ({ scope_type: 'user', scope_id: of, key: 'theme', value: 'dark' }) as const
    const theirs = (await work.flows.createClient({ name: 'Theirs' })).id
    for (const [change, reason] of [
      [() => work.flows.disableUser({ id: ada }), 'UserNotActive'],
      [() => work.flows.moveUser({ id: bob, client_id: theirs }), 'ForeignUser'],
      [suspend, 'ClientNotActive'],
    ] as const) {
      const id = reason === 'UserNotActive' ? ada : reason === 'ForeignUser' ? bob : await newUser(ours)
      hooks.meanwhile = change
      await expect(as(id).setSetting(setting(id))).rejects.toMatchObject(denied(reason))
      expect((await work.table.settingsOfScope({ scope_type: 'user', scope_id: id })).items).toEqual([])
    }
  })

  test('whose caller changes what it rests on is applied', async () => {
    const own = permission('create project', 'revoke role', 'disable user')
    const { id } = await work.flows.createRole({ client_id: ours, name: 'Leaver', permissions: own })
    await work.flows.assignRole({ user_id: ada, role_id: id, ...atClient() })
    await acting.changeRolePermissions({ id: role_id, remove: permission('create role') })
    await acting.revokeRole({ user_id: ada, role_id, ...atClient() })
    await expect(acting.disableUser({ id: ada })).resolves.toMatchObject({ status: 'disabled' })
    await expect(acting.revokeRole({ user_id: ada, role_id: id, ...atClient() })).rejects.toMatchObject(denied('UserNotActive'))
  })
})

describe('a write of an internal user, who is of no client', () => {
  let ian: string
  beforeEach(async () => {
    ian = await newUser()
    await work.flows.assignRole({ user_id: ian, role_id, ...atClient() })
    hooks.sent = []
  })
  test.each([
    ['it was disabled', 'UserNotActive', () => work.flows.disableUser({ id: ian })],
    ['its role was revoked', 'NoAssignment', () => revoke(ian, role_id)],
    ['the client was suspended', 'ClientSuspended', suspend],
  ])('is not applied where %s meanwhile', async (_, reason, change) => {
    hooks.meanwhile = change
    await expect(as(ian).createProject({ client_id: ours, name: 'late' })).rejects.toMatchObject(denied(reason))
    expect(await projects()).toBe(0)
  })

  test('is applied at once where nothing was changed', async () => {
    await as(ian).createProject({ client_id: ours, name: 'x' })
    expect([await projects(), hooks.sent.length]).toEqual([1, 1])
  })
})

describe('many at once', () => {
  test('of one caller need one transaction each at most', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => acting.createProject({ name: `Project ${index}` })))
    expect(await projects()).toBe(12)
    expect(hooks.sent.length).toBeLessThanOrEqual(12)
  })

  test('that write the role that all have it by are all done', async () => {
    await give(ada, ['create project'])
    const children = Array.from({ length: 12 }, (_, index) => acting.createRole({ name: `Beneath ${index}`, parent_role_id: role_id }))
    await Promise.all([...children, ...Array.from({ length: 5 }, (_, index) => acting.createProject({ name: `Project ${index}` }))])
    expect(await projects()).toBe(5)
  })
})

test('a ground that changes before each write ends with a denial', async () => {
  let changes = 0
  hooks.meanwhile = async () => {
    changes++
    await work.table.Role.update({ client_id: ours, id: role_id }, { description: `Change ${changes}` })
    return true
  }
  await expect(acting.createProject({ name: 'late' })).rejects.toMatchObject(denied('BasisChanged'))
  expect([changes, await projects()]).toEqual([20, 0])
})

test('grounds cost neither a request nor a round trip: two write units for each', async () => {
  const { cost: byUser } = await meter(() => acting.createProject({ name: 'x' }))
  const { cost: byOperator } = await meter(() => work.flows.createProject({ client_id: ours, name: 'y' }))
  // Of the caller are read what its role is given for, and the roles. It comes along with its client, which is checked anyhow.
  expect(byUser.requests - byOperator.requests).toBe(5)
  expect(byUser.writeUnits - byOperator.writeUnits).toBe(6)
})
