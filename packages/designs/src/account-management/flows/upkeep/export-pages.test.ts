import type { ExportedItem } from '@freehold/frame/exchange'
import { operator } from '@freehold/frame/flow'
import { type Cost, meter } from '@freehold/table'
import { day_ms, type Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { accountWork, checkedAccountFlows } from '../../../../test/account-flows.ts'
import { audit, building, client, idOf, longAgo, project, zone } from '../../../../test/account-items.ts'
import { ownTableOf } from '../../../../test/own-table.ts'
import { accountManagement } from '../../design.ts'
import type { AccountFlows } from '../flows.ts'

// A page reads what it gives, and a bounded part of what it passes over, however much the client has.

const table = await ownTableOf(accountManagement)
const flows = checkedAccountFlows.of(table, { actor: operator })

interface MeteredPage extends Pick<Cost, 'readUnits' | 'requests'> {
  readonly items: readonly ExportedItem[]
}
async function pagesOf(id: string, limit: number): Promise<readonly MeteredPage[]> {
  const pages: MeteredPage[] = []
  let cursor: string | undefined
  do {
    const { result, cost } = await meter(() => flows.exportClient({ id, limit, ...(cursor === undefined ? {} : { cursor }) }))
    pages.push({ items: result.items, readUnits: cost.readUnits, requests: cost.requests })
    cursor = result.cursor
  } while (cursor !== undefined)
  return pages
}
const dearest = (pages: readonly MeteredPage[], what: 'readUnits' | 'requests') => Math.max(...pages.map((page) => page[what]))

let clients = 0
/** A client with one building, and what lies in that. */
async function clientWith(beneath: (client_id: string, building_id: string, base: number) => readonly Stored[]): Promise<string> {
  const number = ++clients
  const [id, of, at] = [idOf('client', number), idOf('project', number), idOf('building', number)]
  await restoreItems(table.runtime, [...client(id), ...project(id, of), ...building(id, of, at), ...beneath(id, at, number * 10_000)])
  return id
}
const zoneId = (number: number) => idOf('zone', number)
/** Zones, each of which lies in the one that `above` gives. */
const zones = (many: number, above: (index: number) => number | undefined) => (client_id: string, building_id: string, base: number) =>
  Array.from({ length: many }, (_, index) => {
    const parent = above(index)
    return {
      ...zone(client_id, building_id, zoneId(base + index)),
      ...(parent === undefined ? {} : { parent_zone_id: zoneId(base + parent) }),
    }
  })

function zonesIn(pages: readonly MeteredPage[]): ExportedItem[] {
  return pages.flatMap(({ items }) => items).filter(({ Type }) => Type === 'Zone')
}
/** Each once, and after the one that it lies in. */
function expectInOrder(all: readonly ExportedItem[], many: number) {
  const places = new Map(all.map(({ id }, index) => [id, index]))
  expect([all.length, places.size]).toEqual([many, many])
  const early = all.filter(({ parent_zone_id }, index) => parent_zone_id !== undefined && (places.get(parent_zone_id) ?? many) >= index)
  expect(early).toEqual([])
}

describe('an export of zones that lie in each other', () => {
  // Every third one is at the top, and those in it come before it by their ids.
  const threes = (index: number) => (index % 3 === 2 ? undefined : index + 1)

  test('reads no more on a page where there are more of them', async () => {
    const few = await pagesOf(await clientWith(zones(201, threes)), 20)
    const all = await pagesOf(await clientWith(zones(801, threes)), 20)
    for (const what of ['readUnits', 'requests'] as const) expect(dearest(all, what)).toBeLessThanOrEqual(dearest(few, what))
    expectInOrder(zonesIn(all), 801)
  })

  test('has short pages where much is passed over, and in the end has all', async () => {
    // One in another, eight deep, wherever it lies; nearly all of them are in the first.
    const id = await clientWith(zones(1500, (index) => (index === 0 ? undefined : index < 8 ? index - 1 : 6)))
    const pages = await pagesOf(id, 1000)
    expect(dearest(pages, 'requests')).toBeLessThan(60)
    expectInOrder(zonesIn(pages), 1500)
  })

  test.each([1, 30])('also of those that are deeper than any flow makes them, %i on a page: each is in it once', async (limit) => {
    const pages = await pagesOf(await clientWith(zones(80, (index) => (index === 79 ? undefined : index + 1))), limit)
    const all = zonesIn(pages)
    expect(new Set(all.map(({ id }) => id)).size).toBe(80)
    expect(all).toHaveLength(80)
    const numbers = all.map(({ id }) => Number(String(id).slice(-4)))
    expect(numbers.slice(0, 64)).toEqual(Array.from({ length: 64 }, (_, index) => 79 - index))
  })
})

describe('an export of a client with much that is over', () => {
  const over = (many: number) => (client_id: string, _: string, base: number) =>
    Array.from({ length: many }, (_each, index) => audit(client_id, idOf('audit', base + index), longAgo.expires_at, undefined, longAgo))

  test('has pages that are short, with a cursor, instead of reading it all for one', async () => {
    const [few, all] = [await pagesOf(await clientWith(over(1200)), 100), await pagesOf(await clientWith(over(3500)), 100)]
    for (const what of ['readUnits', 'requests'] as const) expect(dearest(all, what)).toBeLessThanOrEqual(dearest(few, what))
    expect(few.length).toBeLessThan(all.length)
    for (const pages of [few, all])
      expect(pages.flatMap(({ items }) => items.map(({ Type }) => Type))).toEqual(['Client', 'Project', 'Building', 'AuditLog'])
  })
})

describe('an export under way', () => {
  let now = Date.parse('2026-05-01T08:00:00.000Z')
  const begun = async (of: AccountFlows, id: string) => String((await of.exportClient({ id, limit: 1 })).cursor)
  const invalid = { code: 'InvalidCursor' }

  test('is gone on with by who began it, whom the audit tells of, and by nobody else', async () => {
    const id = await clientWith(() => [])
    const [ada, bob] = ['ada', 'bob'].map((name) => checkedAccountFlows.of(table, { actor: { kind: 'operator', name } }))
    if (ada === undefined || bob === undefined) throw new Error('There are two.')
    const { id: user_id } = await table.User.create({ client_id: id, email: 'eve@export.example', user_type: 'client_admin' })
    const all = { module: '*', action: '*', resource: '*' }
    const { id: role_id } = await flows.createRole({ client_id: id, name: 'Admin', permissions: [all] })
    await flows.assignRole({ user_id, role_id, scope_type: 'client', scope_id: id })
    const eve = checkedAccountFlows.of(table, { actor: { kind: 'user', user_id } })
    const callers = [ada, bob, flows, eve]
    for (const one of callers) {
      const cursor = await begun(one, id)
      for (const other of callers) {
        const went = other.exportClient({ id, cursor })
        if (one === other) expect((await went).items.length).toBeGreaterThan(0)
        else await expect(went).rejects.toMatchObject(invalid)
      }
    }
  })

  test('ends a day after it began, however often it was gone on with', async () => {
    const id = await clientWith(() => [])
    const { runtime } = table
    const timed = await accountWork({ table: runtime.table, now: () => new Date(now) })
    const first = await begun(timed.flows, id)
    now += day_ms - 1
    const { cursor = '' } = await timed.flows.exportClient({ id, cursor: first, limit: 1 })
    now += 1
    await expect(timed.flows.exportClient({ id, cursor })).rejects.toMatchObject({
      ...invalid,
      message: expect.stringContaining('more than a day ago'),
    })
  })
})
