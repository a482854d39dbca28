import type { Sender } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { idOf, link, permission } from '../../test/account-items.ts'
import { acme, ada, adaAtHarbour, camera, harbour, pier, reader } from '../../test/account-organisation.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

// Without patience nothing is sent again.
const table = await ownTableOf(accountManagement, { patience_ms: 0 })
const linked = adaAtHarbour.map((item) => (item.Type === 'Role' ? { ...item, permission_form: 'linked' } : item))
await restoreItems(table.runtime, [
  ...linked,
  ...permission(idOf('permission', 1), 'devices', 'read', 'camera'),
  ...link(acme, reader, idOf('permission', 1)),
])

const place = { building: pier }
const asked = { user: 'ada@example.org', ...place, permission: camera }

/** A decider of which one request is not answered: the n-th after `breakAt(n)`. */
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
  return { decider: decideAccountManagement({ ...table.runtime, sender: broken }), count, breakAt }
}

/** The answers to a question when each of the requests that it sends fails in turn. */
async function withEachFailing<T>(isWarm: boolean, ask: (decider: AccountDecider) => Promise<T>): Promise<T[]> {
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
    for (const answer of await withEachFailing(isWarm, (decider) => decider.can(asked)))
      expect(answer).toMatchObject({ allowed: false, reason: { kind: 'fault', code: 'StorageFault' } })
  })

  test('why denies alike', async () => {
    for (const answer of await withEachFailing(isWarm, (decider) => decider.why(asked)))
      expect(answer).toMatchObject({ allowed: false, reason: { kind: 'fault', code: 'StorageFault' }, chains: [], missing: [] })
  })

  test.each([
    ['what', (decider: AccountDecider) => decider.what({ user: ada, ...place })],
    ['who', (decider: AccountDecider) => decider.who({ project: harbour, permission: camera })],
    ['where', (decider: AccountDecider) => decider.where({ user: ada, permission: camera })],
    ['where, expanded,', (decider: AccountDecider) => decider.where({ user: ada, permission: camera }, { expand: true })],
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
