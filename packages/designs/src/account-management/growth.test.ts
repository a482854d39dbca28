import { type Cost, meter } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { assignment, building, client, idOf, link, permission, project, role, user } from '../../test/account-items.ts'
import { granting } from '../../test/account-organisation.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

// A decision reads as much in a large client as in a small one. The bench says the same of 100,000 users.

const notice = { module: 'portal', action: 'read', resource: 'notice' }
const camera = { module: 'devices', action: 'read', resource: 'camera' }
const invoice = { module: 'billing', action: 'write', resource: 'invoice' }
const entry = idOf('permission', 1)

interface Size {
  readonly number: number
  readonly users: number
  readonly buildings: number
}
const small: Size = { number: 1, users: 10, buildings: 1 }
const large: Size = { number: 2, users: 1000, buildings: 50 }

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** The ids of a client's own, as long at any size. */
function idsOf({ number }: Size) {
  const own = (kind: Parameters<typeof idOf>[0], index: number) => idOf(kind, number * 100_000 + index)
  return {
    client: idOf('client', number),
    project: own('project', 0),
    building: (index: number) => own('building', index),
    user: (index: number) => own('user', index),
    roles: { member: own('role', 0), admin: own('role', 1), linked: own('role', 2), lead: own('role', 3) },
  }
}

const withLinks = (item: Stored) => (item.Type === 'Role' ? { ...item, permission_form: 'linked' } : item)

/** A client: user 0 administrates it, users 1 to 3 have a building of it, and everyone else is a member. */
function clientItems(size: Size): readonly Stored[] {
  const { client: id, project: harbour, building: place, user: person, roles } = idsOf(size)
  const assigned = (index: number) => {
    if (index === 0) return assignment(id, person(index), roles.admin, 'client', id)
    const everyone = assignment(id, person(index), roles.member, 'client', id)
    return index > 3 ? everyone : [...everyone, ...assignment(id, person(index), roles.lead, 'building', place(0))]
  }
  return [
    ...client(id),
    ...project(id, harbour),
    ...numbers(size.buildings).flatMap((index) => building(id, harbour, place(index))),
    ...granting(role(id, roles.member, 'member'), notice),
    ...granting(role(id, roles.admin, 'admin'), { module: '*', action: '*', resource: '*' }),
    ...role(id, roles.linked, 'linked').map(withLinks),
    ...link(id, roles.linked, entry),
    ...role(id, roles.lead, 'lead', { parent: roles.linked }),
    ...numbers(size.users).flatMap((index) => [
      ...user(id, person(index), `person${String(index).padStart(6, '0')}@client${size.number}.example.org`),
      ...assigned(index),
    ]),
  ]
}

type How = { readonly consistency: 'bounded' | 'strong' }
type Ask = (decider: AccountDecider, ids: ReturnType<typeof idsOf>, how: How) => Promise<unknown>

const placeOf = ({ client: id, project: harbour, building: place }: ReturnType<typeof idsOf>) => ({
  client: id,
  project: harbour,
  building: place(0),
})

const users = [
  { who: 'a plain user', index: 9, asked: notice },
  { who: 'an administrator', index: 0, asked: invoice },
  { who: 'a user of a building', index: 2, asked: camera },
]
const ofUsers = users.flatMap(({ who, index, asked }): { what: string; answer: unknown; ask: Ask }[] => [
  {
    what: `can of ${who}`,
    answer: true,
    ask: async (decider, ids, how) => (await decider.can({ user: ids.user(index), ...placeOf(ids), permission: asked }, how)).allowed,
  },
  {
    what: `why of ${who}`,
    answer: true,
    ask: async (decider, ids, how) => (await decider.why({ user: ids.user(index), ...placeOf(ids), permission: asked }, how)).allowed,
  },
  {
    what: `what of ${who}`,
    answer: index === 2 ? 2 : 1,
    ask: async (decider, ids, how) => (await decider.what({ user: ids.user(index), ...placeOf(ids) }, how)).items.length,
  },
  {
    what: `where of ${who}`,
    answer: 1,
    ask: async (decider, ids, how) => (await decider.where({ user: ids.user(index), permission: asked }, how)).items.length,
  },
])
const questions: readonly { what: string; answer: unknown; ask: Ask }[] = [
  ...ofUsers,
  ...users.flatMap(({ who, index, asked }): { what: string; answer: unknown; ask: Ask }[] => [
    {
      what: `access of ${who}`,
      answer: true,
      ask: async (decider, ids, how) => (await decider.access({ user: ids.user(index), ...placeOf(ids) }, how)).can(asked),
    },
    {
      what: `access everywhere of ${who}`,
      answer: true,
      ask: async (decider, ids, how) => (await decider.access({ user: ids.user(index) }, how)).can(asked, placeOf(ids)),
    },
  ]),
  {
    what: 'can of a plain user who may not',
    answer: false,
    ask: async (decider, ids, how) => (await decider.can({ user: ids.user(9), ...placeOf(ids), permission: camera }, how)).allowed,
  },
  {
    what: 'a page of who among everyone',
    answer: 5,
    ask: async (decider, { client: id }, how) => (await decider.who({ client: id, permission: notice }, { ...how, limit: 5 })).items.length,
  },
  {
    what: 'all pages of who among few',
    answer: 4,
    ask: async (decider, ids, how) => {
      let count = 0
      for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
        const page = await decider.who({ ...placeOf(ids), permission: camera }, { ...how, limit: 2, cursor })
        count += page.items.length
        cursor = page.cursor
      }
      return count
    },
  },
]

describe('in a client with 1,000 users as in one with 10', () => {
  let table: Awaited<ReturnType<typeof ownTableOf<typeof accountManagement>>>
  beforeAll(async () => {
    table = await ownTableOf(accountManagement)
    const catalogue = permission(entry, camera.module, camera.action, camera.resource)
    await restoreItems(table.runtime, [...catalogue, ...clientItems(small), ...clientItems(large)])
  })

  /** With an empty memory, with everything in memory, and past the memory. */
  async function costs(size: Size, { ask, answer }: { readonly ask: Ask; readonly answer: unknown }) {
    const decider = decideAccountManagement(table.runtime, { maxStalenessMs: 600_000 })
    const all: Cost[] = []
    for (const consistency of ['bounded', 'bounded', 'strong'] as const) {
      const { result, cost } = await meter(() => ask(decider, idsOf(size), { consistency }))
      expect(result).toEqual(answer)
      all.push(cost)
    }
    const [cold, warm, strong] = all
    return { cold, warm, strong }
  }

  test.each(questions)('$what costs as many round trips, requests and units', async (question) => {
    const cost = await costs(large, question)
    expect(cost).toEqual(await costs(small, question))
    expect(cost.warm?.readUnits).toBeGreaterThan(0)
  })
})
