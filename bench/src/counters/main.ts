import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { atLeast, connect, count, creating, design, entity, text, updating } from '@freehold/table'
import { add, subtract } from '@freehold/table/atomic'
import { ensureTable } from '@freehold/table/runtime'
import { Entity } from 'electrodb'
import type { Proxied } from '../conflict-proxy.js'
import { startBenchEngine } from '../engine.js'
import { inFlight } from '../in-flight.js'
import { type Contender, measure } from '../measure.js'
import { startOwn } from '../own-process.js'

// Increments of one counter: CPU of one alone beside ElectroDB and the bare client, then many at once, where transactions that name the same item
// cancel each other as they do at AWS.

const Counter = entity('Counter', { attributes: { id: text(), value: count() }, key: ['COUNTER#{id}', 'META'] })
const Order = entity('Order', { attributes: { id: text(), of: text() }, key: ['ORDER#{id}', 'META'] })
const counters = design({ name: 'counters', table: 'bench_counters', noIndexes: true, entities: { Counter, Order }, patterns: {} })

const plainCount = 400
const callers = 50
const each = 10
/** A round trip at AWS takes so much longer than one here. */
const latency_ms = 8

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
const clientAt = (endpoint: string) => new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials })

function electrodb(client: DynamoDBClient) {
  const casing = 'none'
  return new Entity(
    {
      model: { entity: 'Counter', version: '1', service: 'bench' },
      attributes: { id: { type: 'string', required: true }, value: { type: 'number' } },
      indexes: {
        primary: {
          pk: { field: 'PK', composite: ['id'], template: 'COUNTER#${id}', casing },
          sk: { field: 'SK', composite: [], template: 'META', casing },
        },
      },
    },
    { table: counters.table, client },
  )
}

/** An increment of a counter that is there, by each. */
function contendersAt(endpoint: string, idOf: (index: number) => string): readonly Contender[] {
  const table = connect(counters, { dynamo: { endpoint } })
  const peer = electrodb(clientAt(endpoint))
  const bare = DynamoDBDocumentClient.from(clientAt(endpoint))
  return [
    { name: 'freehold', run: (index) => table.Counter.update({ id: idOf(index) }, { value: add(1) }) },
    { name: 'freehold, exact', run: (index) => table.Counter.update({ id: idOf(index) }, { value: add(1) }, { exact: true }) },
    {
      name: 'freehold, read and written',
      run: async (index) => {
        for (;;) {
          const { value = 0, version = 0 } = (await table.Counter.get({ id: idOf(index) }, { consistent: true })) ?? {}
          const done = await table.Counter.update({ id: idOf(index) }, { value: value + 1 }, { version }).catch(() => undefined)
          if (done !== undefined) return done
        }
      },
    },
    {
      name: 'ElectroDB',
      run: (index) =>
        peer
          .patch({ id: idOf(index) })
          .add({ value: 1 })
          .go({ response: 'all_new' }),
    },
    {
      name: 'bare client',
      run: (index) =>
        bare.send(
          new UpdateCommand({
            TableName: counters.table,
            Key: { PK: `COUNTER#${idOf(index)}`, SK: 'META' },
            UpdateExpression: 'ADD #v :n',
            ConditionExpression: 'attribute_exists(PK)',
            ExpressionAttributeNames: { '#v': 'value' },
            ExpressionAttributeValues: { ':n': 1 },
            ReturnValues: 'ALL_NEW',
          }),
        ),
    },
  ]
}

const engine = await startBenchEngine()
const proxy = startOwn<'state', Proxied>(join(import.meta.dirname, '../conflict-proxy.js'), { endpoint: engine.endpoint, latency_ms })
try {
  const filling = connect(counters, { dynamo: { endpoint: engine.endpoint } })
  await ensureTable(filling.runtime)
  await filling.Counter.create({ id: 'one', value: 0 })

  console.log('Increments of one counter, one after the other: CPU of the client')
  for (const { name, cpu_us } of await measure(
    contendersAt(engine.endpoint, () => 'one'),
    plainCount,
  ))
    console.log(`${name.padEnd(32)}${String(Math.round(cpu_us)).padStart(8)} us`)

  const { endpoint } = await proxy.ask('state')
  const cancelled = async () => (await proxy.ask('state')).cancelled
  const table = connect(counters, { dynamo: { endpoint } })
  const orders: Contender = {
    name: 'freehold, orders of one ware',
    run: (index) =>
      table.transact({
        ware: updating(Counter, { id: 'hot' }, { value: subtract(1) }, { where: { value: atLeast(1) } }),
        order: creating(Order, { id: `${index}`, of: 'hot' }),
      }),
  }
  console.log(`\n${callers} callers at once, ${each} increments each of one counter; a request takes ${latency_ms} ms more than here`)
  console.log(`${''.padEnd(32)}${['done/s', 'conflicts', 'lost'].map((head) => head.padStart(12)).join('')}`)
  await filling.Counter.create({ id: 'hot', value: 100_000 })
  for (const { name, run } of [...contendersAt(endpoint, () => 'hot'), orders]) {
    const before = await filling.Counter.get({ id: 'hot' }, { consistent: true })
    const [conflicts, begun] = [await cancelled(), performance.now()]
    const total = name.includes('read and written') ? callers : callers * each
    await inFlight(total, callers, run)
    const seconds = (performance.now() - begun) / 1000
    const after = await filling.Counter.get({ id: 'hot' }, { consistent: true })
    const counted = Math.abs((after?.value ?? 0) - (before?.value ?? 0))
    const cells = [Math.round(total / seconds), Math.round(((await cancelled()) - conflicts) / (total / 100)) / 100, total - counted]
    console.log(`${name.padEnd(32)}${cells.map((cell) => String(cell).padStart(12)).join('')}`)
  }
  filling.close()
  table.close()
} finally {
  await proxy.stop()
  await engine.stop()
}
