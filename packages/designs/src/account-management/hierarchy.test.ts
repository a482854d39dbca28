import type { Consistency } from '@freehold/frame/decision'
import { meter } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { assignment, building, client, idOf, link, permission, project, role, roleParent, user } from '../../test/account-items.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

const acme = idOf('client', 1)
const harbour = idOf('project', 1)
const pier = idOf('building', 1)
const ada = idOf('user', 1)
const camera = { module: 'devices', action: 'read', resource: 'camera' }
const door = { module: 'devices', action: 'open', resource: 'door' }
const [cameraId, doorId] = [idOf('permission', 1), idOf('permission', 2)]

const organisation: readonly Stored[] = [
  ...client(acme),
  ...project(acme, harbour),
  ...building(acme, harbour, pier),
  ...user(acme, ada, 'ada@example.org'),
  ...permission(cameraId, 'devices', 'read', 'camera'),
  ...permission(doorId, 'devices', 'open', 'door'),
]

/** Eight roles, each with the next above it; all may open doors, and the last one alone may read cameras. */
const chain = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => idOf('role', number))
const [lowest = '', last = ''] = [chain[0], chain.at(-1)]

function roles(form: 'embedded' | 'linked'): Stored[] {
  return chain.flatMap((id, index) => {
    const parent = chain[index + 1]
    const held = id === last ? [door, camera] : [door]
    const items = role(acme, id, `role ${index}`, parent === undefined ? {} : { parent }).map((item) =>
      item.Type === 'Role' ? { ...item, permission_form: form, permissions: form === 'embedded' ? held : [] } : item,
    )
    const ids = id === last ? [doorId, cameraId] : [doorId]
    return [...items, ...(form === 'linked' ? ids.flatMap((permission_id) => link(acme, id, permission_id)) : [])]
  })
}

/** The list of parents as damage leaves it, and as one who does not know of it does. */
const lists = {
  stale: (items: readonly Stored[]) => [...items, ...chain.map((id) => roleParent(acme, id, idOf('role', 99)))],
  none: (items: readonly Stored[]) => items.filter(({ Type }) => Type !== 'RoleParent'),
}

const questions = {
  can: (decider: AccountDecider, at: Place, consistency: Consistency) => decider.can({ ...at, permission: camera }, { consistency }),
  why: (decider: AccountDecider, at: Place, consistency: Consistency) => decider.why({ ...at, permission: camera }, { consistency }),
  what: (decider: AccountDecider, at: Place, consistency: Consistency) => decider.what(at, { consistency }),
}
type Place = { user: string; client?: string; project?: string; building: string }
type Question = keyof typeof questions
const names = ['can', 'why', 'what'] as const

const byIds = { user: ada, client: acme, project: harbour, building: pier }
const byEmail = { ...byIds, user: 'ada@example.org' }
const bare = { user: ada, building: pier }

type Table = Awaited<ReturnType<typeof ownTableOf<typeof accountManagement>>>

async function tripsOf(table: Table, question: Question, place: Place) {
  const ask = async (decider: AccountDecider, consistency: Consistency) => {
    const { result, cost } = await meter<{ allowed?: boolean; items?: readonly unknown[] }>(() =>
      questions[question](decider, place, consistency),
    )
    expect(result.allowed === true || result.items?.length === 2).toBe(true)
    return cost.roundTrips
  }
  // The bound is out of reach, so that nothing grows cold while it is asked.
  const decider = decideAccountManagement(table.runtime, { maxStalenessMs: 600_000 })
  const cold = await ask(decider, 'bounded')
  const warm = await ask(decider, 'bounded')
  return { cold, warm, strong: await ask(decideAccountManagement(table.runtime), 'strong') }
}

