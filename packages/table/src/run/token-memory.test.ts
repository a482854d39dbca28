import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { rawItem } from '../../test/depot/raw.ts'
import { refusal } from '../../test/depot/refused.ts'
import { depotOf, directSender, ownDepot } from '../../test/depot/table.ts'
import type { Sender } from '../dynamo/sender.ts'

/** Loses the answer to the second transaction. The engine is restarted, and has forgotten its tokens, once `restartsAfter` transactions were answered. */
function restartingSender(
  restartsAfter: number,
  meanwhile: () => Promise<unknown>,
): { readonly sender: Sender; readonly count: () => number } {
  let start = randomUUID()
  let count = 0
  const sender: Sender = {
    send: async (operation, input) => {
      if (!('ClientRequestToken' in input)) return directSender().send(operation, input)
      const number = ++count
      // The engine knows a token by its first 18 characters and its own start.
      const ClientRequestToken = `${input.ClientRequestToken}`.slice(0, 18) + start.slice(0, 18)
      try {
        const output = await directSender().send(operation, { ...input, ClientRequestToken })
        if (number === 2) throw new Error('the answer is lost')
        return output
      } finally {
        if (number === restartsAfter) {
          start = randomUUID()
          await meanwhile()
        }
      }
    },
    close: () => {},
  }
  return { sender, count: () => count }
}

test('a creation is uncertain if the engine is restarted between the probe of a token and the repeat', async () => {
  const table = await ownDepot()
  const { sender, count } = restartingSender(3, () => table.Site.remove({ site: 'A' }))
  const faulty = depotOf(table.runtime.table, { sender })
  await faulty.Site.create({ site: 'BEFORE', name: 'n' })
  const error = await refusal(faulty.Site.create({ site: 'A', name: 'n' }))
  expect(error).toMatchObject({ code: 'Unavailable', details: { uncertain: true } })
  // The repeat was applied by an engine that did not know of the removal: that is what the caller is told.
  expect(await rawItem(table, 'SITE#A', 'META')).toMatchObject({ version: 1 })
  expect(count()).toBe(5)
})

test('a creation is done if the engine remembers its tokens after the repeat, too', async () => {
  const table = await ownDepot()
  const { sender, count } = restartingSender(Number.POSITIVE_INFINITY, async () => {})
  const faulty = depotOf(table.runtime.table, { sender })
  await faulty.Site.create({ site: 'BEFORE', name: 'n' })
  expect(await faulty.Site.create({ site: 'A', name: 'n' })).toMatchObject({ version: 1 })
  expect(count()).toBe(5)
})
