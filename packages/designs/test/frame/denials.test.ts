import { FreeholdError } from '@freehold/table'
import { expect, test } from 'vitest'
import type { ChangeLine, FlowContext } from '../../../frame/src/flow/flow-host.ts'
import { recordDenial } from '../../../frame/src/flow/records/denials.ts'
import { rebacHost } from '../../src/rebac/flows/rebac-host.ts'

test('the denials of an actor are told, even if those of ten thousand others follow within the minute', async () => {
  const lines: ChangeLine[] = []
  const runtime = { sender: {}, now: () => new Date('2026-03-01T12:00:00.000Z') }
  const host = { ...rebacHost, recordEvent: () => ({}), log: (line: ChangeLine) => lines.push(line) }
  const denial = new FreeholdError('Denied', 'No.', { reason: 'UnknownUser' })
  const denied = async (user_id: string, times = 1) => {
    // The parts of a context that a record of a denial reads.
    const context = { host, table: { runtime }, unscoped: { runtime }, caller: { actor: { kind: 'user', user_id } }, flow: 'f' }
    for (let time = 0; time < times; time++) await recordDenial(context as unknown as FlowContext, denial)
  }
  await denied('eve', 25)
  for (let other = 0; other < 10_000; other++) await denied(`other ${other}`)
  const counted = lines.filter(({ more }) => more?.reason === 'FurtherDenials')
  expect(counted).toMatchObject([{ actor: { user_id: 'eve' }, more: { denied: 15 } }])
  // Her next denial is told by itself again.
  await denied('eve')
  expect(lines.at(-1)).toMatchObject({ actor: { user_id: 'eve' }, more: { reason: 'UnknownUser' } })
})
