import { describe, expect, test } from 'vitest'
import { accountWork, checkedAccountFlows } from '../../../test/account-flows.ts'
import { idOf } from '../../../test/account-items.ts'
import { answering } from '../../../test/flow-decider.ts'
import type { AccountFlows } from './flows.ts'

const work = await accountWork()
const { table } = work
const client = (await table.Client.create({ name: 'Ours' })).id
const project = (await table.Project.create({ client_id: client, name: 'Harbour' })).id
const building = (await table.Building.create({ project_id: project, name: 'Pier' })).id
const ada = (await table.User.create({ client_id: client, email: 'ada@ours.example', user_type: 'client_admin' })).id

const scopes = () =>
  [
    ['client', { scope_type: 'client', scope_id: client }],
    ['project', { scope_type: 'project', scope_id: project }],
    ['building', { scope_type: 'building', scope_id: building }],
  ] as const

describe('a user who may not is told what is needed, and where', () => {
  const role = { user_id: idOf('user', 1), role_id: idOf('role', 1) }
  type Scope = ReturnType<typeof scopes>[number][1]
  test.each<[string, (flows: AccountFlows, scope: Scope) => Promise<unknown>]>([
    ['assign:role', (flows, scope) => flows.assignRole({ ...role, ...scope })],
    ['revoke:role', (flows, scope) => flows.revokeRole({ ...role, ...scope })],
    ['lock:setting', (flows, scope) => flows.lockSetting({ ...scope, key: 'k' })],
    ['read:setting', (flows, scope) => flows.resolveSettings(scope)],
  ])('%s at the scope that was given', async (permission, refused) => {
    for (const [level, scope] of scopes())
      await expect(refused(work.acting(ada, false).flows, scope)).rejects.toMatchObject({
        code: 'Denied',
        message: expect.stringContaining(`account-management:${permission} at this ${level}.`),
      })
  })

  test.each<[string, string, (flows: AccountFlows) => Promise<unknown>]>([
    ['update:building', 'building', (flows) => flows.updateBuilding({ id: building, name: 'x' })],
    ['delete:building', 'project', (flows) => flows.deleteBuilding({ id: building })],
    ['move:building', 'client', (flows) => flows.moveBuilding({ id: building, project_id: project })],
  ])('%s at the %s', async (permission, level, refused) => {
    await expect(refused(work.acting(ada, false).flows)).rejects.toMatchObject({
      message: expect.stringContaining(`account-management:${permission} at this ${level}.`),
    })
  })
})

describe('a user’s own item that needs a permission all the same', () => {
  const lock = (flows: AccountFlows, user_id: string) => flows.lockSetting({ scope_type: 'user', scope_id: user_id, key: 'theme' })

  test('needs it at the user’s client', async () => {
    await work.table.Setting.create({ scope_type: 'user', scope_id: ada, key: 'theme', value: 'dark' })
    await expect(lock(work.acting(ada, false).flows, ada)).rejects.toMatchObject({ details: { reason: 'NoGrant' } })
    const allowed = work.acting(ada)
    expect(await lock(allowed.flows, ada)).toMatchObject({ is_overridable: false })
    const permission = { module: 'account-management', action: 'lock', resource: 'setting' }
    expect(allowed.asked).toEqual([{ question: { user: ada, client, permission }, how: { consistency: 'strong' } }])
  })

  test('is for operators where the user is of no client', async () => {
    const { id } = await work.table.User.create({ email: 'root@example.org', user_type: 'internal' })
    await expect(lock(work.acting(id).flows, id)).rejects.toMatchObject({ details: { reason: 'OperatorsOnly' } })
  })
})

test('a permission that cannot be decided is told as such, and not as a denial: a durable job goes on later', async () => {
  const reason = { kind: 'fault', code: 'StorageFault', message: 'The table could not be read, so nothing is allowed.' } as const
  const { decider } = answering(() => ({ allowed: false, reason }))
  const flows = checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: ada } }, { decider })
  await expect(flows.updateClient({ id: client, name: 'x' })).rejects.toMatchObject({
    code: 'Unavailable',
    details: { reason: 'StorageFault' },
  })
})
