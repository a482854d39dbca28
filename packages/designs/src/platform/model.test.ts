import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deep } from '../../../../test/properties/depth.ts'
import { type LiteralItem, setLiterally, writeLiterally } from '../../test/literal-items.ts'
import { ownTableOf } from '../../test/own-table.ts'
import * as as from '../../test/platform-items.ts'
import { decidePlatform, type PlatformDecider } from './decide.ts'
import { platform } from './design.ts'

// Random accounts, users, groups, roles and flags, also such as no flow would write, are asked all questions; a model that was written from the
// text of the specification, and knows nothing of DynamoDB, answers the same ones.

const accounts = ['acme', 'rival'] as const
const users = ['ada', 'bob', 'eve'] as const
const groups = ['g1', 'g2', 'g3'] as const
const roles = ['r1', 'r2', 'r3'] as const
const menus = ['audit', 'dashboard'] as const
const workstreams = ['w1', 'w2'] as const
const actions = ['view', 'create', 'edit', 'delete'] as const
const flags = ['canView', 'canCreate', 'canEdit', 'canDelete'] as const
const today = '2026-03-01'

type Account = (typeof accounts)[number]
type Flags = Readonly<Record<(typeof flags)[number], boolean>>
/** A node is there, or gone while edges to it are left, or being deleted. */
type Life = 'live' | 'gone' | 'deleting'

interface World {
  readonly accounts: Readonly<Record<Account, { readonly life: Life; readonly status: 'active' | 'suspended' }>>
  readonly users: readonly {
    readonly life: Life
    readonly account: Account
    readonly status: 'active' | 'inactive'
    readonly endDate: string | undefined
  }[]
  readonly groups: readonly { readonly life: Life; readonly account: Account }[]
  readonly roles: readonly { readonly life: Life; readonly account: Account | undefined }[]
  /** By account and id: two accounts may each have a workstream of one id. */
  readonly workstreams: readonly { readonly account: Account; readonly id: (typeof workstreams)[number]; readonly life: Life }[]
  /** By user: the account that its edge to each workstream names; undefined without an edge. */
  readonly workstreamUsers: readonly (readonly (Account | undefined)[])[]
  /** By user and group, by group and role, by role and menu. */
  readonly members: readonly (readonly boolean[])[]
  readonly groupRoles: readonly (readonly boolean[])[]
  readonly permissions: readonly (readonly (Flags | undefined)[])[]
}

const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(usual, ...others) })
const life = mostly<Life>('live', 'gone', 'deleting')
const account = mostly<Account>('acme', 'rival')
const each = <T>(count: number, one: fc.Arbitrary<T>) => fc.array(one, { minLength: count, maxLength: count })
const status = mostly<'active' | 'suspended'>('active', 'suspended')
const likely = fc.nat({ max: 2 }).map((number) => number > 0)
const permission = fc.record({ canView: likely, canCreate: fc.boolean(), canEdit: fc.boolean(), canDelete: fc.boolean() })

const worlds: fc.Arbitrary<World> = fc.record({
  accounts: fc.record({ acme: fc.record({ life, status }), rival: fc.record({ life, status }) }),
  users: each(
    users.length,
    fc.record({
      life,
      account,
      status: mostly<'active' | 'inactive'>('active', 'inactive'),
      endDate: mostly(undefined, '2026-02-28', '2026-03-01', '2027-01-01'),
    }),
  ),
  groups: each(groups.length, fc.record({ life, account })),
  roles: each(roles.length, fc.record({ life, account: fc.constantFrom<Account | undefined>('acme', 'acme', 'rival', undefined) })),
  workstreams: fc.tuple(
    ...accounts.flatMap((of) => workstreams.map((id) => fc.record({ account: fc.constant(of), id: fc.constant(id), life }))),
  ),
  workstreamUsers: each(users.length, each(workstreams.length, mostly<Account | undefined>('acme', 'rival', undefined))),
  members: each(users.length, each(groups.length, likely)),
  groupRoles: each(groups.length, each(roles.length, likely)),
  permissions: each(roles.length, each(menus.length, fc.option(permission, { nil: undefined, freq: 3 }))),
})

