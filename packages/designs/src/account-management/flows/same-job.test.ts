import { expect, test } from 'vitest'
import { senderAfter } from '../../../../../test/engine/sender-after.ts'
import { accountWork, checkedAccountFlows } from '../../../test/account-flows.ts'

const work = await accountWork()
const client_id = (await work.table.Client.create({ name: 'A' })).id
const created = async (email: string) => (await work.table.User.create({ client_id, email, user_type: 'external_customer' })).id
const user = await created('eve@example.org')
const other = await created('ada@example.org')

const jobs = async () => (await work.table.jobs.list()).map(({ entity, key, tenant, input }) => ({ entity, about: key.PK, tenant, input }))

test('a user who may do nothing but its own leaves one job of each kind, however often and from wherever it asks', async () => {
  for (let count = 0; count < 20; count++) {
    const flows = checkedAccountFlows.of(work.table, {
      actor: { kind: 'user', user_id: user },
      user_agent: `agent ${count}`,
      ip_address: `192.0.2.${count}`,
    })
    await flows.revokeTokens({ user_id: user, wait: false })
    await flows.revokeSessions({ user_id: user, wait: false })
  }
  const last = { user_id: user, client_id, caller: { kind: 'user', user_id: user, user_agent: 'agent 19', ip_address: '192.0.2.19' } }
  expect(await jobs()).toEqual([
    { entity: 'revokeTokens', about: `USER#${user}`, tenant: client_id, input: last },
    { entity: 'revokeSessions', about: `USER#${user}`, tenant: client_id, input: last },
  ])
  await work.flows.revokeTokens({ user_id: user, wait: false })
  expect(await jobs()).toHaveLength(3)
  expect(await work.table.jobs.resume()).toMatchObject({ done: 3, held: [], failed: [] })
})

test('a role given after a job was asked for, and before it was asked for again, is taken, too', async () => {
  const own = checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: user } })
  const tokens = async () => (await work.table.tokensOfUser({ user_id: user }, { consistent: true })).items.map(({ revoked }) => revoked)
  await own.createToken({ user_id: user, token_type: 'api' })
  await own.revokeTokens({ user_id: user, wait: false })
  await own.createToken({ user_id: user, token_type: 'api' })
  await own.revokeTokens({ user_id: user, wait: false })
  expect(await work.table.jobs.list()).toHaveLength(1)
  await work.table.jobs.resume()
  expect(await tokens()).toEqual([true, true])
})

test('a removal is of the client whose item goes, whoever asked for it: its turn is one of that client', async () => {
  await work.flows.deleteUser({ id: other, wait: false })
  expect(await jobs()).toEqual([{ entity: 'User', about: `USER#${other}`, tenant: client_id, input: undefined }])
  await work.table.jobs.resume()
})

test('a role that is made by a job is of its client, whose turn it is', async () => {
  const permissions = Array.from({ length: 30 }, (_, index) => ({ module: 'doors', action: 'open', resource: `room${index}` }))
  for (const permission of permissions) await work.table.Permission.create(permission)
  const { table } = work.table.runtime
  let seen: Awaited<ReturnType<typeof jobs>> = []
  const watched = await accountWork({
    table,
    sender: senderAfter(async () => {
      if (seen.length === 0) seen = await jobs()
    }),
  })
  await watched.flows.createRole({ client_id, name: 'Doors', permission_form: 'linked', permissions })
  expect(seen).toMatchObject([{ entity: 'createLinkedRole', tenant: client_id }])
})
