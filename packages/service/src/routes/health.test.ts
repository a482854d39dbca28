import { exportItems } from '@freehold/frame/exchange'
import { type Sender, senderOf } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { called, startService } from '../../test/serving.ts'
import { createService } from '../service.ts'
import { healthCheck } from './health.ts'

type Sent = Parameters<Sender['send']>

/** The engine, but for these operations, which fail as on a full disk. */
function without(...failing: readonly string[]): Sender {
  return senderAfter((operation) => {
    if (!failing.includes(operation)) return
    throw Object.assign(new Error('database or disk is full'), { name: 'InternalServerError', $metadata: { httpStatusCode: 500 } })
  })
}

describe('health', () => {
  test('needs no key and says that the tables can be read and written', async () => {
    const { app } = await startService()
    const { status, body } = await called(await app.request('/health'))
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok', reading: 'ok', writing: 'ok' } })
  })

  test('is read alone: another method is a 405 without a key, too, and says which there are', async () => {
    const { app } = await startService()
    for (const path of ['/health', '/health/live', '/health/ready']) {
      const { status, headers } = await called(await app.request(path, { method: 'POST' }))
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
    // What else there is, is told to nobody without a key.
    expect((await app.request('/v1', { method: 'PUT' })).status).toBe(401)
  })

  test('is a 503 that says nothing of what lies behind where a table does not answer', async () => {
    // Nothing listens on this port.
    const sender = senderOf({ endpoint: 'http://127.0.0.1:1' })
    const { app, lines, table } = await startService({ sender })
    const { status, body } = await called(await app.request('/health'))
    sender.close()
    expect(status).toBe(503)
    expect(body).toEqual({
      type: 'urn:freehold:error:Unavailable',
      title: 'The service cannot answer now',
      status: 503,
      detail: 'A table does not answer.',
      code: 'Unavailable',
      instance: expect.stringMatching(/^urn:uuid:/),
      reading: 'failed',
      writing: 'failed',
    })
    expect(lines).toEqual([
      expect.objectContaining({
        status: 503,
        route: '/health',
        cause: expect.objectContaining({ name: 'ECONNREFUSED', failure: 'unreached', table: table.runtime.table }),
      }),
    ])
  })

  test('of the process asks no table, and is answered while nothing else is', async () => {
    const sent: Sent[] = []
    const sender = senderAfter((...each) => {
      sent.push(each)
      throw new Error('There is no way to the table.')
    })
    const { app } = await startService({ sender, limits: { inFlight_max: 0 } })
    sent.length = 0
    expect(await called(await app.request('/health/live'))).toMatchObject({ status: 200, body: { status: 'ok' } })
    const head = await app.request('/health/live', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(sent).toEqual([])
    expect(await called(await app.request('/health/ready'))).toMatchObject({ status: 503, body: { reading: 'failed', writing: 'failed' } })
    expect(sent.length).toBeGreaterThan(0)
  })

  test('to work is what /health tells, by the same look at the tables', async () => {
    const sent: Sent[] = []
    const { app } = await startService({ sender: senderAfter((...each) => sent.push(each)) })
    sent.length = 0
    const paths = ['/health', '/health/ready']
    const answers = await Promise.all(paths.map(async (path) => called(await app.request(path))))
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      paths.map(() => ({ status: 200, body: { status: 'ok', reading: 'ok', writing: 'ok' } })),
    )
    expect(sent.filter(([operation]) => operation === 'PutItem')).toHaveLength(1)
  })

  test.each([
    ['PutItem', { reading: 'ok', writing: 'failed', detail: 'A table accepts no writes.' }],
    ['GetItem', { reading: 'failed', writing: 'ok', detail: 'A table does not answer.' }],
  ])('tells reading from writing where %s fails', async (operation, members) => {
    const { app, lines } = await startService({ sender: without(operation) })
    expect(await called(await app.request('/health'))).toMatchObject({ status: 503, body: members })
    expect(lines[0]?.cause).toMatchObject({ name: 'InternalServerError', failure: 'lost', message: 'database or disk is full' })
  })

  test('of many tables is that of the worst', async () => {
    const { table } = await startService()
    const { table: full } = await startService({ sender: without('PutItem') })
    expect((await healthCheck([table, full])()).body).toMatchObject({ reading: 'ok', writing: 'failed' })
  })

  test('asks the table of the keys, too: it is read, and serving never writes it', async () => {
    const { table, key } = await startService()
    const verify = async (text: string) => (text === key ? 'key' : undefined)
    const keysAt = async (sender: Sender) => ({ verify, table: (await startService({ sender })).table })
    const health = async (sender: Sender) => {
      const tables = new Map([['rebac', { module: { design: table.design, summary: 'a' }, table }]])
      return called(await createService({ tables, keys: await keysAt(sender), log: () => undefined }).request('/health'))
    }
    expect(await health(without('GetItem'))).toMatchObject({ status: 503, body: { reading: 'failed', writing: 'ok' } })
    expect(await health(without('PutItem'))).toMatchObject({ status: 200, body: { reading: 'ok', writing: 'ok' } })
  })

  test('asks each table once for all who ask at once, and waits for a second at most', async () => {
    const sent: Sent[] = []
    const { table } = await startService({ sender: senderAfter((...each) => sent.push(each)) })
    const health = healthCheck([table])
    await Promise.all(Array.from({ length: 20 }, health))
    expect(sent.map(([operation]) => operation).sort()).toEqual(['GetItem', 'PutItem'])
    expect(sent.map(([, , sending]) => sending?.timeoutMs)).toEqual([1_000, 1_000])
  })

  test('leaves one item, however often it is asked, which is neither a job nor exported', async () => {
    const { app, table, scan } = await startService()
    await app.request('/health')
    await healthCheck([table])()
    expect(await scan()).toEqual([expect.objectContaining({ PK: { S: 'FREEHOLD_JOBS' }, SK: { S: 'HEALTH' } })])
    expect(await table.jobs.list()).toEqual([])
    expect(await table.jobs.resume()).toEqual({ done: 0, held: [], failed: [] })
    const exported: unknown[] = []
    for await (const item of exportItems(table.runtime)) exported.push(item)
    expect(exported).toEqual([])
  })
})
