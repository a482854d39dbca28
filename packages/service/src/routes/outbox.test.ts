import { expect, test } from 'vitest'
import { called } from '../../test/serving.ts'
import { createService } from '../service.ts'

const mail = (id: string) => ({
  id,
  from: { address: 'no-reply@portal.example' },
  to: { address: 'ada@example.org' },
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  sentAt: '2026-01-01T00:00:00.000Z',
  messageId: `<${id}@portal.example>`,
})

const service = createService({
  tables: new Map(),
  keys: { verify: async (text) => (text === 'key' ? 'id' : undefined) },
  log: () => {},
  outbox: { list: async ({ limit = 0 } = {}) => Array.from({ length: limit }, (_, index) => mail(`m${index}`)) },
})
const get = async (query = '', key = 'key') =>
  called(await service.request(`/v1/outbox${query}`, { headers: { Authorization: `Bearer ${key}` } }))

test('the outbox of a trial is shown to who has a key, a number of mails at a time', async () => {
  expect((await get('', 'another')).status).toBe(401)
  expect((await get()).body.items).toHaveLength(20)
  expect((await get('?limit=2')).body.items).toEqual([mail('m0'), mail('m1')])
  for (const wrong of ['?limit=0', '?limit=101', '?limit=x', '?limit=1.5', '?page=1']) expect((await get(wrong)).status).toBe(400)
})
