import { meter } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { assignment, building, client, crowd, idOf, link, permission, project, role, subscription, user } from '../../test/account-items.ts'
import { acme, ada, adaAtHarbour, camera, granting, harbour, pier, reader } from '../../test/account-organisation.ts'
import { ownTableOf } from '../../test/own-table.ts'
import type { AccountSnapshotQuestion } from './decide.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

type Table = Awaited<ReturnType<typeof ownTableOf<typeof accountManagement>>>

const noon = Date.parse('2026-03-01T12:00:00.000Z')
const after = (ms: number) => new Date(noon + ms).toISOString()
const module_id = idOf('module', 1)
const [opener, watcher] = [idOf('role', 2), idOf('role', 3)]
const door = { ...camera, action: 'open', resource: 'door' }
const here = { user: ada, client: acme, project: harbour, building: pier }
const path = { client: acme, project: harbour, building: pier }

const timed = (items: readonly Stored[], times: { start_at?: string; expires_at?: string }): Stored[] =>
  items.map((item) => ({ ...item, ...times }))
/** A second role of ada, at the pier. */
const openerAtPier = (times = {}): readonly Stored[] => [
  ...granting(role(acme, opener, 'opener'), door),
  ...timed(assignment(acme, ada, opener, 'building', pier), times),
]

/** A table with these items beside ada's, of which the clock can be set. */
async function tableWith(...items: readonly Stored[]) {
  const clock = { now: noon }
  const table = await ownTableOf(accountManagement, { now: () => new Date(clock.now) })
  await restoreItems(table.runtime, [...adaAtHarbour, ...items])
  return { table, clock, decider: decideAccountManagement(table.runtime) }
}

