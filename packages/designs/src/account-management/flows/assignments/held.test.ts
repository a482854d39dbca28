import { describe, expect, test } from 'vitest'
import { accountWork, checkedAccountFlows } from '../../../../test/account-flows.ts'
import { holding } from '../../../../test/flow-decider.ts'
import { setLiterally } from '../../../../test/literal-items.ts'
import { isOfWork } from '../../../../test/transaction-of-work.ts'
import { linksAtOnceMax } from '../roles/role-links.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const work = await accountWork({ now: () => new Date(now++) })
const client_id = (await work.table.Client.create({ name: 'Ours' })).id

let count = 0
const pattern = (text: string) => {
  const [module = '', action = '', resource = ''] = text.split(':')
  return { module, action, resource }
}
const patterns = (...texts: string[]) => texts.map(pattern)
const changing = ['account-management:create:role', 'account-management:update:role']
const atClient = () => ({ scope_type: 'client', scope_id: client_id }) as const
const user = async () => (await work.table.User.create({ client_id, email: `user${++count}@example.org`, user_type: 'client_admin' })).id
const make = async (...texts: string[]) =>
  (await work.flows.createRole({ client_id, name: `Role ${++count}`, permissions: patterns(...texts) })).id
const give = async (user_id: string, texts: string[], bounds: object = {}) =>
  work.table.UserRoleAssignment.create({ user_id, role_id: await make(...texts), role_owner: client_id, ...atClient(), ...bounds })
const as = (user_id: string) => checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id } })
const until = '2026-06-01T00:00:00.000Z'
const tooShort = { code: 'Denied', details: { reason: 'NotHeldSoLong', latest: until } }

describe('permissions that a user holds for a time', () => {
  test('is given to no role that is there, by itself or by a parent: who has the role would have it for ever', async () => {
    const eve = await user()
    await give(eve, changing)
    await give(eve, ['*:*:*'], { expires_at: until })
    const [id, strong] = [await make(), await make('safe:open:x')]
    await expect(as(eve).changeRolePermissions({ id, add: patterns('safe:open:x') })).rejects.toMatchObject(tooShort)
    await expect(as(eve).setParentRole({ id, parent_role_id: strong })).rejects.toMatchObject(tooShort)
    await as(eve).changeRolePermissions({ id, add: patterns('account-management:update:role') })
    await give(eve, ['safe:*:*'])
    await as(eve).setParentRole({ id, parent_role_id: strong })
  })

  test('is given to a new role, which nobody has, unless a job makes that', async () => {
    const eve = await user()
    await give(eve, changing)
    await give(eve, ['*:*:*'], { expires_at: until })
    const texts = Array.from({ length: linksAtOnceMax + 1 }, (_, index) => `lamp:on:${index}`)
    for (const text of texts) await work.table.Permission.create(pattern(text))
    const linked = (of: string[]) =>
      as(eve).createRole({ name: `Role ${++count}`, permission_form: 'linked', permissions: patterns(...of) })
    await linked(texts.slice(0, linksAtOnceMax))
    await expect(linked(texts)).rejects.toMatchObject(tooShort)
  })

  test('ends with the latest of the roles that grant it, and with the first to end of what is granted together', async () => {
    const eve = await user()
    await give(eve, changing)
    const soon = '2026-04-01T00:00:00.000Z'
    // Decisions tell roles in the order of their ids.
    for (const [index, expires_at] of [soon, until, soon].entries()) {
      const role_id = `00000000-0000-4000-8000-00000000000${index}`
      await work.flows.createRole({ client_id, id: role_id, name: `Role ${++count}`, permissions: patterns('safe:open:x') })
      await work.table.UserRoleAssignment.create({ user_id: eve, role_id, role_owner: client_id, ...atClient(), expires_at })
    }
    await give(eve, ['safe:*:x'], { expires_at: soon })
    await give(eve, ['door:open:x'], { expires_at: '2026-07-01T00:00:00.000Z' })
    const id = await make()
    for (const texts of [
      ['door:open:x', 'safe:open:x'],
      ['safe:open:x', 'door:open:x'],
    ])
      await expect(as(eve).changeRolePermissions({ id, add: patterns(...texts) })).rejects.toMatchObject(tooShort)
  })
})

