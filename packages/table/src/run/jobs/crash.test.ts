import { beforeAll, describe, expect, test } from 'vitest'
import { rawItems } from '../../../test/depot/raw.ts'
import { DyingSender } from '../../../test/depot/senders.ts'
import { Clock, type Depot, depotOf, ownDepot } from '../../../test/depot/table.ts'
import type { Stored } from '../../plan/stored.ts'
import { lease_ms } from './job.ts'

// A process may end between any two of its writes, and may not hear of its last one. For each such point: another process, when the lease is
// over, ends what was begun, and what was never begun left nothing behind.

const clock = new Clock()
const now = clock.now
let table: Depot
beforeAll(async () => {
  table = await ownDepot({ now })
})

const writesTried_max = 60

/** Does the work in processes that end ever later, until one lives. `check` sees, after each, the items that mention the text. */
async function endingEverywhere(
  prepare: (text: string) => Promise<void>,
  work: (table: Depot, text: string) => Promise<unknown>,
  check: (items: readonly Stored[], text: string) => Promise<void> | void,
): Promise<number> {
  for (let writes = 0; writes < writesTried_max; writes++) {
    const text = `C${++count}X`
    await prepare(text)
    const sender = new DyingSender(writes)
    const outcome = await work(depotOf(table.runtime.table, { now, sender }), text).then(
      () => undefined,
      (error: unknown) => error,
    )
    clock.forward(lease_ms)
    expect(await table.jobs.resume()).toMatchObject({ held: [], failed: [] })
    expect(await table.jobs.list()).toEqual([])
    const items = (await rawItems(table)).filter((item) => JSON.stringify(item).includes(text))
    await check(items, text)
    if (!sender.isDead) {
      expect(outcome === undefined || (outcome instanceof Error && outcome.name === 'InUse')).toBe(true)
      return writes
    }
  }
  throw new Error(`the work is not done after ${writesTried_max} writes`)
}
let count = 0

/** A site with two rooms, two sensors each, and two people at it; names hold the text. */
async function organisation(text: string): Promise<void> {
  await table.Site.create({ site: text, name: 'old', region: 'north' })
  const people = [`${text}-ada`, `${text}-bob`]
  for (const id of people) {
    await table.Person.create({ id, email: `${id}@x.org`, handle: id })
    await table.PersonSite.create({ id, site: text })
  }
  for (const room of [`${text}-r1`, `${text}-r2`]) {
    await table.Room.create({ id: room, site: text, name: room })
    for (const sensor of [1, 2]) await table.Sensor.create({ room, id: `${room}-s${sensor}` })
    for (const id of people) await table.PersonRoom.create({ id, room })
  }
}
const types = (items: readonly Stored[]) => items.map(({ Type }) => String(Type)).sort()
const tally = (items: readonly Stored[], type: string) => items.filter(({ Type }) => Type === type).length

describe('a process that ends after any number of its writes', () => {
  test('while it removes a site: all of it is gone, or all is there', async () => {
    const points = await endingEverywhere(
      organisation,
      ({ Site }, site) => Site.remove({ site }),
      (items) => {
        expect(items.filter(({ deleting }) => deleting !== undefined)).toEqual([])
        if (tally(items, 'Site') === 1) expect(items).toHaveLength(33)
        else
          expect(types(items)).toEqual([
            'Person',
            'Person',
            'PersonEmail',
            'PersonEmail',
            'PersonEntry',
            'PersonEntry',
            'PersonHandle',
            'PersonHandle',
          ])
      },
    )
    expect(points).toBeGreaterThan(8)
  })

  test('while it removes a person: all of it is gone, or all is there', async () => {
    const points = await endingEverywhere(
      organisation,
      ({ Person }, text) => Person.remove({ id: `${text}-ada` }),
      (items, text) => {
        const own = items.filter((item) => JSON.stringify(item).toLowerCase().includes(`${text}-ada`.toLowerCase()))
        expect([0, 10]).toContain(own.length)
        expect(own.filter(({ deleting }) => deleting !== undefined)).toEqual([])
        expect(items.length - own.length).toBe(23)
      },
    )
    expect(points).toBeGreaterThan(3)
  })

  test('while it removes a person in use: it is whole, and bears no mark', async () => {
    const prepare = async (text: string) => {
      await table.Person.create({ id: text, email: `${text}@x.org` })
      await table.Task.create({ id: `task-${text}`, person: text, title: 't' })
    }
    const points = await endingEverywhere(
      prepare,
      ({ Person }, id) => Person.remove({ id }),
      (items) => {
        expect(types(items)).toEqual(['Person', 'PersonEmail', 'PersonEntry', 'Task', 'TaskOfPerson'])
        expect(items.filter(({ deleting }) => deleting !== undefined)).toEqual([])
      },
    )
    expect(points).toBe(4)
  })

  test('while a change is followed by its copies, and those by theirs: all have it, or none', async () => {
    const points = await endingEverywhere(
      organisation,
      ({ Site }, site) => Site.update({ site }, { name: 'new', region: 'south' }),
      (items) => {
        const site = items.find(({ Type }) => Type === 'Site')
        const [name, region] = site?.version === 2 ? ['new', 'south'] : ['old', 'north']
        expect(site).toMatchObject({ name, region })
        for (const item of items) {
          const { Type } = item
          if (Type === 'Room') expect(item).toMatchObject({ region, GSI1PK: `REGION#${region}` })
          if (Type === 'RoomPlace') expect(item).toMatchObject({ region })
          if (Type === 'Sensor') expect(item).toMatchObject({ place: region, GSI2PK: `REGION#${region}` })
          if (Type === 'SensorById') expect(item).toMatchObject({ place: region })
          if (Type === 'PersonSite') expect(item).toMatchObject({ siteName: name })
        }
        expect(items).toHaveLength(33)
      },
    )
    expect(points).toBeGreaterThan(4)
  })

  test('while it leaves a site: what lies within goes, too', async () => {
    const work = ({ SitePerson }: Depot, site: string) => SitePerson.remove({ id: `${site}-ada`, site })
    const points = await endingEverywhere(organisation, work, (items) => {
      expect([
        `${tally(items, 'SitePerson')} ${tally(items, 'PersonSite')} ${tally(items, 'PersonRoom')} ${tally(items, 'RoomPerson')}`,
      ]).toEqual([tally(items, 'SitePerson') === 2 ? '2 2 4 4' : '1 1 2 2'])
      expect(items.filter(({ deleting }) => deleting !== undefined)).toEqual([])
    })
    expect(points).toBe(4)
  })

  test('while it moves, creates or updates: the write is whole, or was not', async () => {
    const prepare = (text: string) => table.Policy.create({ id: text, name: text }).then(() => undefined)
    await endingEverywhere(
      prepare,
      ({ Policy }, id) => Policy.move({ id }, { owner: 'ada' }),
      (items) => expect(types(items)).toEqual(['Policy', 'PolicyName']),
    )
    await endingEverywhere(
      async () => {},
      ({ Person }, id) => Person.create({ id, email: `${id}@x.org`, handle: id }),
      (items) => expect([0, 4]).toContain(items.length),
    )
  })
})
