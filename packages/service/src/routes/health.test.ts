import { senderOf } from '@freehold/table'
import { afterAll, expect, inject, test } from 'vitest'
import { called, type ServiceUnderTest, startService } from '../../test/serving.ts'
import { healthCheck } from './health.ts'

const services: ServiceUnderTest[] = []
afterAll(() => {
  for (const service of services) service.close()
})
async function start(...setup: Parameters<typeof startService>): Promise<ServiceUnderTest> {
  const service = await startService(...setup)
  services.push(service)
  return service
}

test('health needs no key and says that the tables answer', async () => {
  const { app } = await start()
  expect(await called(await app.request('/health'))).toMatchObject({ status: 200, body: { status: 'ok' } })
})

test('health is a 503 that says nothing of what lies behind where a table does not answer', async () => {
  // Nothing listens on this port.
  const sender = senderOf({ endpoint: 'http://127.0.0.1:1' })
  const { app } = await start({ sender })
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
  })
})

test('one look at the tables serves all who ask at once', async () => {
  let reads = 0
  const own = senderOf({ endpoint: inject('endpoint') })
  const { table } = await start()
  const runtime = {
    ...table.runtime,
    sender: {
      send: (...call: Parameters<typeof own.send>) => {
        reads++
        return own.send(...call)
      },
      close: () => own.close(),
    },
  }
  const health = healthCheck([{ runtime: runtime as typeof table.runtime }])
  await Promise.all(Array.from({ length: 20 }, health))
  own.close()
  expect(reads).toBe(1)
})
