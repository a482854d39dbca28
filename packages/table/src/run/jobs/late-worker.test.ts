import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../../../../test/engine/own-table.ts'
import { flaws } from '../../../test/depot/flaws.ts'
import { rawItem, rawItems } from '../../../test/depot/raw.ts'
import { DyingSender, WatchedSender } from '../../../test/depot/senders.ts'
import { Clock, depotOf, ownDepot } from '../../../test/depot/table.ts'
import { design, edge, entity, text } from '../../language.ts'
import { meter } from '../meter.ts'
import { lease_ms } from './job.ts'

test('a worker that found an item in use, and is late to say so, does not take back what another has begun to empty', async () => {
  const clock = new Clock()
  const { now } = clock
  const table = await ownDepot({ now })
  await table.Person.create({ id: 'ada', email: 'ada@x.org' })
  const sites = Array.from({ length: 60 }, (_, n) => ({ site: `S${n}`, name: 'n' }))
  for (const site of sites) {
    await table.Site.create(site)
    await table.PersonSite.create({ id: 'ada', site: site.site })
  }
  const { id } = await table.Task.create({ person: 'ada', title: 't' })
  let isLate = false
  const sender = new WatchedSender(async (operation) => {
    const job = (await table.jobs.list()).at(0)
    if (isLate || operation !== 'TransactWriteItems' || job === undefined) return
    isLate = true
    clock.forward(lease_ms + 1)
    await table.Task.remove({ id })
    // The other takes the lease, marks the first memberships, and ends.
    const dying = depotOf(table.runtime.table, { now, sender: new DyingSender(2) })
    await dying.jobs.resume().catch(() => undefined)
    expect(await rawItem(table, 'PERSON#ada', 'SITE#S0')).toHaveProperty('deleting')
  })
  const late = depotOf(table.runtime.table, { now, sender })
  // It goes on elsewhere, and nobody is there who ends it.
  expect(await late.Person.remove({ id: 'ada' })).toMatchObject({ pending: [{ kind: 'remove', entity: 'Person' }] })
  expect(isLate).toBe(true)
  expect(await rawItem(table, 'PERSON#ada', 'META')).toHaveProperty('deleting')
  clock.forward(lease_ms + 1)
  expect(await table.jobs.resume()).toMatchObject({ done: 1, failed: [] })
  expect((await rawItems(table)).filter((item) => JSON.stringify(item).includes('ada'))).toEqual([])
  expect(await flaws(table)).toEqual([])
})

const Area = entity('Area', { attributes: { area: text() }, key: ['AREA#{area}', 'META'] })
const Zone = entity('Zone', {
  attributes: { id: text(), area: text(), parent: text().optional() },
  key: ['AREA#{area}', 'ZONE#{id}'],
  refers: { area: Area, parent: { to: 'itself', onRemove: 'refuse' } },
})
const { ZoneLink, LinkZone } = edge({
  ends: { from: { to: Zone, by: { id: 'from' } }, to: { to: Zone, by: { id: 'to' } } },
  attributes: { area: text() },
  items: { ZoneLink: ['LINKS#{area}#{from}', 'TO#{to}'], LinkZone: ['LINKED#{area}#{to}', 'FROM#{from}'] },
})
const areas = design({ name: 'areas', table: 'areas', entities: { Area, Zone, ZoneLink, LinkZone }, patterns: {} })

async function ownAreas() {
  const table = await ownTableOf(areas)
  await table.Area.create({ area: 'a' })
  return table
}

describe('items of a cascade that hang on each other', () => {
  const ids = Array.from({ length: 70 }, (_, n) => `z${String(n).padStart(3, '0')}`)

  test('go in a circle, and by both ends of an edge', async () => {
    const table = await ownAreas()
    for (const id of ids) await table.Zone.create({ id, area: 'a' })
    for (const [n, id] of ids.entries()) {
      const next = ids[(n + 1) % ids.length] ?? ''
      await table.Zone.update({ area: 'a', id }, { parent: next })
      await table.ZoneLink.create({ area: 'a', from: id, to: next })
    }
    await table.Area.remove({ area: 'a' }, { inUse: 'cascade' })
    expect(await rawItems(table)).toEqual([])
  })

  test('are each begun once: a chain of them takes no more than as many that hang on nothing else', async () => {
    const requestsOf = async (parentOf: (n: number) => string | undefined) => {
      const table = await ownAreas()
      for (const [n, id] of ids.entries()) await table.Zone.create({ id, area: 'a', parent: parentOf(n) })
      const { cost } = await meter(() => table.Area.remove({ area: 'a' }, { inUse: 'cascade' }))
      expect(await rawItems(table)).toEqual([])
      return cost.requests
    }
    const alone = await requestsOf(() => undefined)
    const chained = await requestsOf((n) => ids[n - 1])
    expect(chained - alone).toBeLessThan(10)
  })
})
