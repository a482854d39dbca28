import type { Consistency } from '@freehold/frame/decision'
import { meter, type Page } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { assignment, building, client, crowd, idOf, link, permission, project, role, subscription, user } from '../../test/account-items.ts'
import { granting } from '../../test/account-organisation.ts'
import { ownTableOf } from '../../test/own-table.ts'
import type { GrantingScope } from './decide.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

const acme = idOf('client', 1)
const ada = idOf('user', 1)
const camera = { module: 'devices', action: 'read', resource: 'camera' }
const [reader, lowest, onlooker] = [idOf('role', 1), idOf('role', 11), idOf('role', 99)]
const cameraId = idOf('permission', 1)
const module_id = idOf('module', 1)

/** A role that says itself what it grants, one that has it from the last of seven linked ones above it, and one that grants nothing of it. */
const roles: readonly Stored[] = [
  ...granting(role(acme, reader, 'reader'), camera),
  ...role(acme, onlooker, 'onlooker'),
  ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap((level) => {
    const parent = level === 8 ? {} : { parent: idOf('role', 11 + level) }
    const items = role(acme, idOf('role', 10 + level), `level ${level}`, parent)
    return items.map((item) => (item.Type === 'Role' ? { ...item, permission_form: 'linked' } : item))
  }),
  ...permission(cameraId, 'devices', 'read', 'camera'),
  ...link(acme, idOf('role', 18), cameraId),
]

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const projectId = (number: number) => idOf('project', number)
const buildingId = (projectNumber: number, number: number) => idOf('building', projectNumber * 1000 + number)

/** Projects with as many buildings each; every second project has the module, and of the others every second building. */
function places(projects: number, buildings: number): Stored[] {
  const items = numbers(projects).flatMap((at) => [
    ...project(acme, projectId(at)),
    ...(at % 2 === 0 ? [subscription(acme, 'project', projectId(at), module_id)] : []),
    ...numbers(buildings).flatMap((number) => [
      ...building(acme, projectId(at), buildingId(at, number)),
      ...(at % 2 === 1 && number % 2 === 1 ? [subscription(acme, 'building', buildingId(at, number), module_id)] : []),
    ]),
  ])
  return crowd(items)
}
const projectWith = (at: number, buildings: number) => [projectId(at), ...numbers(buildings).map((number) => buildingId(at, number))]
const entitledIn = (at: number, buildings: number) =>
  at % 2 === 0 ? projectWith(at, buildings) : numbers(buildings).flatMap((number) => (number % 2 === 1 ? [buildingId(at, number)] : []))

interface Asked {
  /** Ada if absent. */
  readonly user?: string
  readonly module_id?: string
  readonly expand?: boolean
  readonly limit?: number
}
const ids = (page: Page<GrantingScope>) => page.items.map(({ scope_id }) => scope_id)

function ask(decider: AccountDecider, { user = ada, module_id, ...how }: Asked, consistency: Consistency, cursor?: string) {
  const module = module_id === undefined ? {} : { module_id }
  return decider.where({ user, permission: camera, ...module }, { ...how, consistency, ...(cursor === undefined ? {} : { cursor }) })
}

/** Every page, with the round trips that it took. */
async function pages(decider: AccountDecider, asked: Asked, consistency: Consistency = 'bounded') {
  const found: { readonly ids: string[]; readonly roundTrips: number }[] = []
  for (let cursor: string | undefined; found.length < 500; ) {
    const { result, cost } = await meter(() => ask(decider, asked, consistency, cursor))
    found.push({ ids: ids(result), roundTrips: cost.roundTrips })
    cursor = result.cursor
    if (cursor === undefined) return found
  }
  throw new Error('this does not end')
}

// The bound is out of reach, so that nothing grows cold while it is asked.
const deciderOf = (table: Table) => decideAccountManagement(table.runtime, { maxStalenessMs: 600_000 })
type Table = Awaited<ReturnType<typeof ownTableOf<typeof accountManagement>>>

async function prepared(...items: readonly (readonly Stored[])[]): Promise<Table> {
  const table = await ownTableOf(accountManagement)
  await restoreItems(table.runtime, [...client(acme), ...user(acme, ada, 'ada@example.org'), ...roles, ...items.flat()])
  return table
}

/** Somebody of whom only one test asks, so that nothing has to be taken away for the next. */
const newUser = (table: Table, id: string, assigned: readonly Stored[]) =>
  restoreItems(table.runtime, [...user(acme, id, `${id}@example.org`), ...assigned])

const most = (read: readonly { readonly roundTrips: number }[]) => Math.max(...read.map(({ roundTrips }) => roundTrips))