test('a caller is not denied, but told to try again, while a record that might give it the permission is damaged', async () => {
  const eve = await user()
  await give(eve, changing)
  const { role_id } = await give(eve, ['safe:*:*'])
  await give(eve, ['door:*:*'], { expires_at: until })
  const id = await make()
  const edge = { PK: `USER#${eve}`, SK: `ROLE#client#${client_id}#${role_id}` }
  await setLiterally(work.table.runtime, edge, 'created_at', 'once')
  const adding = (text: string) => as(eve).changeRolePermissions({ id, add: patterns(text) })
  const undecided = { code: 'Unavailable', details: { reason: 'MalformedItem' } }
  await expect(adding('safe:open:x')).rejects.toMatchObject(undecided)
  await expect(adding('door:open:x')).rejects.toMatchObject(undecided)
  await adding('account-management:update:role')
  await setLiterally(work.table.runtime, edge, 'created_at', '2026-03-01T00:00:00.000Z')
  await adding('safe:open:x')
  await expect(adding('door:open:x')).rejects.toMatchObject(tooShort)
})

describe('a change of a role', () => {
  const holdingMany = async () => {
    const held = Array.from({ length: 8000 }, (_, index) => pattern(`held:${index}:x`))
    const caller = { actor: { kind: 'user', user_id: await user() } } as const
    return { held, flows: checkedAccountFlows.of(work.table, caller, { decider: holding(held) }) }
  }

  test('adds a thousand at once and no more, to an embedded role only as many as it can have, whatever its caller holds', async () => {
    const { held, flows } = await holdingMany()
    const [id, other] = [await make(), await make('held:1:x')]
    const invalid = { code: 'InvalidInput' }
    const { id: linked } = await work.flows.createRole({ client_id, name: `Role ${++count}`, permission_form: 'linked' })
    const adding = (length: number) => flows.changeRolePermissions({ id: linked, add: held.slice(0, length) })
    await expect(adding(1001)).rejects.toMatchObject(invalid)
    await expect(adding(1000)).rejects.toMatchObject({ code: 'NotFound', details: { entity: 'Permission' } })
    const foreign = patterns(...Array.from({ length: 1000 }, (_, index) => `other:${index}:x`))
    await expect(flows.changeRolePermissions({ id: other, add: foreign })).rejects.toMatchObject(invalid)
    await expect(flows.changeRolePermissions({ id, add: foreign })).rejects.toMatchObject({ code: 'Denied' })
    const { permissions } = await flows.changeRolePermissions({ id, add: held.slice(-1000) })
    expect(permissions).toHaveLength(1000)
  })
})

test('links that a job adds are its caller’s to grant until they are added', async () => {
  const texts = Array.from({ length: 60 }, (_, index) => `door:open:${index}`)
  for (const text of texts) await work.table.Permission.create(pattern(text))
  const eve = await user()
  await give(eve, changing)
  const { role_id } = await give(eve, ['door:*:*'])
  const { id } = await work.flows.createRole({ client_id, name: `Role ${++count}`, permission_form: 'linked' })
  const { sender, table, jobHandlers } = work.table.runtime
  let writes = 0
  const late = await accountWork({
    table,
    jobHandlers,
    now: () => new Date(now++),
    sender: {
      send: async (operation, input, options) => {
        const answer = await sender.send(operation, input, options)
        // Between two transactions of the job.
        if (isOfWork(operation, input) && ++writes === 1) await work.flows.revokeRole({ user_id: eve, role_id, ...atClient() })
        return answer
      },
      close: () => {},
    },
  })
  const adding = checkedAccountFlows
    .of(late.table, { actor: { kind: 'user', user_id: eve } })
    .changeRolePermissions({ id, add: patterns(...texts) })
  await expect(adding).rejects.toMatchObject({ code: 'VersionConflict' })
  expect((await work.table.linksOfRole({ role_id: id }, { consistent: true, limit: 100 })).items).toHaveLength(linksAtOnceMax)
  const last = (await work.audit(client_id)).findLast(({ entity_id }) => entity_id === id)
  expect(last).toMatchObject({ user_id: eve, status: 'failure', metadata: { reason: 'NotHeld' } })
  expect(await work.table.jobs.list()).toEqual([])
})
