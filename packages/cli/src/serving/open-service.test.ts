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