/** Each pair of two lists, as their edges are kept: the value of each, with what it is of. */
const pairs = <A, B, V>(as_: readonly A[], bs: readonly B[], values: readonly (readonly V[])[]) =>
  as_.flatMap((a, index) => bs.map((b, at): [A, B, V | undefined] => [a, b, values[index]?.[at]]))

function itemsOf(world: World): { readonly items: LiteralItem[]; readonly deleting: LiteralItem[] } {
  const nodes: { readonly life: Life; readonly items: readonly LiteralItem[] }[] = [
    ...accounts.map((id) => ({ ...world.accounts[id], items: [{ ...as.account(id), status: world.accounts[id].status }] })),
    ...world.users.map(({ life: of, account: at, status: is, endDate }, index) => {
      const id = users[index] ?? ''
      return { life: of, items: as.user(at, id, `${id}@example.org`, is, endDate) }
    }),
    ...world.groups.map(({ life: of, account: at }, index) => {
      return { life: of, items: [as.group(groups[index] ?? '', at), as.accountGroup(groups[index] ?? '', at)] }
    }),
    ...world.roles.map(({ life: of, account: at }, index) => ({ life: of, items: [as.role(roles[index] ?? '', at)] })),
    ...world.workstreams.map(({ life: of, account: at, id }) => ({ life: of, items: [as.workstream(at, id)] })),
  ]
  return {
    items: [
      ...nodes.flatMap(({ life: of, items }) => (of === 'gone' ? [] : items)),
      ...pairs(users, groups, world.members).flatMap(([user, group, is]) =>
        is ? as.member(group, user, world.groups[groups.indexOf(group)]?.account) : [],
      ),
      ...pairs(groups, roles, world.groupRoles).flatMap(([group, role, is]) =>
        is ? as.groupRole(group, role, world.groups[groups.indexOf(group)]?.account) : [],
      ),
      ...pairs(roles, menus, world.permissions).flatMap(([role, menu, given]) => {
        const of = world.roles[roles.indexOf(role)]?.account
        return given === undefined ? [] : as.permission(role, menu, { ...given, ...(of === undefined ? {} : { accountId: of }) })
      }),
      ...pairs(users, workstreams, world.workstreamUsers).flatMap(([user, workstream, at]) =>
        at === undefined ? [] : as.inWorkstream(at, user, workstream),
      ),
    ],
    deleting: nodes.flatMap(({ life: of, items }) => (of === 'deleting' ? items.slice(0, 1) : [])),
  }
}

interface Place {
  readonly account: Account
  readonly workstream?: (typeof workstreams)[number]
}

/** SPEC, platform: user > groups > roles > permissions, OR over flags. */
function allowed(world: World, user: number, place: Place, menu: number, action: number): boolean {
  const one = world.users[user]
  const at = world.accounts[place.account]
  // An account that is not active denies. A user past its end counts as inactive; its end day counts whole.
  if (one === undefined || one.life !== 'live' || one.status !== 'active' || (one.endDate ?? today) < today) return false
  if (at.life !== 'live' || at.status !== 'active' || one.account !== place.account) return false
  if (place.workstream !== undefined) {
    const isThere = world.workstreams.some(
      ({ account: of, id, life: is }) => of === place.account && id === place.workstream && is === 'live',
    )
    if (!isThere || world.workstreamUsers[user]?.[workstreams.indexOf(place.workstream)] !== place.account) return false
  }
  const isOpen = (group: number, role: number) => {
    const [g, r] = [world.groups[group], world.roles[role]]
    if (g?.life !== 'live' || g.account !== place.account || r?.life !== 'live') return false
    if (r.account !== undefined && r.account !== place.account) return false
    const flag = flags[action]
    return flag !== undefined && world.permissions[role]?.[menu]?.[flag] === true
  }
  return pairs([0, 1, 2], [0, 1, 2], world.groupRoles).some(
    ([group, role, is]) => is && world.members[user]?.[group] && isOpen(group, role),
  )
}

const places: readonly Place[] = accounts.flatMap((at) => [
  { account: at },
  ...workstreams.map((workstream) => ({ account: at, workstream })),
])

