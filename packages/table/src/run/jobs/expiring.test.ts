import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../../../../test/engine/own-table.ts'
import { rawItem, rawItems, rawKeys } from '../../../test/depot/raw.ts'
import { codeOf } from '../../../test/depot/refused.ts'
import { DyingSender } from '../../../test/depot/senders.ts'
import { Clock, noWait } from '../../../test/depot/table.ts'
import { count, design, entity, instant, mirror, opaqueId, text, unique } from '../../language.ts'
import { connect } from '../connect.ts'
import { removeExpired } from '../remove-expired.ts'
import { lease_ms } from './job.ts'

// Items that expire while they are being removed, and dependants that expire.

const Order = entity('Order', {
  attributes: { order: opaqueId(), token: text().optional(), until: instant() },
  key: ['ORDER#{order}', 'META'],
  expires: 'until',
})
const OrderToken = unique('OrderToken', Order, ['TOKEN#{token}', 'META'])
const Part = entity('Part', {
  attributes: { part: opaqueId(), order: opaqueId() },
  key: ['ORDER#{order}', 'PART#{part}'],
  refers: { order: Order },
})
const PartById = mirror('PartById', Part, ['PART#{part}', 'META'])
const Piece = entity('Piece', {
  attributes: { piece: opaqueId(), part: opaqueId() },
  key: ['PART#{part}', 'PIECE#{piece}'],
  refers: { part: PartById },
})
const Hold = entity('Hold', {
  attributes: { hold: opaqueId(), order: opaqueId(), until: instant() },
  key: ['ORDER#{order}', 'HOLD#{hold}'],
  refers: { order: { to: Order, onRemove: 'refuse' } },
  expires: 'until',
})
const Tally = entity('Tally', {
  attributes: { tally: opaqueId(), last: count(), until: instant().made(({ now }) => new Date(now.getTime() + 1000).toISOString()) },
  key: ['TALLY#{tally}', 'META'],
  sequence: 'last',
  expires: 'until',
})
const desk = design({
  name: 'desk',
  table: 'desk',
  entities: { Order, OrderToken, Part, PartById, Piece, Hold, Tally },
  patterns: {},
})

const ownDesk = (clock: Clock) => ownTableOf(desk, { now: clock.now })

const until = '2026-03-01T12:00:03.000Z'
const later = '2026-03-01T13:00:00.000Z'

describe('an item that expires while it is being removed', () => {
  test('keeps its key until its dependants are gone, whichever write was the last of the process', async () => {
    for (let writes = 1, isDead = true; isDead; writes++) {
      const clock = new Clock()
      const table = await ownDesk(clock)
      await table.Order.create({ order: 'o', token: 'T', until })
      await table.Part.create({ part: 'a', order: 'o' })
      await table.Piece.create({ piece: 'p', part: 'a' })
      const sender = new DyingSender(writes)
      await connect(desk, { table: table.runtime.table, sender, now: clock.now, sleep: noWait })
        .Order.remove({ order: 'o' })
        .catch(() => {})
      isDead = sender.isDead
      clock.forward(lease_ms)
      const [job] = await table.jobs.list()
      const item = await rawItem(table, 'ORDER#o', 'META')
      expect(item?.deleting).toBe(job?.id)
      if (item !== undefined) {
        // DynamoDB's TTL finds nothing to delete.
        expect(item).not.toHaveProperty('ttl')
        expect(await codeOf(table.Order.create({ order: 'o', until: later }))).toBe('AlreadyExists')
        expect(await removeExpired(table.runtime, Order, item)).toBe(false)
        // The guard of an expired item is free.
        await table.Order.create({ order: 'other', token: 'T', until: later })
      }
      await table.jobs.resume()
      expect((await rawKeys(table)).filter((key) => !key.includes('other') && !key.includes('TOKEN#T'))).toEqual([])
      expect(await table.Order.create({ order: 'o', until: later })).toMatchObject({ version: 1 })
    }
  })

  test('has its ttl again when the removal is refused', async () => {
    const clock = new Clock()
    const table = await ownDesk(clock)
    await table.Order.create({ order: 'o', until })
    await table.Hold.create({ order: 'o', hold: 'h', until: later })
    expect(await codeOf(table.Order.remove({ order: 'o' }))).toBe('InUse')
    expect(await rawItem(table, 'ORDER#o', 'META')).toMatchObject({ ttl: Date.parse(until) / 1000, version: 3 })
  })
})

describe('an expired item', () => {
  test('refuses no removal', async () => {
    const clock = new Clock()
    const table = await ownDesk(clock)
    await table.Order.create({ order: 'o', until: later })
    await table.Hold.create({ order: 'o', hold: 'h', until })
    expect(await codeOf(table.Order.remove({ order: 'o' }))).toBe('InUse')
    clock.forward(lease_ms)
    await table.Order.remove({ order: 'o' })
    expect((await rawItems(table)).map(({ Type }) => Type)).toEqual(['Hold'])
  })

  test('is no sequence any more: the next one begins anew', async () => {
    const clock = new Clock()
    const table = await ownDesk(clock)
    const take = () => table.take(Tally, { tally: 't' }, () => ({}), { count: 5 })
    expect([(await take()).first, (await take()).first]).toEqual([1, 6])
    clock.forward(lease_ms)
    expect([(await take()).first, (await take()).first]).toEqual([1, 6])
  })
})