/** Two warm, four cold or strong, for each of all pages; `further`: for so many thousands of assignments beyond the first. */
async function expectTrips(table: Table, asked: Asked, expected: readonly string[], further = 0) {
  const decider = deciderOf(table)
  const cold = await pages(decider, asked)
  const warm = await pages(decider, asked)
  const strong = await pages(decideAccountManagement(table.runtime), asked, 'strong')
  for (const read of [cold, warm, strong]) expect(read.flatMap((page) => page.ids)).toEqual(expected)
  expect(most(cold)).toBeLessThanOrEqual(4 + further)
  expect(most(warm)).toBeLessThanOrEqual(2 + further)
  expect(most(strong)).toBeLessThanOrEqual(4 + further)
  return { cold, warm }
}

describe.each([
  [1, 1],
  [1, 100],
  [10, 1],
  [10, 100],
  [100, 1],
  [100, 100],
])('a client of %i projects with %i buildings each', (projects, buildings) => {
  const all = numbers(projects)
  const limit = projects * buildings > 1000 ? 1000 : 100
  let table: Table
  beforeAll(async () => {
    table = await prepared(places(projects, buildings))
  })

  const forms = [
    ['linked and seven roles above', lowest, idOf('user', 2)],
    ['embedded', reader, idOf('user', 3)],
  ] as const
  // Of the largest client once is enough.
  describe.each(forms.slice(0, limit === 1000 ? 1 : 2))('with a role that is %s', (_, roleId, userId) => {
    beforeAll(() => newUser(table, userId, assignment(acme, userId, roleId, 'client', acme)))

    test('lists every place of it, on full pages', async () => {
      const expected = [acme, ...all.flatMap((at) => projectWith(at, buildings))]
      const { cold, warm } = await expectTrips(table, { user: userId, expand: true, limit }, expected)
      for (const page of warm.slice(0, -1)) expect(page.ids).toHaveLength(limit)
      // With warm definitions a page that was never asked for is read from where its cursor says.
      expect(most([...cold.slice(1), ...warm])).toBeLessThanOrEqual(2)
    })

    test('lists every place of it that has the module, on as few pages as it takes to look at 300 of them', async () => {
      const expected = all.flatMap((at) => entitledIn(at, buildings))
      const { warm } = await expectTrips(table, { user: userId, module_id, limit }, expected)
      expect(warm.length).toBeLessThanOrEqual(Math.ceil((1 + projects * (buildings + 1)) / 133) + 1)
    })
  })

  test.each([
    ['ten projects', 'project', idOf('user', 4)],
    ['the buildings of ten projects', 'building', idOf('user', 5)],
  ] as const)('lists what is beneath %s', async (_, scope_type, userId) => {
    const scopes = all.slice(0, 10).flatMap((at) => (scope_type === 'project' ? [projectId(at)] : projectWith(at, buildings).slice(1)))
    await newUser(table, userId, crowd(scopes.flatMap((scope_id) => assignment(acme, userId, lowest, scope_type, scope_id))))
    const expected = scope_type === 'project' ? scopes.flatMap((_, index) => projectWith(index + 1, buildings)) : scopes
    await expectTrips(table, { user: userId, expand: true, limit }, expected, Math.floor(scopes.length / 1000))
  })
})

test('with 300 scopes of which the first ones grant nothing, a page is found all the same', async () => {
  const scopes = numbers(300).map((number) => idOf('project', number))
  for (const roleId of [reader, lowest]) {
    const table = await prepared(
      ...scopes.map((id) => project(acme, id)),
      ...scopes.map((id, index) => assignment(acme, ada, index < 299 ? onlooker : roleId, 'project', id)),
    )
    await expectTrips(table, { expand: true }, [idOf('project', 300)])
  }
})

test('if a role at the client grants nothing, one beneath it is listed', async () => {
  const table = await prepared(
    places(3, 3),
    assignment(acme, ada, onlooker, 'client', acme),
    assignment(acme, ada, lowest, 'project', projectId(2)),
    assignment(acme, ada, lowest, 'building', buildingId(2, 1)),
    assignment(acme, ada, lowest, 'building', buildingId(3, 1)),
  )
  await expectTrips(table, { expand: true }, [buildingId(3, 1), ...projectWith(2, 3)])
  await expectTrips(table, { expand: false }, [buildingId(2, 1), buildingId(3, 1), projectId(2)])
})

