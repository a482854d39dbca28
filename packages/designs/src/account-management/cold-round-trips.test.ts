import type { Consistency } from '@freehold/frame/decision'
import { meter } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { assignment, building, client, idOf, link, permission, project, role, user } from '../../test/account-items.ts'
import { granting } from '../../test/account-organisation.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

// The round trips of the first question about something, exactly (spec rule 19: three, and four for `who` and `where`; one more for a place that
// is named by its own id alone): for all kinds of users, roles and scopes. Where a role above another is not listed, which only other programs leave
// behind, what a distant one is linked to is known too late for that.

const [acme, harbour, pier] = [idOf('client', 1), idOf('project', 1), idOf('building', 1)]
const [ada, ian] = [idOf('user', 1), idOf('user', 2)]
const camera = { module: 'devices', action: 'read', resource: 'camera' }
const cameraId = idOf('permission', 1)
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const roleId = (level: number) => idOf('role', level)

const organisation: readonly Stored[] = [
  ...client(acme),
  ...project(acme, harbour),
  ...building(acme, harbour, pier),
  ...user(acme, ada, 'ada@example.org'),
  ...user(undefined, ian, 'ian@example.org'),
  ...permission(cameraId, 'devices', 'read', 'camera'),
]

type Form = 'embedded' | 'linked'

/** Roles each beneath the next, of which the last one alone grants. */
function rolesOf(owner: string | undefined, form: Form, levels: number): Stored[] {
  return numbers(levels).flatMap((level) => {
    if (level < levels) return role(owner, roleId(level), `level ${level}`, { parent: roleId(level + 1) })
    const items = role(owner, roleId(level), `level ${level}`)
    if (form === 'embedded') return granting(items, camera)
    return [
      ...items.map((item) => (item.Type === 'Role' ? { ...item, permission_form: 'linked' } : item)),
      ...link(owner, roleId(level), cameraId),
    ]
  })
}
const unlisted = (items: readonly Stored[]) => items.filter(({ Type }) => Type !== 'RoleParent')
const owned = (items: readonly Stored[], owner: string | undefined) =>
  items.map((item) => (item.role_owner === undefined ? item : { ...item, role_owner: owner ?? 'SYSTEM' }))

const whole = { client: acme, project: harbour, building: pier, permission: camera }
const bare = { building: pier, permission: camera }
type Ask = (decider: AccountDecider, user: string, how: { readonly consistency: Consistency }) => Promise<unknown>
const questions = {
  can: (decider, user, how) => decider.can({ user, ...whole }, how),
  'can of a bare building': (decider, user, how) => decider.can({ user, ...bare }, how),
  why: (decider, user, how) => decider.why({ user, ...whole }, how),
  what: (decider, user, how) => decider.what({ user, client: acme, project: harbour, building: pier }, how),
  who: (decider, _, how) => decider.who(whole, how),
  'who of a bare building': (decider, _, how) => decider.who(bare, how),
  where: (decider, user, how) => decider.where({ user, permission: camera }, how),
  everywhere: (decider, user, how) => decider.where({ user, permission: camera }, { ...how, expand: true }),
} as const satisfies Record<string, Ask>
type Question = keyof typeof questions

/** Of each question, with an empty memory: bounded, then again, and strong. */
async function tripsOf(items: readonly Stored[], name: string): Promise<Readonly<Record<string, string>>> {
  const table = await ownTableOf(accountManagement)
  await restoreItems(table.runtime, [...organisation, ...items])
  const trips: Record<string, string> = {}
  for (const [question, ask] of Object.entries(questions) as [Question, Ask][]) {
    const decider = decideAccountManagement(table.runtime, { maxStalenessMs: 600_000 })
    const cost = async (from: AccountDecider, consistency: Consistency) => {
      const { result, cost } = await meter(() => ask(from, name, { consistency }))
      expect(result).toSatisfy((answer: { allowed?: boolean; items?: readonly unknown[] }) => answer.allowed ?? answer.items?.length !== 0)
      return cost.roundTrips
    }
    const [cold, warm] = [await cost(decider, 'bounded'), await cost(decider, 'bounded')]
    trips[question] = [cold, warm, await cost(decideAccountManagement(table.runtime), 'strong')].join(' ')
  }
  return trips
}

const most = {
  can: '3 1 3',
  'can of a bare building': '4 1 4',
  why: '3 1 3',
  what: '3 1 3',
  who: '4 2 4',
  'who of a bare building': '5 2 5',
  where: '4 2 4',
  everywhere: '4 2 4',
}

/** True where no number is above the other's. */
const isWithin = (trips: string, bound: string) =>
  trips.split(' ').every((each, index) => Number(each) <= Number(bound.split(' ')[index] ?? 0))