describe.each([
  ['of a place', here],
  ['of all places', { user: ada }],
] as const)('a snapshot %s', (_, question) => {
  test('holds for the bound of the decider, unless asked for longer or less', async () => {
    const { table, decider } = await tableWith()
    expect(await decider.access(question)).toMatchObject({ issued_at: after(0), expires_at: after(5000) })
    expect(await decideAccountManagement(table.runtime, { maxStalenessMs: 700 }).access(question)).toMatchObject({ expires_at: after(700) })
    expect(await decider.access(question, { lasts_ms: 60_000 })).toMatchObject({ expires_at: after(60_000) })
    expect(await decider.access(question, { lasts_ms: 1 })).toMatchObject({ expires_at: after(1) })
    const forever = decideAccountManagement(table.runtime, { maxStalenessMs: Number.POSITIVE_INFINITY })
    expect(await forever.access(question)).toMatchObject({ expires_at: after(86_400_000) })
  })

  test('is over with the first assignment in it, even where the next one grants the same', async () => {
    const { decider, clock } = await tableWith(
      ...openerAtPier({ expires_at: after(3000) }),
      ...assignment(acme, ada, opener, 'client', acme),
    )
    const snapshot = await decider.access(question, { lasts_ms: 60_000 })
    expect(snapshot.expires_at).toBe(after(3000))
    const asked = [2999, 3000].map((ms) => {
      clock.now = noon + ms
      return [snapshot.can(camera, path), snapshot.can(door, path)]
    })
    expect(asked).toEqual([
      [true, true],
      [false, false],
    ])
  })

  test('is not over with an assignment that gives nothing', async () => {
    const { decider } = await tableWith(
      ...role(acme, watcher, 'watcher'),
      ...timed(assignment(acme, ada, watcher, 'building', pier), { expires_at: after(1000) }),
      ...openerAtPier({ start_at: after(1000), expires_at: after(2000) }),
    )
    expect(await decider.access(question)).toMatchObject({ expires_at: after(5000), grants: [{ permissions: [camera] }] })
  })

  test('denies what begins later, when it begins, too', async () => {
    const { decider, clock } = await tableWith(...openerAtPier({ start_at: after(1000) }))
    const snapshot = await decider.access(question)
    clock.now = noon + 1000
    expect([snapshot.can(camera, path), snapshot.can(door, path)]).toEqual([true, false])
    expect((await decider.access(question)).can(door, path)).toBe(true)
  })

  test('denies where the clock was set back', async () => {
    const { decider, clock } = await tableWith()
    const snapshot = await decider.access(question)
    expect(snapshot.can(camera, path)).toBe(true)
    clock.now = noon - 1
    expect(snapshot.can(camera, path)).toBe(false)
  })

  test('counts from before anything was read', async () => {
    const { table, clock } = await tableWith()
    const slow = senderAfter(() => {
      clock.now += 1000
    })
    const snapshot = await decideAccountManagement({ ...table.runtime, sender: slow }).access(question)
    expect(clock.now).toBeGreaterThan(noon)
    expect(snapshot).toMatchObject({ issued_at: after(0), expires_at: after(5000), grants: [{ permissions: [camera] }] })
  })

  test('says by what it is held where that is asked for', async () => {
    const { decider } = await tableWith(...openerAtPier({ start_at: after(-1000), expires_at: after(1000) }))
    const plain = await decider.access(question)
    const told = await decider.access(question, { evidence: true })
    const evidence = [
      {
        role_id: reader,
        role_owner: acme,
        roles: [{ role_id: reader, version: 1 }],
        assignments: [{ scope_type: 'project', scope_id: harbour }],
      },
      {
        role_id: opener,
        role_owner: acme,
        roles: [{ role_id: opener, version: 1 }],
        assignments: [{ scope_type: 'building', scope_id: pier, start_at: after(-1000), expires_at: after(1000) }],
      },
    ]
    expect(told.grants).toEqual(plain.grants.map((grant, index) => ({ ...grant, evidence: evidence[index] })))
    expect(JSON.stringify(plain)).not.toMatch(new RegExp([reader, opener, 'evidence', 'assignment'].join('|')))
  })

  test.each([
    ['a user who is not there', { ...question, user: idOf('user', 99) }, [], { kind: 'unknown', code: 'UnknownUser' }],
    ['an e-mail address of nobody', { ...question, user: 'eve@example.org' }, [], { kind: 'unknown', code: 'UnknownUser' }],
    ['a disabled user', question, [['User', { status: 'disabled' }]], { kind: 'policy', code: 'UserDisabled' }],
    ['a user who is being deleted', question, [['User', { deleting: 'job' }]], { kind: 'unknown', code: 'BeingDeleted' }],
    ['a client that is suspended', question, [['Client', { status: 'suspended' }]], { kind: 'policy', code: 'ClientSuspended' }],
    ['a project that is being deleted', question, [['Project', { deleting: 'job' }]], { kind: 'unknown', code: 'BeingDeleted' }],
    [
      'an assignment that is over',
      question,
      [['UserRoleAssignment', { expires_at: after(0) }]],
      { kind: 'policy', code: 'AssignmentExpired' },
    ],
    [
      'an assignment of another client',
      question,
      [['UserRoleAssignment', { role_owner: idOf('client', 2) }]],
      { code: 'ForeignAssignment' },
    ],
    ['a role that grants nothing', question, [['Role', { permissions: [] }]], { kind: 'policy', code: 'NoGrant' }],
    ['a malformed role', question, [['Role', { permissions: 'all' }]], { kind: 'fault', code: 'MalformedItem' }],
    ['a malformed user', question, [['User', { status: 7 }]], { kind: 'fault', code: 'MalformedItem' }],
  ] as const)('denies everything for %s, and says why', async (_, asked, changes, reason) => {
    const changed = adaAtHarbour.flatMap((item) =>
      changes.flatMap(([type, change]) => (item.Type === type ? [{ ...item, ...change }] : [])),
    )
    const { table, decider } = await tableWith()
    await restoreItems(table.runtime, changed)
    const snapshot = await decider.access(asked)
    expect(snapshot).toMatchObject({ grants: [], reason })
    expect(snapshot.can(camera, path)).toBe(false)
    expect(snapshot).not.toHaveProperty('place')
    const isUser = reason.code !== 'UnknownUser' && changes.every(([type]) => type !== 'User' || reason.code === 'UserDisabled')
    expect(snapshot.user_id).toBe(isUser ? ada : undefined)
  })

  test('says that something malformed was left out', async () => {
    const { decider } = await tableWith(
      ...openerAtPier().map((item) => (item.Type === 'Role' ? { ...item, permissions: [door, 7] } : item)),
    )
    const snapshot = await decider.access(question)
    expect([snapshot.can(camera, path), snapshot.can(door, path)]).toEqual([true, true])
    expect(snapshot.reason).toMatchObject({ kind: 'fault' })
  })

  test('is not taken where the table cannot be read', async () => {
    const { table } = await tableWith()
    const sender = { send: () => Promise.reject(new Error('the connection broke')), close: () => {} }
    const decider = decideAccountManagement({ ...table.runtime, sender, patience_ms: 0 })
    await expect(decider.access(question)).rejects.toMatchObject({ code: 'Unavailable' })
  })
})

