import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { decideRebac, joinGroup, type RebacTable, rebac } from '@freehold/designs/rebac'
import { type Stored, scanItems } from '@freehold/table/runtime'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { bundle } from '../bundle.js'
import { endpoint } from '../engine/endpoint.ts'
import { ownTableOf } from '../engine/own-table.ts'
import { deep } from '../properties/depth.ts'
import type { Task, WorkerOptions, WorkerReport } from './worker.ts'

// kill -9 in the middle of work, at a request that chance picks; then a new process, whose clock is past the leases, goes on. There is no waiting.

const run = promisify(execFile)
const consistent = { consistent: true }
const seed = inject('propertySeed')
const rounds = Array.from({ length: deep(1) }, (_, index) => index + 1)
const killWhens = ['before', 'during', 'after'] as const
const ahead_ms = 60_000

let worker: string
beforeAll(async () => {
  worker = await bundle(join(import.meta.dirname, 'worker.ts'))
})

/** From 0 up to but not including 1; the same for the same seed, task and round (mulberry32). */
function chance(task: string, round: number): number {
  let state = seed + round * 7919 + [...task].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

/** Runs a worker to its end, or to its death. */
async function start(options: Omit<WorkerOptions, 'endpoint'>): Promise<WorkerReport | 'killed'> {
  try {
    const { stdout } = await run(process.execPath, [worker, JSON.stringify({ ...options, endpoint })])
    return JSON.parse(stdout)
  } catch (error) {
    if (error instanceof Error && 'signal' in error && error.signal === 'SIGKILL') return 'killed'
    throw error
  }
}

/** Requests of the dead process may still be applied: the table is read until it stays as it is. */
async function settled(table: RebacTable): Promise<readonly Stored[]> {
  let before = await everything(table)
  for (;;) {
    const after = await everything(table)
    if (isDeepStrictEqual(after, before)) return after
    before = after
  }
}

/** The worker is killed at one of the requests that the whole work takes. */
async function crash(table: RebacTable, task: Task, round: number, requests: number): Promise<string> {
  const killAt = 1 + Math.floor(chance(task.do, round) * requests)
  const killWhen = killWhens[round % killWhens.length] ?? 'before'
  const outcome = await start({ table: table.runtime.table, task, killAt, killWhen, ahead_ms: 0 })
  expect(outcome).toBe('killed')
  await settled(table)
  return `seed ${seed}, round ${round}: killed ${killWhen} request ${killAt} of ${requests}`
}

async function ownTable(): Promise<RebacTable> {
  const table = await ownTableOf(rebac)
  return table
}

async function everything({ runtime }: RebacTable): Promise<Stored[]> {
  const all: Stored[] = []
  for await (const page of scanItems(runtime)) all.push(...page)
  return all
}
const mentions = async (table: RebacTable, text: string) => (await everything(table)).filter((item) => JSON.stringify(item).includes(text))

async function people(table: RebacTable, count: number): Promise<string[]> {
  const users = await table.User.createMany(Array.from({ length: count }, (_, index) => ({ displayName: `Person ${index}` })))
  return users.flatMap(({ item }) => item?.userId ?? [])
}

describe('a cascade', () => {
  const page = 'dashboard'

  /** A location with members, each in two groups with access, and another one with the same people. */
  async function locations(table: RebacTable) {
    await table.Role.create({ roleName: 'teacher' })
    await table.Page.create({ pageName: page })
    await table.RolePagePermission.create({ roleName: 'teacher', pageName: page, permission: 'ALLOW' })
    const users = await people(table, 30)
    const made: string[] = []
    for (const locationCode of ['GOES', 'STAYS']) {
      const { locationId } = await table.Location.create({ locationCode, name: locationCode })
      made.push(locationId)
      for (const name of ['one', 'two']) {
        const { groupId } = await table.UserGroup.create({ locationId, name })
        await table.GroupRole.create({ groupId, roleName: 'teacher' })
        for (const userId of users) await joinGroup(table, { userId, groupId })
      }
    }
    const [goes = '', stays = ''] = made
    return { users, goes, stays }
  }

  /** How many requests the work takes when nobody is killed, and how many items of the other location are there afterwards. */
  async function removedWhole() {
    const table = await ownTable()
    const { goes, stays } = await locations(table)
    const whole = await start({ table: table.runtime.table, task: { do: 'remove location', locationId: goes }, ahead_ms: 0 })
    return { requests: whole === 'killed' ? 1 : whole.requests, staying: (await mentions(table, stays)).length }
  }
  let undisturbed: Awaited<ReturnType<typeof removedWhole>>
  beforeAll(async () => {
    undisturbed = await removedWhole()
  })

  const allowed = async (table: RebacTable, users: readonly string[], location: string) => {
    const answers = await decideRebac(table.runtime).canMany(
      users.map((user) => ({ user, location, page })),
      { consistency: 'strong' },
    )
    return answers.filter((answer) => answer.allowed).length
  }

  test.each(rounds)('that is killed is completed, grants nothing meanwhile, and takes nothing else along (round %i)', async (round) => {
    const { requests, staying } = undisturbed
    const table = await ownTable()
    const { users, goes, stays } = await locations(table)
    const what = await crash(table, { do: 'remove location', locationId: goes }, round, requests)
    const location = await table.location({ locationId: goes }, consistent)
    const isUntouched = location !== undefined && location.deleting === undefined
    expect(await allowed(table, users, goes), what).toBe(isUntouched ? users.length : 0)
    expect(await allowed(table, users, stays), what).toBe(users.length)
    expect(await start({ table: table.runtime.table, task: { do: 'resume' }, ahead_ms }), what).not.toBe('killed')
    expect(await table.jobs.list(), what).toEqual([])
    if (isUntouched) expect(await allowed(table, users, goes), what).toBe(users.length)
    else expect(await mentions(table, goes), what).toEqual([])
    expect(await allowed(table, users, stays), what).toBe(users.length)
    expect(await mentions(table, stays), what).toHaveLength(staying)
  })
})

describe('a rename of somebody with 500 copies', () => {
  async function popular(table: RebacTable) {
    const [userId = ''] = await people(table, 1)
    const { locationId } = await table.Location.create({ locationCode: 'BER001', name: 'Berlin' })
    await table.UserLocationEdge.create({ userId, locationId })
    const groups = await table.UserGroup.createMany(Array.from({ length: 500 }, (_, index) => ({ locationId, name: `g${index}` })))
    await table.UserGroupEdge.createMany(groups.flatMap(({ item }) => (item === undefined ? [] : [{ userId, groupId: item.groupId }])))
    return userId
  }

  test('that is killed reaches every copy once it is resumed', async () => {
    const table = await ownTable()
    const userId = await popular(table)
    const rename = (displayName: string): Task => ({ do: 'rename user', userId, displayName })
    const whole = await start({ table: table.runtime.table, task: rename('Name 0'), ahead_ms: 0 })
    for (const round of rounds) {
      const what = await crash(table, rename(`Name ${round}`), round, whole === 'killed' ? 1 : whole.requests)
      await start({ table: table.runtime.table, task: { do: 'resume' }, ahead_ms })
      expect(await table.jobs.list(), what).toEqual([])
      const { displayName } = (await table.user({ userId }, consistent)) ?? {}
      const copies = (await everything(table)).filter(({ Type }) => Type === 'GroupUserEdge' || Type === 'LocationUserEdge')
      expect(copies, what).toHaveLength(501)
      expect([...new Set(copies.map((copy) => copy.userDisplayName))], what).toEqual([displayName])
    }
  })
})

describe('an import', () => {
  const file = (what: string) => join(import.meta.dirname, '../../packages/designs/test/fixtures/role-matrices', `domino.${what}.csv`)
  const task: Task = { do: 'import', userRoles: file('user-roles'), rolePermissions: file('role-permissions') }

  /** All items, with the names of users, groups and locations for their ids, and without stamps. */
  async function comparable(table: RebacTable): Promise<string[]> {
    const items = await everything(table)
    const names = new Map<string, string>()
    for (const { Type, userId, displayName, groupId, locationId, locationCode, name } of items) {
      if (Type === 'User') names.set(String(userId), `user ${displayName}`)
      if (Type === 'UserGroup') names.set(String(groupId), `group ${name}`)
      if (Type === 'Location') names.set(String(locationId), `location ${locationCode}`)
    }
    const unstamped = items.map(({ createdAt: _, updatedAt: _2, joinedAt: _3, assignedAt: _4, writeId: _5, ...item }) =>
      JSON.stringify(Object.entries(item).sort()),
    )
    return unstamped.map((item) => item.replace(/[0-9A-Z]{26}/g, (id) => names.get(id) ?? id)).sort()
  }

  test('that is killed, and run again until it comes to its end, gives what one run gives', async () => {
    const undisturbed = await ownTable()
    const whole = await start({ table: undisturbed.runtime.table, task, ahead_ms: 0 })
    const expected = await comparable(undisturbed)
    const table = await ownTable()
    for (const round of rounds) {
      // The writes of an earlier round are not written again: a run that goes on takes fewer requests than a whole one.
      const some = whole === 'killed' ? 1 : Math.floor(whole.requests / 4)
      const what = await crash(table, task, round, some)
      // Every edge has both its items, however far the import came.
      const types = (await everything(table)).map(({ Type }) => Type)
      const count = (type: string) => types.filter((each) => each === type).length
      expect(count('UserGroupEdge'), what).toBe(count('GroupUserEdge'))
      expect(count('RolePagePermission'), what).toBe(count('PageRoleEdge'))
      expect(count('User'), what).toBe(count('EmailIdentity'))
    }
    expect(await start({ table: table.runtime.table, task, ahead_ms: 0 })).not.toBe('killed')
    expect(await comparable(table), `seed ${seed}`).toEqual(expected)
  })
})