const forms: readonly Form[] = ['embedded', 'linked']
const users = [
  { what: 'a user', id: ada, email: 'ada@example.org' },
  { what: 'an internal user', id: ian, email: 'ian@example.org' },
]
const cases = users.flatMap(({ what, id, email }) =>
  [acme, undefined].flatMap((owner) =>
    forms.flatMap((form) =>
      [1, 3, 8].flatMap((levels) =>
        (['client', 'building'] as const).flatMap((scope) =>
          [id, email].map((name) => ({ what, id, name, owner, form, levels, scope, of: owner === undefined ? 'system' : 'client' })),
        ),
      ),
    ),
  ),
)

test.each(cases)(
  '$what called $name with a role of the $of, $form, $levels deep, at a $scope, costs no more than the rule says',
  async (one) => {
    const { id, name, owner, form, levels, scope } = one
    const assigned = owned(assignment(acme, id, roleId(1), scope, scope === 'client' ? acme : pier), owner)
    const trips = await tripsOf([...rolesOf(owner, form, levels), ...assigned], name)
    expect(Object.entries(trips).filter(([question, each]) => !isWithin(each, most[question as Question]))).toEqual([])
  },
)

describe('roles above one another of which no list says so', () => {
  const items = (form: Form, levels: number) => [
    ...unlisted(rolesOf(acme, form, levels)),
    ...assignment(acme, ada, roleId(1), 'building', pier),
  ]

  test.each([2, 3, 8])('cost no more, %i deep and embedded: all roles of their owner are read instead', async (levels) => {
    const trips = await tripsOf(items('embedded', levels), ada)
    expect(Object.entries(trips).filter(([question, each]) => !isWithin(each, most[question as Question]))).toEqual([])
  })

  test.each([3, 8])('cost can one more, %i deep, where what grants is linked: who is linked is known once all are read', async (levels) => {
    expect(await tripsOf(items('linked', levels), ada)).toEqual({
      ...most,
      can: '4 1 4',
      'can of a bare building': '5 1 5',
      why: '4 1 4',
      what: '4 1 4',
    })
  })

  test('cost where one more, too, for an internal user who is called by an e-mail address for the first time', async () => {
    const linked = [...unlisted(rolesOf(undefined, 'linked', 3)), ...owned(assignment(acme, ian, roleId(1), 'client', acme), undefined)]
    expect(await tripsOf(linked, 'ian@example.org')).toMatchObject({ can: '3 1 3', where: '5 2 5', everywhere: '5 2 5' })
  })
})

test.each([false, true])(
  'roles at 40 projects and 40 buildings cost a page no more, and none is left out, expanded: %s',
  async (expand) => {
    const table = await ownTableOf(accountManagement)
    const projects = numbers(40).map((number) => idOf('project', number + 100))
    const buildings = projects.map((_, index) => idOf('building', index + 100))
    const apart = numbers(40).map((number) => idOf('building', number + 200))
    await restoreItems(table.runtime, [
      ...organisation,
      ...rolesOf(acme, 'linked', 3),
      ...projects.flatMap((id, index) => [...project(acme, id), ...building(acme, id, buildings[index] ?? '')]),
      ...apart.flatMap((id) => building(acme, harbour, id)),
      ...projects.flatMap((id) => assignment(acme, ada, roleId(1), 'project', id)),
      ...apart.flatMap((id) => assignment(acme, ada, roleId(1), 'building', id)),
    ])
    const decider = decideAccountManagement(table.runtime, { maxStalenessMs: 600_000 })
    const asked = { user: ada, permission: camera }
    for (const [at, trips_max] of [4, 2, 4].entries()) {
      const consistency = at === 2 ? 'strong' : 'bounded'
      const from = at === 2 ? decideAccountManagement(table.runtime) : decider
      const found: string[] = []
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const { result, cost } = await meter(() => from.where(asked, { expand, consistency, cursor, limit: 30 }))
        found.push(...result.items.map(({ scope_id }) => scope_id))
        cursor = result.cursor
        // With definitions in memory a page that was never asked for takes no more than one that was.
        expect(cost.roundTrips).toBeLessThanOrEqual(isFirst || at === 2 ? trips_max : 3)
      }
      expect(found).toEqual([...apart, ...(expand ? projects.flatMap((id, index) => [id, buildings[index]]) : projects)])
    }
  },
)

test.each([1, 2, 8])('an e-mail address that another user has now costs nothing more; roles in a chain: %i', async (levels) => {
  const table = await ownTableOf(accountManagement)
  const decider = decideAccountManagement(table.runtime)
  const can = () => meter(() => questions.can(decider, 'ada@example.org', { consistency: 'strong' }))
  const roles = [...rolesOf(acme, 'linked', levels), ...owned(assignment(acme, ada, roleId(1), 'client', acme), acme)]
  await restoreItems(table.runtime, [...organisation, ...roles])
  await restoreItems(table.runtime, user(acme, idOf('user', 3), 'ada@example.org'))
  await can()
  await restoreItems(table.runtime, user(acme, ada, 'ada@example.org'))
  const [moved, again] = [await can(), await can()]
  expect([moved.result, moved.cost.roundTrips, again.cost.roundTrips]).toEqual([{ allowed: true }, 3, 3])
})