describe('a module', () => {
  const entitled = { ...here, module_id }
  const subscribed = (end_date: string, auto_renew: boolean) => ({
    ...subscription(acme, 'project', harbour, module_id),
    end_date,
    auto_renew,
  })

  test('ends the snapshot with its subscription, unless that renews itself', async () => {
    const { table, decider } = await tableWith(subscribed(after(2000), false))
    expect(await decider.access(entitled)).toMatchObject({ expires_at: after(2000), grants: [{ permissions: [camera] }] })
    expect((await decider.access(here)).expires_at).toBe(after(5000))
    await restoreItems(table.runtime, [subscribed(after(2000), true)])
    expect((await decider.access(entitled)).expires_at).toBe(after(5000))
  })

  test('that the place does not have denies everything', async () => {
    const { decider } = await tableWith(subscribed(after(0), false))
    expect(await decider.access(entitled)).toMatchObject({ grants: [], reason: { code: 'NotEntitled' } })
  })

  test('is asked for at a place only', async () => {
    const { decider } = await tableWith()
    const refused = { code: 'InvalidInput', details: { issues: [expect.objectContaining({ path: ['client'] })] } }
    await expect(decider.access({ user: ada, module_id })).rejects.toMatchObject(refused)
  })
})

describe('the question', () => {
  let decider: AccountDecider
  beforeAll(async () => {
    const made = await tableWith()
    decider = made.decider
  })
  const refused = (field: string) => ({ code: 'InvalidInput', details: { issues: [expect.objectContaining({ path: [field] })] } })
  // This question has the wrong type on purpose.
  const ask = (question: object, how?: object) => decider.access(question as AccountSnapshotQuestion, how)

  test.each(['user', 'client', 'project', 'building', 'module_id', 'include_trial'])('refuses a %s that is none', async (field) => {
    // Null of an optional field counts as absent.
    for (const value of [7, '', 'x\u0000', {}, 'acme', ...(field === 'user' ? [null] : [])])
      await expect(ask({ ...here, [field]: value })).rejects.toMatchObject(refused(field))
    await expect(ask({ ...here, permission: camera })).rejects.toMatchObject(refused('permission'))
  })

  test.each([
    ['lasts_ms', [0, -1, 1.5, '5', 86_400_001, Number.NaN, Number.POSITIVE_INFINITY]],
    ['evidence', ['true', 1]],
    ['consistency', ['eventual']],
    ['limit', [5]],
  ])('refuses %s where it makes no sense', async (name, values) => {
    for (const value of values) await expect(ask(here, { [name]: value })).rejects.toMatchObject(refused(name))
  })
})

describe('within the scope of a client', () => {
  const [rival, garden, tower] = [idOf('client', 2), idOf('project', 2), idOf('building', 2)]
  const [eve, ian] = [idOf('user', 2), idOf('user', 3)]
  const [foreign, auditor] = [idOf('role', 2), idOf('role', 3)]
  const secret = { password_hash: 'scrypt$secret', mfa_secret: 'mfa$secret' }
  const system = (items: readonly Stored[]) => items.map((item) => ({ ...item, role_owner: 'SYSTEM' }))
  let table: Table
  beforeAll(async () => {
    table = (
      await tableWith(
        ...client(rival),
        ...project(rival, garden),
        ...building(rival, garden, tower),
        ...user(rival, eve, 'eve@example.org').map((item) => (item.Type === 'User' ? { ...item, ...secret } : item)),
        ...granting(role(rival, foreign, 'foreign'), door),
        ...assignment(rival, eve, foreign, 'building', tower),
        ...user(undefined, ian, 'ian@example.org').map((item) => (item.Type === 'User' ? { ...item, ...secret } : item)),
        ...granting(role(undefined, auditor, 'auditor'), camera),
        ...system(assignment(acme, ian, auditor, 'project', harbour)),
        ...system(assignment(rival, ian, auditor, 'building', tower)),
        ...system(assignment(rival, ian, auditor, 'client', rival)),
      )
    ).table
  })
  const theirs = [rival, garden, tower, foreign]
  const asTold = async (decider: AccountDecider, question: AccountSnapshotQuestion) =>
    JSON.stringify(await decider.access(question, { evidence: true }))

  test.each([
    { user: eve },
    { user: 'eve@example.org' },
    { user: eve, building: tower },
    { user: 'eve@example.org', client: rival },
    { user: ada, building: tower },
    { user: ada, project: garden },
    { user: ada, client: rival, project: garden, building: tower },
    { user: ada, client: acme, project: garden },
    { user: ian, building: tower },
    { user: 'ian@example.org', client: rival },
  ])('%j is told nothing of another, not even an id that it did not say', async (question) => {
    for (let asked = 0; asked < 2; asked++) {
      const text = await asTold(decideAccountManagement(table.forTenant(acme).runtime), question)
      const said = Object.values(question)
      expect([eve, ...theirs].filter((id) => text.includes(id) && !said.includes(id))).toEqual([])
      expect(JSON.parse(text)).toMatchObject({ grants: [], reason: { kind: 'unknown' } })
    }
  })

  test('an internal user is shown with what it holds there', async () => {
    const text = await asTold(decideAccountManagement(table.forTenant(acme).runtime), { user: ian })
    expect(JSON.parse(text)).toMatchObject({ user_id: ian, grants: [{ scopes: [{ client_id: acme, project_id: harbour }] }] })
    expect(theirs.filter((id) => text.includes(id))).toEqual([])
    const operator = await asTold(decideAccountManagement(table.runtime), { user: ian })
    expect(JSON.parse(operator).grants[0].scopes).toHaveLength(3)
    expect(`${text}${operator}`).not.toContain('secret')
  })
})