describe.each(['embedded', 'linked'] as const)('eight roles above one another, each %s', (form) => {
  let table: Table
  beforeAll(async () => {
    table = await ownTableOf(accountManagement)
    await restoreItems(table.runtime, [...organisation, ...roles(form), ...assignment(acme, ada, lowest, 'building', pier)])
  })

  test.each(names)('%s takes one warm and three cold or strong', async (question) => {
    expect(await tripsOf(table, question, byIds)).toEqual({ cold: 3, warm: 1, strong: 3 })
  })

  test.each(names)('%s by an e-mail address takes no more', async (question) => {
    const most = form === 'linked' ? 3 : 2
    expect(await tripsOf(table, question, byEmail)).toEqual({ cold: most, warm: 1, strong: most })
  })

  test.each(names)('%s by a bare building takes one more the first time', async (question) => {
    expect(await tripsOf(table, question, bare)).toEqual({ cold: 4, warm: 1, strong: 4 })
  })

  test('who and where take two warm and four cold or strong', async () => {
    const { user, ...place } = byIds
    const asked = {
      who: (decider: AccountDecider, consistency: Consistency) => decider.who({ ...place, permission: camera }, { consistency }),
      where: (decider: AccountDecider, consistency: Consistency) => decider.where({ user, permission: camera }, { consistency }),
    }
    for (const question of ['who', 'where'] as const) {
      const decider = decideAccountManagement(table.runtime, { maxStalenessMs: 600_000 })
      const trips: number[] = []
      for (const consistency of ['bounded', 'bounded', 'strong'] as const) {
        const { result, cost } = await meter<{ items: readonly unknown[] }>(() => asked[question](decider, consistency))
        expect(result.items).toHaveLength(1)
        trips.push(cost.roundTrips)
      }
      const most = question === 'who' && form === 'embedded' ? 3 : 4
      expect(trips).toEqual([most, 2, most])
    }
  })

  test.each(['stale', 'none'] as const)('are decided alike where the list of parents is %s, by all roles of their owner', async (list) => {
    const table = await ownTableOf(accountManagement)
    await restoreItems(table.runtime, [...organisation, ...lists[list](roles(form)), ...assignment(acme, ada, lowest, 'building', pier)])
    // The links of distant roles are known one round trip later.
    const most = form === 'linked' ? 4 : 3
    for (const question of names) expect(await tripsOf(table, question, byIds)).toEqual({ cold: most, warm: 1, strong: most })
    // Also where nothing is remembered.
    const forgetful = decideAccountManagement(table.runtime, { maxStalenessMs: 0 })
    expect(await forgetful.can({ ...byIds, permission: camera })).toEqual({ allowed: true })
  })
})

test('roles that are written without a flow are listed all the same', async () => {
  const table = await ownTableOf(accountManagement)
  await restoreItems(table.runtime, organisation)
  let parent_role_id: string | undefined
  for (const [index, id] of [...chain].reverse().entries()) {
    // The one above is said afterwards, as the derived routes of an operator may.
    await table.Role.create({ id, client_id: acme, name: `role ${index}`, permission_form: 'linked' })
    if (parent_role_id !== undefined) await table.Role.update({ id, client_id: acme }, { parent_role_id })
    await table.RolePermissionLink.create({ role_id: id, permission_id: doorId, client_id: acme })
    parent_role_id = id
  }
  await table.RolePermissionLink.create({ role_id: last, permission_id: cameraId, client_id: acme })
  await restoreItems(table.runtime, assignment(acme, ada, lowest, 'building', pier))
  for (const question of names) expect(await tripsOf(table, question, byIds)).toEqual({ cold: 3, warm: 1, strong: 3 })
  // The results of a move are read at once, too.
  await table.Role.update({ id: chain[3] ?? '', client_id: acme }, { parent_role_id: null })
  expect(await decideAccountManagement(table.runtime).can({ ...byIds, permission: camera })).toMatchObject({ allowed: false })
  await table.Role.update({ id: chain[1] ?? '', client_id: acme }, { parent_role_id: chain[5] })
  for (const question of names) expect(await tripsOf(table, question, byIds)).toEqual({ cold: 3, warm: 1, strong: 3 })
})
