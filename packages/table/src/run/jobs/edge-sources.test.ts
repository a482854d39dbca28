import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../../../../test/engine/own-table.ts'
import { rawItem, rawKeys } from '../../../test/depot/raw.ts'
import { DyingSender } from '../../../test/depot/senders.ts'
import { Clock, noWait } from '../../../test/depot/table.ts'
import { code, design, edge, entity, mirror, opaqueId, text } from '../../language.ts'
import { connect } from '../connect.ts'
import { lease_ms } from './job.ts'

// Items of an edge to which others refer, and which have copies themselves.

const Person = entity('Person', { attributes: { id: opaqueId() }, key: ['PERSON#{id}', 'META'] })
const Site = entity('Site', { attributes: { site: code(), name: text() }, key: ['SITE#{site}', 'META'] })
const { Stay, StayAt } = edge({
  ends: { id: Person, site: Site },
  attributes: { note: text().optional() },
  items: { Stay: ['PERSON#{id}', 'STAY#{site}'], StayAt: ['SITE#{site}', 'STAY#{id}'] },
  copies: { Stay: { siteName: 'site.name' } },
})
const Ticket = entity('Ticket', {
  attributes: {
    ticket: opaqueId(),
    person: opaqueId(),
    site: code(),
    where: text().from('person', 'siteName'),
    note: text().from('person'),
  },
  key: ['TICKET#{ticket}', 'META'],
  refers: { person: { to: Stay, by: { id: 'person' } } },
})
const TicketOf = mirror('TicketOf', Ticket, ['TICKETS#{person}#{site}', 'TICKET#{ticket}'])
const Gate = entity('Gate', { attributes: { gate: opaqueId() }, key: ['GATE#{gate}', 'META'] })
const { Pass, PassAt } = edge({
  ends: { id: Stay, gate: Gate },
  attributes: { site: code() },
  items: { Pass: ['PASSES#{id}#{site}', 'PASS#{gate}'], PassAt: ['GATE#{gate}', 'PASS#{id}#{site}'] },
  copies: { Pass: { where: 'id.siteName', stayNote: 'id.note' } },
})
const yard = design({
  name: 'yard',
  table: 'yard',
  entities: { Person, Site, Stay, StayAt, Ticket, TicketOf, Gate, Pass, PassAt },
  patterns: {},
})

async function ownYard(clock = new Clock()) {
  const table = await ownTableOf(yard, { now: clock.now })
  await table.Person.create({ id: 'p' })
  await table.Gate.create({ gate: 'g' })
  await table.Site.create({ site: 'S', name: 'one' })
  await table.Stay.create({ id: 'p', site: 'S', note: 'first' })
  await table.Ticket.create({ ticket: 't', person: 'p', site: 'S' })
  await table.Pass.create({ id: 'p', site: 'S', gate: 'g' })
  return table
}

type Yard = Awaited<ReturnType<typeof ownYard>>
const ticket = (table: Yard) => rawItem(table, 'TICKET#t', 'META')
const pass = (table: Yard) => rawItem(table, 'PASSES#p#S', 'PASS#g')

describe('a copy on an edge', () => {
  test('is followed by its own copies', async () => {
    const table = await ownYard()
    expect(await table.Site.update({ site: 'S' }, { name: 'two' })).not.toHaveProperty('pending')
    expect(await ticket(table)).toMatchObject({ where: 'two', note: 'first', version: 2 })
    expect(await pass(table)).toMatchObject({ where: 'two', stayNote: 'first', version: 2 })
    expect(await table.jobs.list()).toEqual([])
  })

  test('is followed, whichever write of the change is the last of its process', async () => {
    for (let writes = 1, isDead = true; isDead; writes++) {
      const clock = new Clock()
      const table = await ownYard(clock)
      const sender = new DyingSender(writes)
      await connect(yard, { table: table.runtime.table, sender, now: clock.now, sleep: noWait })
        .Site.update({ site: 'S' }, { name: 'two' })
        .catch(() => {})
      isDead = sender.isDead
      for (let resumes = 0; resumes < 3; resumes++) {
        clock.forward(lease_ms)
        await table.jobs.resume()
      }
      expect([(await ticket(table))?.where, (await pass(table))?.where]).toEqual(['two', 'two'])
      expect(await table.jobs.list()).toEqual([])
    }
  })
})

describe.each(['Stay', 'StayAt'] as const)('an edge that is an end of another, by its item %s', (side) => {
  test('is followed by what it copies, and by that alone', async () => {
    const table = await ownYard()
    await table[side].update({ id: 'p', site: 'S' }, { note: 'second' })
    expect(await ticket(table)).toMatchObject({ where: 'one', note: 'second' })
    expect(await pass(table)).toMatchObject({ where: 'one', stayNote: 'second' })
  })

  test('takes it along when it is removed', async () => {
    const table = await ownYard()
    await table[side].remove({ id: 'p', site: 'S' })
    expect(await rawKeys(table)).toEqual(['GATE#g / META', 'PERSON#p / META', 'SITE#S / META'])
  })
})
