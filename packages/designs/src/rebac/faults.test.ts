import type { Sender } from '@freehold/table/runtime'
import { expect, test } from 'vitest'
import { writeLiterally } from '../../test/literal-items.ts'
import { adaInBerlin } from '../../test/organisation.ts'
import { ownTable } from '../../test/own-table.ts'
import { decideRebac } from './decide.ts'

test('of a batch only the questions deny whose own reads fail', async () => {
  // Without patience nothing is sent again.
  const table = await ownTable({ patience_ms: 0 })
  await writeLiterally(table.runtime, adaInBerlin)
  const { sender } = table.runtime
  let left = 0
  const broken: Sender = {
    send: (operation, input, options) =>
      --left === 0 ? Promise.reject(new Error('the connection broke')) : sender.send(operation, input, options),
    close: () => {},
  }
  const decider = decideRebac({ ...table.runtime, sender: broken })
  const asked = { user: 'ada@example.org', location: 'BER01', page: 'plan' }
  await decider.can(asked)
  // The definitions are warm, so that each question reads its own.
  left = 2
  const answers = await decider.canMany([asked, asked, asked])
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(2)
})
