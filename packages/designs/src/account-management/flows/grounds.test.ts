import { type Sender, senderOf } from '@freehold/table'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type AccountWork, accountWork } from '../../../test/account-flows.ts'
import { type AccountFlows, flowsOf } from './flows.ts'

// A write that was held up after its caller had been allowed, while somebody else took away what that rested on.

let work: AccountWork
let ours: string
let ada: string
let role_id: string
let acting: AccountFlows
/** Done once, before the next transaction goes out. */
let meanwhile: (() => Promise<unknown>) | undefined

beforeAll(async () => {
  const direct = senderOf({ endpoint: inject('endpoint') })
  const sender: Sender = {
    send: async (operation, input, options) => {
      const work = operation === 'TransactWriteItems' ? meanwhile : undefined
      if (work !== undefined) meanwhile = undefined
      await work?.()
      return direct.send(operation, input, options)
    },
    close: () => direct.close(),
  }
  work = await accountWork({ sender })
})
afterAll(() => work.table.close())

let count = 0
const atClient = () => ({ scope_type: 'client', scope_id: ours }) as const
const createProjects = { module: 'account-management', action: 'create', resource: 'project' }
beforeEach(async () => {
  meanwhile = undefined
  ours = (await work.flows.createClient({ name: `Ours ${++count}` })).id
  ada = (await work.table.User.create({ client_id: ours, email: `ada${count}@ours.example`, user_type: 'client_admin' })).id
  role_id = (await work.flows.createRole({ client_id: ours, name: 'Builder', permissions: [createProjects] })).id
  await work.flows.assignRole({ user_id: ada, role_id, ...atClient() })
  acting = flowsOf(work.table, { actor: { kind: 'user', user_id: ada } })
})

const projects = async () => (await work.table.projectsOfClient({ client_id: ours })).items.length

describe('a write that was held up', () => {
  test.each([
    ['its caller was disabled', 'UserNotActive', () => work.flows.disableUser({ id: ada })],
    ['its caller was removed', 'UnknownUser', () => work.flows.deleteUser({ id: ada })],
    ['the role was revoked', 'NoAssignment', () => work.flows.revokeRole({ user_id: ada, role_id, ...atClient() })],
    ['the role was removed', 'NoAssignment', () => work.flows.deleteRole({ id: role_id, client_id: ours, in_use: 'cascade' })],
  ])('until %s is not applied', async (_, reason, change) => {
    meanwhile = change
    await expect(acting.createProject({ name: 'late' })).rejects.toMatchObject({ code: 'Denied', details: { reason } })
    expect(await projects()).toBe(0)
  })

  test('until its caller had lost the role and got another is applied', async () => {
    meanwhile = async () => {
      const other = await work.flows.createRole({ client_id: ours, name: 'Planner', permissions: [createProjects] })
      await work.flows.assignRole({ user_id: ada, role_id: other.id, ...atClient() })
      await work.flows.revokeRole({ user_id: ada, role_id, ...atClient() })
    }
    await expect(acting.createProject({ name: 'late' })).resolves.toBeDefined()
    expect(await projects()).toBe(1)
  })

  test('of what is one’s own is not applied either once one is disabled', async () => {
    meanwhile = () => work.flows.disableUser({ id: ada })
    const setting = { scope_type: 'user', scope_id: ada, key: 'theme', value: 'dark' } as const
    await expect(acting.setSetting(setting)).rejects.toMatchObject({ code: 'Denied', details: { reason: 'UserNotActive' } })
    expect((await work.table.settingsOfScope({ scope_type: 'user', scope_id: ada })).items).toEqual([])
  })

  test('whose caller changes what it rests on is applied', async () => {
    const own = [createProjects, { ...createProjects, action: 'revoke', resource: 'role' }]
    const { id } = await work.flows.createRole({ client_id: ours, name: 'Leaver', permissions: own })
    await work.flows.assignRole({ user_id: ada, role_id: id, ...atClient() })
    await acting.revokeRole({ user_id: ada, role_id: id, ...atClient() })
    await expect(acting.revokeRole({ user_id: ada, role_id, ...atClient() })).rejects.toMatchObject({ code: 'Denied' })
  })
})
