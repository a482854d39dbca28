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

test.each([
  ['remembers no token', false],
  ['remembers tokens', true],
])(
  'a creation whose answer was lost, before any other was acknowledged, at an engine that %s: applied again is %s',
  async (_, remembers) => {
    const table = await ownDepot()
    const sent: string[] = []
    const sender: Sender = {
      send: async (operation, input) => {
        if (!('ClientRequestToken' in input)) return directSender().send(operation, input)
        const { ClientRequestToken, ...rest } = input
        const text = JSON.stringify(rest)
        const isFirst = !sent.includes(text)
        sent.push(text)
        const output = await directSender().send(operation, (remembers ? input : rest) as never)
        if (isFirst && text.includes('SITE#')) throw new Error('the answer is lost')
        return output
      },
      close: () => {},
    }
    const faulty = depotOf(table.runtime.table, { sender })
    const create = (site: string) =>
      faulty.Site.create({ site, name: 'n' }).then(
        ({ version }) => version,
        ({ details }) => details.uncertain,
      )
    const tries = async (site: string) => [await create(site), sent.filter((each) => each.includes(`SITE#${site}`)).length]
    // The stamp tells that it was applied, though it is not sent again.
    expect(await tries('A')).toEqual([1, remembers ? 2 : 1])
    // Two transactions with one token, of one sender.
    const probes = () => sent.filter((each) => each.includes('TOKEN')).length
    expect(probes()).toBe(2)
    expect(await tries('B')).toEqual([1, remembers ? 2 : 1])
    if (!remembers) expect(probes()).toBe(2)
  },
)

test('a creation is done if the engine remembers its tokens after the repeat, too', async () => {
  const table = await ownDepot()
  const { sender, count } = restartingSender(Number.POSITIVE_INFINITY, async () => {})
  const faulty = depotOf(table.runtime.table, { sender })
  await faulty.Site.create({ site: 'BEFORE', name: 'n' })
  expect(await faulty.Site.create({ site: 'A', name: 'n' })).toMatchObject({ version: 1 })
  expect(count()).toBe(5)
})