async function collected<T>(page: (cursor: string | undefined) => Promise<{ items: readonly T[]; cursor?: string }>): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const next = await page(cursor)
    all.push(...next.items)
    cursor = next.cursor
  }
  return all
}

/** Every question there is, against the model. */
async function compare(decider: PlatformDecider, world: World, consistency: 'strong' | 'bounded', limit: number): Promise<void> {
  const how = { consistency, limit }
  const permissions = menus.flatMap((menu, m) => actions.map((action, a) => ({ menu, action, m, a })))
  const given: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const [u, user] of users.entries()) {
    for (const place of places) {
      const name = `${user} ${place.account} ${place.workstream}`
      const questions = permissions.map(({ menu, action }) => ({ user, ...place, menu, action }))
      const answers = permissions.map(({ m, a }) => allowed(world, u, place, m, a))
      given[`can ${name}`] = (await decider.canMany(questions, { consistency })).map((can) => can.allowed)
      expected[`can ${name}`] = answers
      const what = await collected((cursor) => decider.what({ user, ...place }, { ...how, cursor }))
      given[`what ${name}`] = what
      expected[`what ${name}`] = menus.flatMap((menuKey, m) => {
        const of = Object.fromEntries(flags.map((flag, a) => [flag, allowed(world, u, place, m, a)]))
        return Object.values(of).includes(true) ? [{ menuKey, ...of }] : []
      })
      const [here, everywhere] = [
        await decider.access({ user, ...place }, { consistency }),
        await decider.access({ user }, { consistency }),
      ]
      given[`access ${name}`] = permissions.map((each) => [here.can(each), everywhere.can(each, place)])
      expected[`access ${name}`] = answers.map((is) => [is, is])
    }
    for (const { menu, action, m, a } of permissions) {
      const where = await collected((cursor) => decider.where({ user, menu, action }, { ...how, cursor, expand: true }))
      given[`where ${user} ${menu} ${action}`] = where.map(({ accountId, workstreamId }) => `${accountId} ${workstreamId}`)
      expected[`where ${user} ${menu} ${action}`] = places
        .filter((place) => allowed(world, u, place, m, a))
        .map((place) => `${place.account} ${place.workstream}`)
    }
  }
  for (const place of places) {
    for (const { menu, action, m, a } of permissions) {
      const name = `who ${place.account} ${place.workstream} ${menu} ${action}`
      const who = await collected((cursor) => decider.who({ ...place, menu, action }, { ...how, cursor }))
      given[name] = who.map(({ userId }) => userId)
      expected[name] = users.filter((_, u) => allowed(world, u, place, m, a))
    }
  }
  expect(given).toEqual(expected)
}

test('all questions answer as the model does, whatever lies in the table', async () => {
  let allowedAtAll = 0
  await fc.assert(
    fc.asyncProperty(worlds, fc.constantFrom(1, 2, 100), async (world, limit) => {
      const table = await ownTableOf(platform, { now: () => new Date(`${today}T23:59:59.999Z`) })
      const { items, deleting } = itemsOf(world)
      await writeLiterally(table.runtime, items)
      for (const key of deleting) await setLiterally(table.runtime, key, 'deleting', '01J00000000000000000000000')
      const decider = decidePlatform(table.runtime, { maxStalenessMs: 600_000 })
      await compare(decider, world, 'strong', limit)
      // From memory it answers alike, and so does one that remembers nothing.
      await compare(decider, world, 'bounded', limit)
      await compare(decidePlatform(table.runtime), world, 'bounded', limit)
      const isAllowed = (u: number, place: Place) => menus.some((_, m) => actions.some((__, a) => allowed(world, u, place, m, a)))
      if (users.some((_, u) => places.some((place) => isAllowed(u, place)))) allowedAtAll++
    }),
    { numRuns: deep(8) },
  )
  // Worlds in which nothing is allowed tell little. About 70 of 100 worlds allow something: all eight of a run allow nothing in one of 15,000 runs.
  expect(allowedAtAll).toBeGreaterThan(0)
})
