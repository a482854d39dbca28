import { expect, test } from 'vitest'
import { accountWork, checkedAccountFlows } from '../../../../test/account-flows.ts'

// Internal users are written only by operators (spec rule 23): a client's own users take roles from them, and give them none.

const consistent = { consistent: true }
const atClient = () => ({ scope_type: 'client', scope_id: client_id }) as const
const held = (user_id: string, role_id: string) => work.table.UserRoleAssignment.get({ user_id, role_id, ...atClient() }, consistent)
const role = async (name: string) => (await work.flows.createRole({ client_id, name })).id
async function internal(email: string): Promise<string> {
  return (await work.table.User.create({ email, user_type: 'internal' })).id
}

const work = await accountWork()
const client_id = (await work.table.Client.create({ name: 'Ours' })).id
const ada = (await work.table.User.create({ client_id, email: 'ada@ours.example', user_type: 'client_admin' })).id
const all = { module: '*', action: '*', resource: '*' }
const { id: role_id } = await work.flows.createRole({ client_id, name: 'Admin', permissions: [all] })
await work.flows.assignRole({ user_id: ada, role_id, ...atClient() })

test('a user who deletes a role moves no internal user to another; an operator does', async () => {
  const [from, to] = [await role('Old'), await role('New')]
  const [isa, ike] = [await internal('isa@example.org'), await internal('ike@example.org')]
  const expires_at = '2199-01-01T00:00:00.000Z'
  for (const user_id of [isa, ike]) await work.flows.assignRole({ user_id, role_id: from, ...atClient() })
  await work.flows.assignRole({ user_id: ike, role_id: to, ...atClient(), expires_at })
  const hers = checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: ada } })
  await expect(hers.deleteRole({ id: from, reassign_to: to })).rejects.toMatchObject({
    code: 'InUse',
    message: expect.stringContaining('internal user'),
  })
  for (const user_id of [isa, ike]) expect(await held(user_id, from)).toBeDefined()
  expect(await held(isa, to)).toBeUndefined()
  expect(await held(ike, to)).toMatchObject({ expires_at })
  expect(await work.table.jobs.list()).toEqual([])
  await work.flows.deleteRole({ client_id, id: from, reassign_to: to })
  expect(await work.table.Role.get({ client_id, id: from }, consistent)).toBeUndefined()
  expect(await held(isa, to)).toBeDefined()
  expect(await held(ike, to)).not.toHaveProperty('expires_at')
})

test('a user who deletes a role takes it from internal users, where it asks to cascade', async () => {
  const id = await role('Short')
  const ivy = await internal('ivy@example.org')
  await work.flows.assignRole({ user_id: ivy, role_id: id, ...atClient() })
  const hers = checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: ada } })
  await hers.deleteRole({ id, in_use: 'cascade' })
  expect(await held(ivy, id)).toBeUndefined()
})