describe.each([
  ['embedded', reader, 2],
  ['linked', opener, 3],
  ['from the role above, which is linked', watcher, 3],
] as const)('with a role that is %s', (_, role_id, cold) => {
  let table: Table
  beforeAll(async () => {
    table = await ownTableOf(accountManagement)
    const form = (item: Stored) => (item.Type === 'Role' && item.id === opener ? { permission_form: 'linked' } : {})
    await restoreItems(table.runtime, [
      ...adaAtHarbour.filter(({ Type }) => Type !== 'UserRoleAssignment'),
      ...permission(idOf('permission', 1), 'devices', 'read', 'camera'),
      ...[...role(acme, opener, 'linked'), ...role(acme, watcher, 'child', { parent: opener })].map((item) => ({ ...item, ...form(item) })),
      ...link(acme, opener, idOf('permission', 1)),
      ...assignment(acme, ada, role_id, 'building', pier),
    ])
  })

  async function tripsOf(question: AccountSnapshotQuestion) {
    const trips = async (decider: AccountDecider, consistency: 'bounded' | 'strong') => {
      const { result, cost } = await meter(() => decider.access(question, { consistency }))
      expect(result.can(camera, path)).toBe(true)
      return cost.roundTrips
    }
    const decider = decideAccountManagement(table.runtime, { maxStalenessMs: 600_000 })
    const first = await trips(decider, 'bounded')
    const warm = await trips(decider, 'bounded')
    return { cold: first, warm, strong: await trips(decideAccountManagement(table.runtime), 'strong') }
  }

  test('a snapshot of a place takes one round trip warm and at most three cold or strong, as can does', async () => {
    expect(await tripsOf(here)).toEqual({ cold, warm: 1, strong: cold })
    expect(await tripsOf({ user: ada, building: pier })).toEqual({ cold: cold + 1, warm: 1, strong: cold + 1 })
  })

  test('a snapshot of all places takes two warm and at most four cold or strong, as where does', async () => {
    expect(await tripsOf({ user: ada })).toEqual({ cold: 3, warm: 2, strong: 3 })
    expect(await tripsOf({ user: 'ada@example.org' })).toEqual({ cold: 4, warm: 2, strong: 4 })
  })
})

describe('a user with thousands of assignments', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 10)

  test('has them all in one snapshot, as small as they are', async () => {
    const { decider } = await tableWith(
      ...crowd(
        numbers(5000).flatMap((number) => [
          ...building(acme, harbour, idOf('building', number)),
          ...assignment(acme, ada, reader, 'building', idOf('building', number)),
        ]),
      ),
    )
    const snapshot = await decider.access({ user: ada })
    expect(snapshot.grants.map(({ permissions, scopes }) => [permissions.length, scopes.length])).toEqual([[1, 5001]])
    expect(snapshot.can(camera, { client: acme, project: harbour, building: idOf('building', 5009) })).toBe(true)
    expect((await decider.access(here)).grants).toHaveLength(1)
  })

  test('is asked about one place where they are too many', async () => {
    const scopes = numbers(10_000).flatMap((number) => assignment(acme, ada, reader, 'building', idOf('building', number)).slice(0, 1))
    const { decider } = await tableWith(...crowd(scopes))
    await expect(decider.access({ user: ada })).rejects.toMatchObject({
      code: 'InvalidInput',
      message: expect.stringContaining('10000 places'),
    })
    expect((await decider.access(here)).can(camera)).toBe(true)
  })
})
