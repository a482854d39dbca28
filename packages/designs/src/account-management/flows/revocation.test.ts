import { beforeEach, describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../test/engine/sender-after.ts'
import { accountWork, checkedAccountFlows } from '../../../test/account-flows.ts'
import { isOfWork } from '../../../test/transaction-of-work.ts'
import type { AccountFlows } from './flows.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const clock = () => new Date(now++)
/** By more than this nobody's clock is ahead. */
const skew_ms = 60_000
const consistent = { consistent: true }
const work = await accountWork({ now: clock })
const client = (await work.table.Client.create({ name: 'Ours' })).id

let count = 0
const newUser = async () =>
  (await work.table.User.create({ client_id: client, email: `u${++count}@ours.example`, user_type: 'client_admin' })).id
const actor = (user_id: string) => ({ actor: { kind: 'user', user_id } }) as const
const roleWith = async (action: string, resource: string) => {
  const permissions = [{ module: 'account-management', action, resource }]
  return (await work.flows.createRole({ client_id: client, name: `Role ${++count}`, permissions })).id
}
const atClient = () => ({ scope_type: 'client', scope_id: client }) as const

interface Kind {
  readonly flow: 'revokeAllRoles' | 'revokeSessions' | 'revokeTokens'
  readonly resource: string
  give(user_id: string): Promise<unknown>
  /** How many there are that hold. */
  left(user_id: string): Promise<number>
}
const kinds: readonly Kind[] = [
  {
    flow: 'revokeAllRoles',
    resource: 'role',
    give: async (user_id) => work.flows.assignRole({ user_id, role_id: await roleWith('read', 'user'), ...atClient() }),
    left: async (user_id) => (await work.table.rolesOfUser({ user_id }, consistent)).items.length,
  },
  {
    flow: 'revokeSessions',
    resource: 'session',
    give: (user_id) => work.flows.createSession({ user_id }),
    left: async (user_id) =>
      (await work.table.sessionsOfUser({ user_id }, consistent)).items.filter(({ status }) => status === 'active').length,
  },
  {
    flow: 'revokeTokens',
    resource: 'token',
    give: (user_id) => work.flows.createToken({ user_id, token_type: 'api' }),
    left: async (user_id) => (await work.table.tokensOfUser({ user_id }, consistent)).items.filter(({ revoked }) => !revoked).length,
  },
]
const entriesOf = async (flow: string) => (await work.audit(client)).filter(({ action }) => action === flow)

/** Flows of another process, in which something happens before one of its transactions, counted from 1. A job is recorded by none. */
async function interrupted(user_id: string, write: number, meanwhile: () => Promise<unknown>): Promise<AccountFlows> {
  const { table } = work.table.runtime
  let writes = 0
  const late = await accountWork({
    table,
    now: clock,
    sender: senderAfter(async (operation, input) => {
      if (isOfWork(operation, input) && ++writes === write) await meanwhile()
    }),
  })
  return checkedAccountFlows.of(late.table, actor(user_id))
}

describe.each(kinds)('$flow', ({ flow, resource, give, left }) => {
  let ada: string
  let low: string
  let assignment: { user_id: string; role_id: string; scope_type: 'client'; scope_id: string }
  beforeEach(async () => {
    ada = await newUser()
    low = await newUser()
    assignment = { user_id: low, role_id: await roleWith('revoke', resource), ...atClient() }
    await work.flows.assignRole(assignment)
    for (let each = 0; each < 3; each++) await give(ada)
  })

  test('of another takes nothing once the user who asked for it may not any more, and the audit says so', async () => {
    for (const lose of [() => work.flows.disableUser({ id: low }), () => work.flows.revokeRole(assignment)]) {
      await work.table.User.update({ id: low }, { status: 'active' })
      await checkedAccountFlows.of(work.table, actor(low))[flow]({ user_id: ada, wait: false })
      await lose()
      expect(await work.table.jobs.resume()).toEqual({ done: 1, held: [], failed: [] })
      expect(await left(ada)).toBe(3)
    }
    const told = (await entriesOf(flow)).filter(({ entity_id }) => entity_id === ada)
    expect(told.map(({ status, user_id, metadata }) => [status, user_id, metadata])).toEqual(
      ['UserNotActive', 'NoAssignment'].map((reason) => ['failure', undefined, expect.objectContaining({ reason, asked_by: low })]),
    )
    expect(await work.table.jobs.list()).toEqual([])
  })

  test('of another ends where the permission is lost under way, and whoever waits is told', async () => {
    const hers = await interrupted(low, 2, () => work.flows.revokeRole(assignment))
    await expect(hers[flow]({ user_id: ada })).rejects.toMatchObject({ code: 'Denied', details: { reason: 'NoAssignment' } })
    expect(await left(ada)).toBe(2)
    const told = (await entriesOf(flow)).find(({ entity_id }) => entity_id === ada)
    expect(told).toMatchObject({ status: 'failure', entity_id: ada, metadata: { reason: 'NoAssignment', asked_by: low } })
    expect(await work.table.jobs.list()).toEqual([])
  })

  test('of another stays to be done where what allows it changes before each of its writes', async () => {
    await checkedAccountFlows.of(work.table, actor(low))[flow]({ user_id: ada, wait: false })
    const { table } = work.table.runtime
    const { role_id: id } = assignment
    let changes = 0
    const contended = await accountWork({
      table,
      now: clock,
      sender: senderAfter(async (operation, input) => {
        if (isOfWork(operation, input)) await work.flows.updateRole({ client_id: client, id, description: `${++changes}` })
      }),
    })
    await contended.table.jobs.resume().catch(() => {})
    expect(changes).toBeGreaterThan(19)
    expect(await left(ada)).toBe(3)
    now += 60_000
    expect(await work.table.jobs.resume()).toMatchObject({ done: 1, failed: [] })
    expect(await left(ada)).toBe(0)
  })

  test('of another is done by who may, and named', async () => {
    await checkedAccountFlows.of(work.table, actor(low))[flow]({ user_id: ada })
    expect(await left(ada)).toBe(0)
    const told = (await entriesOf(flow)).slice(-3)
    expect(told.map(({ status, user_id }) => [status, user_id])).toEqual(Array(3).fill(['success', low]))
  })

  test('leaves what was given since it was asked for', async () => {
    await work.flows[flow]({ user_id: ada, wait: false })
    now += skew_ms
    await give(ada)
    await work.table.jobs.resume()
    expect(await left(ada)).toBe(1)
    await work.flows[flow]({ user_id: ada })
    expect(await left(ada)).toBe(0)
  })

  test('takes what another process gave whose clock is ahead by up to a minute', async () => {
    now += skew_ms - 1000
    await give(ada)
    now -= skew_ms - 1000
    await checkedAccountFlows.of(work.table, actor(low))[flow]({ user_id: ada })
    expect(await left(ada)).toBe(0)
  })

  test('asked for again before it has begun is one job, for all that was given by then', async () => {
    for (const user_agent of ['one', 'another']) {
      await give(ada)
      await checkedAccountFlows.of(work.table, { ...actor(low), user_agent })[flow]({ user_id: ada, wait: false })
    }
    expect(await work.table.jobs.list()).toHaveLength(1)
    await work.flows[flow]({ user_id: ada, wait: false })
    expect(await work.table.jobs.list()).toHaveLength(2)
    now += skew_ms
    await give(ada)
    await work.table.jobs.resume()
    expect(await left(ada)).toBe(1)
  })

  test('of one’s own is done to its end, also once one has no role, or is disabled: then the audit names the job', async () => {
    await give(low)
    const mine = await left(low)
    const hers = checkedAccountFlows.of(work.table, actor(low))
    await hers[flow]({ user_id: low })
    expect(await left(low)).toBe(0)
    expect((await entriesOf(flow)).slice(-mine).map(({ user_id }) => user_id)).toEqual(Array(mine).fill(low))
    if (flow === 'revokeAllRoles') await work.flows.assignRole(assignment)
    else await give(low)
    await hers[flow]({ user_id: low, wait: false })
    const [job] = await work.table.jobs.list()
    // As a process that ended right after this write left it: `disableUser` itself revokes sessions and tokens.
    await work.table.User.update({ id: low }, { status: 'disabled' })
    expect(await work.table.jobs.resume()).toEqual({ done: 1, held: [], failed: [] })
    expect(await left(low)).toBe(0)
    const told = (await entriesOf(flow)).at(-1)
    expect(told).toMatchObject({ status: 'success', metadata: { operator: `job ${job?.id}`, asked_by: low, asked_at: job?.createdAt } })
    expect(told).not.toHaveProperty('user_id')
  })
})

describe('a role that a user had when all of its roles were to be revoked', () => {
  test('stays where it was over and has begun anew since', async () => {
    const ada = await newUser()
    const given = { user_id: ada, role_id: await roleWith('read', 'user'), ...atClient() }
    await work.flows.assignRole({ ...given, expires_at: new Date(now + 1000).toISOString() })
    now += 2000
    await work.flows.revokeAllRoles({ user_id: ada, wait: false })
    now += skew_ms
    await work.flows.assignRole(given)
    await work.table.jobs.resume()
    expect(await work.table.UserRoleAssignment.get(given, consistent)).toMatchObject({ version: 2 })
  })

  test('stays where it is revoked and given anew while the job takes it', async () => {
    const [ada, boss] = [await newUser(), await newUser()]
    await work.flows.assignRole({ user_id: boss, role_id: await roleWith('*', '*'), ...atClient() })
    const given = { user_id: ada, role_id: await roleWith('read', 'user'), ...atClient() }
    await work.flows.assignRole(given)
    const anew = async () => {
      now += skew_ms
      await work.flows.revokeRole(given)
      // Another version, so that the job's write does not fit by chance.
      await work.flows.assignRole({ ...given, expires_at: new Date(now + 90_000).toISOString() })
      await work.flows.extendAssignment(given)
    }
    await (await interrupted(boss, 1, anew)).revokeAllRoles({ user_id: ada })
    expect(await work.table.UserRoleAssignment.get(given, consistent)).toMatchObject({ version: 2 })
  })
})

test('all roles of a user are taken by a durable job, which whoever resumes jobs finishes', async () => {
  const ada = await newUser()
  for (let each = 0; each < 3; each++) await work.flows.assignRole({ user_id: ada, role_id: await roleWith('read', 'user'), ...atClient() })
  await work.flows.revokeAllRoles({ user_id: ada, wait: false })
  expect((await work.table.jobs.list()).map(({ entity }) => entity)).toEqual(['revokeAllRoles'])
  expect((await work.table.jobs.resume()).failed).toEqual([])
  expect((await work.table.rolesOfUser({ user_id: ada }, consistent)).items).toEqual([])
  await work.flows.revokeAllRoles({ user_id: ada })
  const revoked = (await entriesOf('revokeAllRoles')).filter(
    ({ related_entities }) => (related_entities as { user?: string } | undefined)?.user === ada,
  )
  expect(revoked).toHaveLength(3)
})
