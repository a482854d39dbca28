import { FreeholdError } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import type { FlowContext } from '../../../frame/src/flow/flow-host.ts'
import { scheduledSweep, sweepAll } from '../../../frame/src/sweep/sweep-all.ts'
import { sweepFlow } from '../../../frame/src/sweep/sweep-flow.ts'
import { open, platform } from '../../src/platform/index.ts'
import { ownTableOf } from '../own-table.ts'
import { recordedMails } from '../recorded-mails.ts'

describe('a sweep of all', () => {
  const malformed = [{ key: { PK: 'a', SK: 'b' }, reason: 'x' }]
  const pages = [
    { items: [{ done: 1, name: 'x' }, { done: 2 }], cursor: '1' },
    { items: [], cursor: '2', malformed },
    { items: [{ done: 3, left: 1 }] },
  ]
  const swept: unknown[] = []
  const flow = async (input: Readonly<Record<string, unknown>>) => {
    swept.push(input)
    return pages[Number(input.cursor ?? 0)] ?? { items: [] }
  }

  test('adds up what its pages count, and keeps what they could not read', async () => {
    expect(await sweepAll(flow, { limit: 2 })).toEqual({ counts: { done: 6, left: 1 }, isWhole: true, malformed })
    expect(swept).toEqual([{ limit: 2 }, { limit: 2, cursor: '1' }, { limit: 2, cursor: '2' }])
  })

  test('ends where there is no time for another page', async () => {
    let count = 0
    expect(await sweepAll(flow, {}, () => ++count < 2)).toEqual({ counts: { done: 3 }, isWhole: false, malformed })
  })
})

test('an item that cannot be read stops no work on another, and is told of', async () => {
  const key = { PK: 'a', SK: 'b' }
  const done: string[] = []
  const works = [
    () => Promise.reject(new FreeholdError('MalformedItem', 'it is none', { entity: 'X', key })),
    () => Promise.reject(new FreeholdError('Busy', 'not now')),
    async () => done.push('last'),
  ]
  const { run } = sweepFlow<FlowContext>()({
    input: {},
    counts: [],
    settings: () => ({}),
    boundTo: () => ({}),
    phases: { only: async () => ({ items: works }) },
  })
  const { runtime } = await ownTableOf(platform)
  // It asks its context for no more than the runtime, and the day.
  const context = { flow: 'sweep', table: { runtime } } as unknown as FlowContext
  expect(await run(context, {})).toEqual({ items: [{ looked_at: 3 }], malformed: [{ key, reason: 'it is none' }] })
  expect(done).toEqual(['last'])
})

test('a scheduled function sweeps an opened design as an operator', async () => {
  const { runtime } = await ownTableOf(platform)
  const mailing = recordedMails()
  const design = open({ table: runtime.table, sender: runtime.sender, mailing })
  const { table } = design
  const { id: accountId } = await table.Account.create({ name: 'Acme' })
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const person = { accountId, firstName: 'Ada', lastName: 'King' }
  await table.User.create({ ...person, email: 'ada@example.org', endDate: soon })
  await table.User.create({ ...person, email: 'bob@example.org', endDate: '2020-01-01' })
  const handler = scheduledSweep(design)
  const report = await handler({}, { getRemainingTimeInMillis: () => 60_000 })
  expect(report).toMatchObject({ isWhole: true, counts: { users_ended: 1, reminders_sent: 1 } })
  expect(mailing.sent.map(({ to }) => to.address)).toEqual(['ada@example.org'])
})
