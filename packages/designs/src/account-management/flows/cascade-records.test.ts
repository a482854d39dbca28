import { beforeAll, describe, expect, test } from 'vitest'
import { engineSender } from '../../../../../test/engine/endpoint.ts'
import { type AccountWork, type AuditView, accountWork } from '../../../test/account-flows.ts'
import { dyingSender } from '../../../test/dying-sender.ts'

// A removal that takes items along records each of them, with its own last values: whose access went.

let work: AccountWork
let ours: string
let count = 0
beforeAll(async () => {
  work = await accountWork()
})

const newUser = async (client_id: string) =>
  (await work.table.User.create({ client_id, email: `user${++count}@ours.example`, user_type: 'client_admin' })).id
const newRole = async (more: object = {}) =>
  (
    await work.flows.createRole({
      client_id: ours,
      name: `Role ${++count}`,
      permissions: [{ module: 'm', action: 'a', resource: 'r' }],
      ...more,
    })
  ).id
const assign = (user_id: string, role_id: string, scope: object = { scope_type: 'client', scope_id: ours }) =>
  work.flows.assignRole({ user_id, role_id, ...scope } as never)

/** The entries of a flow that tell of items that went along. */
const goneWith = async (action: string, client_id: string | undefined): Promise<readonly AuditView[]> =>
  (await work.audit(client_id)).filter((entry) => entry.action === action && Reflect.get(entry.metadata as object, 'job') !== undefined)
const related = (entries: readonly AuditView[]) => entries.map(({ related_entities }) => related_entities)
const byText = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).sort()

beforeAll(async () => {
  ours = (await work.flows.createClient({ name: 'Ours' })).id
})

describe('a removal that takes items along tells of each', () => {
  test('of deleteRole: the assignments, and the roles beneath', async () => {
    const [ada, bob] = [await newUser(ours), await newUser(ours)]
    const role = await newRole()
    const child = await newRole({ parent_role_id: role })
    await assign(ada, role)
    await assign(bob, child)
    await work.flows.deleteRole({ id: role, client_id: ours, in_use: 'cascade' })
    const told = await goneWith('deleteRole', ours)
    const scope = { scope_type: 'client', scope_id: ours }
    expect(told).toHaveLength(3)
    expect(related(told)).toEqual(
      expect.arrayContaining([
        { user_id: ada, ...scope, role_id: role },
        { user_id: bob, ...scope, role_id: child },
        { id: child, client_id: ours },
      ]),
    )
    expect(told.find((entry) => entry.entity_type === 'UserRoleAssignment')).toMatchObject({
      status: 'success',
      client_id: ours,
      metadata: {
        operator: true,
        removed_with: 'Role',
        changes: { scope_type: { before: 'client' }, role_id: { before: expect.any(String) } },
      },
    })
  })

  test('of deleteUser: its assignments, sessions and tokens, and no secret', async () => {
    const user = await newUser(ours)
    await assign(user, await newRole())
    await work.flows.createSession({ user_id: user })
    await work.flows.createToken({ user_id: user, token_type: 'api' })
    await work.flows.deleteUser({ id: user })
    const told = await goneWith('deleteUser', ours)
    expect(told.map(({ entity_type }) => entity_type).sort()).toEqual(['AuthToken', 'LoginSession', 'UserRoleAssignment'])
    for (const entry of told) expect(entry.related_entities).toMatchObject({ user_id: user })
    expect(JSON.stringify(told)).not.toContain('token_hash')
  })

  test('of deleteProject: the assignments at it and at its buildings', async () => {
    const user = await newUser(ours)
    const role = await newRole()
    const { id: project } = await work.flows.createProject({ client_id: ours, name: 'p' })
    const { id: building } = await work.flows.createBuilding({ project_id: project, name: 'b' })
    await assign(user, role, { scope_type: 'project', scope_id: project })
    await assign(user, role, { scope_type: 'building', scope_id: building })
    await work.flows.deleteProject({ id: project })
    const told = (await goneWith('deleteProject', ours)).filter(({ entity_type }) => entity_type === 'UserRoleAssignment')
    expect(
      related(told)
        .map((each) => Reflect.get(each as object, 'scope_id'))
        .sort(),
    ).toEqual([project, building].sort())
  })

  test('of deletePermission: each role that loses it, in the audit of its own client', async () => {
    const permission = { module: 'doors', action: 'open', resource: `gate${++count}` }
    const { id } = await work.flows.createPermission({ ...permission, description: 'd' } as never)
    const theirs = (await work.flows.createClient({ name: 'Theirs' })).id
    const linked = await Promise.all(
      [ours, theirs].map((client_id) =>
        work.flows.createRole({ client_id, name: `Role ${++count}`, permission_form: 'linked', permissions: [permission] }),
      ),
    )
    await work.flows.deletePermission({ id, in_use: 'cascade' })
    for (const [index, client_id] of [ours, theirs].entries())
      expect(related(await goneWith('deletePermission', client_id))).toEqual([{ role_id: linked[index]?.id, permission_id: id }])
    expect((await goneWith('deletePermission', ours)).map(({ entity_type }) => entity_type)).toEqual(['RolePermissionLink'])
    expect(await goneWith('deletePermission', undefined)).toEqual([])
  })

  test('of a caller that is a user, by its name', async () => {
    const [eve, bob] = [await newUser(ours), await newUser(ours)]
    const role = await newRole()
    await assign(bob, role)
    await work.acting(eve).flows.deleteRole({ id: role, in_use: 'cascade' })
    expect((await goneWith('deleteRole', ours)).filter(({ user_id }) => user_id === eve)).toMatchObject([
      { related_entities: { user_id: bob }, metadata: { removed_with: 'Role' } },
    ])
  })
})

