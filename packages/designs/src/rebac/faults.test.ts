import type { Sender } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { writeLiterally } from '../../test/literal-items.ts'
import { adaInBerlin } from '../../test/organisation.ts'
import { ownTable } from '../../test/own-table.ts'
import { decideRebac, type RebacDecider } from './decide.ts'

// Without patience nothing is sent again.
const table = await ownTable({ patience_ms: 0 })
await writeLiterally(table.runtime, adaInBerlin)

const asked = { user: 'ada@example.org', location: 'BER01', page: 'plan' }
const { user, location, page } = asked

/**
 * A decider of which one request is not answered: the n-th after `breakAt(n)`. Each counts its own: requests that were sent side by side with one
 * that failed go on after the answer.
 */
function breakable() {
  const { sender } = table.runtime
  const count = { left: 0, sent: 0 }
  const broken: Sender = {
    send: (operation, input, options) => {
      count.sent++
      return --count.left === 0 ? Promise.reject(new Error('the connection broke')) : sender.send(operation, input, options)
    },
    close: () => {},
  }
  const breakAt = (request: number) => {
    count.left = request
    count.sent = 0
  }
  return { decider: decideRebac({ ...table.runtime, sender: broken }), count, breakAt }
}

/** The answers to a question when each of the requests that it sends fails in turn. */
async function withEachFailing<T>(isWarm: boolean, ask: (decider: RebacDecider) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (let request = 1; ; request++) {
    const { decider, count, breakAt } = breakable()
    if (isWarm) await ask(decider)
    breakAt(request)
    const answer = await ask(decider)
    if (count.sent < request) break
    answers.push(answer)
  }
  expect(answers.length).toBeGreaterThan(1)
  return answers
}

describe.each([
  ['cold', false],
  ['warm', true],
])('where a read fails, %s', (_, isWarm) => {
  test('can denies, whichever read it is, and says that it is a fault', async () => {
    const answers = await withEachFailing(isWarm, (decider) => decider.can(asked))
    expect(answers).toHaveLength(isWarm ? 3 : 8)
    for (const answer of answers) expect(answer).toMatchObject({ allowed: false, reason: { kind: 'fault', code: 'StorageFault' } })
  })

  test('why denies alike', async () => {
    for (const answer of await withEachFailing(isWarm, (decider) => decider.why(asked)))
      expect(answer).toMatchObject({ allowed: false, reason: { kind: 'fault', code: 'StorageFault' }, chains: [], missing: [] })
  })

  test.each([
    ['what', (decider: RebacDecider) => decider.what({ user, location })],
    ['who', (decider: RebacDecider) => decider.who({ location, page })],
    ['where', (decider: RebacDecider) => decider.where({ user, page })],
  ])('%s answers no page, which would say that nothing is allowed', async (_name, ask) => {
    const settled = await withEachFailing<unknown>(isWarm, (decider) => ask(decider).catch((error: unknown) => error))
    for (const answer of settled) expect(answer).toMatchObject({ code: 'Unavailable' })
  })
})

test('a fault is over with the next question', async () => {
  const { decider, breakAt } = breakable()
  breakAt(2)
  expect((await decider.can(asked)).allowed).toBe(false)
  expect(await decider.can(asked)).toEqual({ allowed: true })
})

test('of a batch only the questions deny whose own reads fail', async () => {
  const { decider, breakAt } = breakable()
  await decider.can(asked)
  // The definitions are warm, so that each question reads its own.
  breakAt(2)
  const answers = await decider.canMany([asked, asked, asked])
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(2)
})