test.each([true, false])('by an e-mail address takes no more, expanded: %s', async (expand) => {
  const table = await prepared(places(2, 2), assignment(acme, ada, lowest, 'client', acme))
  const decider = deciderOf(table)
  const trips: number[] = []
  for (const consistency of ['bounded', 'bounded', 'strong'] as const) {
    const { result, cost } = await meter(() => ask(decider, { user: ' Ada@example.org ', expand }, consistency))
    expect(result.items).toHaveLength(expand ? 7 : 1)
    trips.push(cost.roundTrips)
  }
  expect(trips.map((each, index) => each <= (index === 1 ? 2 : 4))).toEqual([true, true, true])
})

test('projects of which DynamoDB returns only some at once are listed without a gap', async () => {
  const description = 'x'.repeat(30_000)
  const large = places(60, 1).map((item) => (item.Type === 'Project' ? { ...item, description } : item))
  const table = await prepared(large, assignment(acme, ada, reader, 'client', acme))
  const read = await pages(deciderOf(table), { expand: true })
  expect(read.flatMap((page) => page.ids)).toEqual([acme, ...numbers(60).flatMap((at) => projectWith(at, 1))])
  expect(read.length).toBeGreaterThan(1)
})

describe('a building that has moved', () => {
  const moved = buildingId(1, 1)

  test('is found where it is, by at most four', async () => {
    const table = await prepared(places(2, 2), assignment(acme, ada, lowest, 'building', moved))
    for (const expand of [true, false]) {
      const decider = deciderOf(table)
      await ask(decider, { expand }, 'bounded')
      for (const consistency of ['bounded', 'strong'] as const) {
        const { items } = await ask(decider, { expand }, consistency)
        const [from = '', to = ''] = items[0]?.project_id === projectId(1) ? [projectId(1), projectId(2)] : [projectId(2), projectId(1)]
        await table.Building.move({ project_id: from, id: moved }, { project_id: to })
        const { result, cost } = await meter(() => ask(decider, { expand }, consistency))
        expect(result.items).toMatchObject([{ scope_id: moved, project_id: to }])
        expect(cost.roundTrips).toBeLessThanOrEqual(4)
      }
    }
  })

  test('out of a project that grants, where it is remembered, is still listed by a role of its own', async () => {
    const table = await prepared(
      places(2, 2),
      assignment(acme, ada, reader, 'building', moved),
      assignment(acme, ada, reader, 'project', projectId(1)),
    )
    const decider = deciderOf(table)
    expect(ids(await ask(decider, { expand: true }, 'bounded'))).toEqual(projectWith(1, 2))
    await table.Building.move({ project_id: projectId(1), id: moved }, { project_id: projectId(2) })
    expect(ids(await ask(decider, { expand: true }, 'bounded'))).toEqual([moved, projectId(1), buildingId(1, 2)])
  })
})

describe('the memory of scopes is a guess', () => {
  test('of which nothing is told once a role is taken away', async () => {
    const granted = assignment(acme, ada, reader, 'client', acme)
    const table = await prepared(places(2, 2), granted, assignment(acme, ada, reader, 'building', buildingId(2, 2)))
    const decider = deciderOf(table)
    const asked = { expand: true }
    expect(ids(await ask(decider, asked, 'bounded'))).toHaveLength(7)
    await table.UserRoleAssignment.remove({ user_id: ada, scope_type: 'client', scope_id: acme, role_id: reader })
    expect(ids(await ask(decider, asked, 'bounded'))).toEqual([buildingId(2, 2)])
    expect(ids(await ask(decider, asked, 'strong'))).toEqual([buildingId(2, 2)])
  })
})

describe('places that are gone', () => {
  const gone = (items: readonly Stored[], ...goneIds: readonly string[]) =>
    items.map((item) => (goneIds.includes(String(item.id)) ? { ...item, deleting: 'x' } : item))

  test('are passed over, with all beneath them, and a page is filled without them', async () => {
    const table = await prepared(gone(places(4, 5), projectId(1), buildingId(2, 1)), assignment(acme, ada, reader, 'client', acme))
    const expected = [acme, ...[2, 3, 4].flatMap((at) => projectWith(at, 5))].filter((id) => id !== buildingId(2, 1))
    for (const limit of [1, 2, 3, 7, 100]) {
      const read = await pages(deciderOf(table), { expand: true, limit })
      expect(read.flatMap((page) => page.ids)).toEqual(expected)
      for (const page of read.slice(0, -1)) expect(page.ids).toHaveLength(limit)
    }
  })

  test('a mirror of a building that is gone lists nothing', async () => {
    const items = places(1, 2).filter(({ Type, id }) => Type !== 'Building' || id !== buildingId(1, 1))
    const table = await prepared(items, assignment(acme, ada, reader, 'client', acme))
    expect(ids(await ask(deciderOf(table), { expand: true }, 'bounded'))).toEqual([acme, projectId(1), buildingId(1, 2)])
  })
})
