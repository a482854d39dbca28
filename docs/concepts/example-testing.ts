import assert from 'node:assert/strict'
import { test } from 'node:test'
import { design, entity, queryOn, stamp, type Table, text, ulid } from '@freehold/table'
import { Clock, countedIds, testTable } from '@freehold/table/testing'

const Ticket = entity('Ticket', {
  attributes: { ticketId: ulid().made(), queue: text(), title: text(), openedAt: stamp.onCreate() },
  key: ['TICKET#{ticketId}', 'META'],
  indexes: { GSI1: ['QUEUE#{queue}', '{openedAt}#{ticketId}'] },
})

const desk = design({
  name: 'desk',
  table: 'desk',
  entities: { Ticket },
  patterns: { ticketsOfQueue: queryOn('GSI1', 'QUEUE#{queue}').returns(Ticket) },
})

const openTicket = (table: Table<typeof desk>, title: string) =>
  table.Ticket.create({ title, queue: /\bprint/i.test(title) ? 'printers' : 'others' })

test('a ticket comes to the queue of its title', async () => {
  const table = await testTable(desk)
  const { queue } = await openTicket(table, 'The printer burns')
  assert.equal(queue, 'printers')
})

test('tickets are listed in the order in which they were opened', async () => {
  const clock = new Clock('2026-03-01T12:00:00.000Z')
  const table = await testTable(desk, { now: clock.now, ids: countedIds() })
  await openTicket(table, 'The printer burns')
  clock.forward(60_000)
  await openTicket(table, 'Printed twice')
  const { items } = await table.ticketsOfQueue({ queue: 'printers' })
  assert.deepEqual(
    items.map(({ ticketId, openedAt }) => [ticketId, openedAt]),
    [
      ['01J00000000000000000000001', '2026-03-01T12:00:00.000Z'],
      ['01J00000000000000000000002', '2026-03-01T12:01:00.000Z'],
    ],
  )
})

test('a ticket is opened once, although an answer is lost', async () => {
  const table = await testTable(desk, { faults: [{ operation: 'TransactWriteItems', fault: { kind: 'lose-answer' } }] })
  await openTicket(table, 'The printer burns')
  const { items } = await table.ticketsOfQueue({ queue: 'printers' })
  assert.equal(items.length, 1)
})

test('a ticket is there before its queue lists it', async () => {
  const clock = new Clock()
  const table = await testTable(desk, { now: clock.now, unkind: { seed: 1, lateIndexes_ms: 5_000 } })
  const { ticketId } = await openTicket(table, 'The printer burns')
  assert.notEqual(await table.Ticket.get({ ticketId }), undefined)
  assert.equal((await table.ticketsOfQueue({ queue: 'printers' })).items.length, 0)
  clock.forward(5_000)
  assert.equal((await table.ticketsOfQueue({ queue: 'printers' })).items.length, 1)
})