test('a process that ends at any request leaves one entry for each item, once another goes on', async () => {
  for (let writes = 1; ; writes++) {
    const role = await newRole()
    const users = await Promise.all([1, 2, 3].map(() => newUser(ours)))
    for (const user of users) await assign(user, role)
    const dying = dyingSender(engineSender(), writes)
    const halfway = await accountWork({ sender: dying.sender, table: work.table.runtime.table, patience_ms: 0 })
    await halfway.flows.deleteRole({ id: role, client_id: ours, in_use: 'cascade' }).catch(() => {})
    const later = await accountWork({ table: work.table.runtime.table, now: () => new Date(Date.now() + 60_000) })
    await later.table.jobs.resume()
    const told = (await goneWith('deleteRole', ours)).filter(
      ({ related_entities }) => Reflect.get(related_entities as object, 'role_id') === role,
    )
    expect(byText(related(told).map((each) => Reflect.get(each as object, 'user_id')))).toEqual(byText(users))
    if (!dying.isDead()) break
  }
})

test('a role that is reassigned closes each old assignment, and tells scope and end of the new one', async () => {
  const user = await newUser(ours)
  const [from, to] = [await newRole(), await newRole()]
  await work.flows.assignRole({
    user_id: user,
    role_id: from,
    scope_type: 'client',
    scope_id: ours,
    expires_at: '2199-01-01T00:00:00.000Z',
  })
  await work.flows.deleteRole({ id: from, client_id: ours, reassign_to: to })
  const told = (await work.audit(ours)).filter(
    ({ action, related_entities }) => action === 'deleteRole' && Reflect.get((related_entities ?? {}) as object, 'user') === user,
  )
  const scope = (side: string) => ({
    role_id: { [side]: side === 'before' ? from : to },
    scope_id: { [side]: ours },
    expires_at: { [side]: '2199-01-01T00:00:00.000Z' },
  })
  expect(told.map(({ metadata }) => Reflect.get(metadata as object, 'changes'))).toEqual(
    expect.arrayContaining([expect.objectContaining(scope('before')), expect.objectContaining(scope('after'))]),
  )
  expect(told).toHaveLength(2)
})
