import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { rebac } from '@freehold/designs/rebac'
import { openLog } from '@freehold/service'
import { type Sender, senderOf } from '@freehold/table/runtime'
import { expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { defaultSettings } from '../config/settings.ts'
import { closing } from './closing.ts'
import { openService } from './open-service.ts'

test('a start whose writes fail gives up in time to be answered within ten seconds', async () => {
  const own = senderOf({ endpoint })
  // An engine whose disk became full: it answers whatever it is asked to read.
  const full: Sender = {
    send: async (operation, input) => {
      if (operation !== 'TransactWriteItems') return own.send(operation, input)
      throw Object.assign(new Error('database or disk is full'), { name: 'InternalServerError', $metadata: { httpStatusCode: 500 } })
    },
    close: () => {},
  }
  let elapsed_ms = 0
  const opened = closing()
  const module = designModules.get(rebac.name)
  if (module === undefined) throw new Error('There is no module of rebac.')
  const opening = openService(opened, {
    modules: [module],
    areAsked: true,
    connecting: {
      sender: full,
      now: () => new Date(elapsed_ms),
      monotonic_ms: () => elapsed_ms,
      random: () => 1,
      sleep: async (ms) => {
        elapsed_ms += ms
      },
    },
    isAtAws: false,
    table: `full-${randomUUID()}`,
    wantsKey: false,
    mails: { mailing: undefined },
    settings: defaultSettings,
    hasPages: false,
    log: openLog({ level: 'silent' }),
  })
  await expect(opening).rejects.toMatchObject({ code: 'Unavailable', details: { failure: 'lost' } })
  await opened.all()
  own.close()
  expect(elapsed_ms).toBeLessThanOrEqual(4_000)
})

test('the service takes as many at once as admission lets run and wait', async () => {
  const sender = senderOf({ endpoint })
  const opened = closing()
  const module = designModules.get(rebac.name)
  if (module === undefined) throw new Error('There is no module of rebac.')
  const opening = { modules: [module], areAsked: true, connecting: { sender }, isAtAws: false, table: `bounds-${randomUUID()}` }
  const statuses = async (runningMax: number) => {
    const settings = { ...defaultSettings, runningMax }
    const rest = { wantsKey: true, mails: { mailing: undefined }, settings, hasPages: false, log: openLog({ level: 'silent' }) }
    const { service, key } = await openService(opened, { ...opening, ...rest })
    const headers = { Authorization: `Bearer ${(await key())?.text}` }
    const ask = async () => (await service.fetch(new Request('http://localhost/v1/rebac/patterns/users', { headers }))).status
    // The key is remembered, so that all of the others ask at the same time.
    await ask()
    return (await Promise.all(Array.from({ length: 300 }, ask))).filter((status) => status === 200).length
  }
  expect(await statuses(2)).toBe(18)
  expect(await statuses(34)).toBe(300)
  await opened.all()
  sender.close()
})
