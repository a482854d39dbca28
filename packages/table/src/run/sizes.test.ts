import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Log, Person, Site } from '../../test/depot/design.ts'
import { rawItem } from '../../test/depot/raw.ts'
import { refusal } from '../../test/depot/refused.ts'
import { WatchedSender } from '../../test/depot/senders.ts'
import { type Depot, depotOf, ownDepot } from '../../test/depot/table.ts'
import { itemBytes, itemBytesMax } from '../dynamo/item-bytes.ts'
import { creating, updating } from '../plan/step.ts'

// Requests that DynamoDB would refuse are refused before they are sent (spec rule 2). `sent` has every request.

let sender = new WatchedSender()
let table: Depot
let direct: Depot
beforeAll(async () => {
  direct = await ownDepot()
})
beforeEach(() => {
  sender = new WatchedSender()
  table = depotOf(direct.runtime.table, { sender })
})

const writes = () => sender.sent.filter((operation) => !/Get|Query/.test(operation))

describe('an item of 400 KB', () => {
  const bare = itemBytes({ PK: 'SITE#FULL', SK: 'META', Type: 'Site', version: 1, writeId: 'x'.repeat(22), site: 'FULL', name: '' })

  test('is written, and with one byte more refused', async () => {
    const error = await refusal(table.Site.create({ site: 'FULL', name: 'x'.repeat(itemBytesMax - bare + 1) }))
    expect(error).toMatchObject({ code: 'TooLarge', details: { entity: 'Site', bytes: itemBytesMax + 1 } })
    expect(sender.sent).toEqual([])
    await table.Site.create({ site: 'FULL', name: 'x'.repeat(itemBytesMax - bare) })
    expect((await rawItem(direct, 'SITE#FULL', 'META'))?.name).toHaveLength(itemBytesMax - bare)
  })

  test('does not grow by an update, though that sets little', async () => {
    const error = await refusal(table.Site.update({ site: 'FULL' }, { region: 'n' }))
    expect([error.code, writes()]).toEqual(['TooLarge', []])
    await table.Site.update({ site: 'FULL' }, { name: 'small', region: 'n' })
  })

  test('counts bytes, not characters', async () => {
    expect((await refusal(table.Site.create({ site: 'BYTES', name: '€'.repeat(140_000) }))).code).toBe('TooLarge')
    await table.Site.create({ site: 'BYTES', name: '€'.repeat(130_000) })
  })
})

test('a transaction of more than 4 MB is refused', async () => {
  const log = (size: number) => creating(Log, { text: 'x'.repeat(size), until: '2030-01-01T00:00:00Z' })
  const steps = (size: number) => Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`log${n}`, log(size)]))
  const error = await refusal(table.transact(steps(390_000)))
  expect([error.code, sender.sent]).toEqual(['TooLarge', []])
  await table.transact(steps(360_000))
})

test('each step of a transaction is measured', async () => {
  const error = await refusal(
    table.transact({ small: creating(Site, { site: 'OK', name: 'n' }), big: creating(Site, { site: 'BIG', name: 'x'.repeat(420_000) }) }),
  )
  expect([error.code, sender.sent]).toEqual(['TooLarge', []])
})

describe('a key', () => {
  const site = (bytes: number) => 'S'.repeat(bytes - 'SITE#'.length)

  test('of 2,048 bytes is written and found, and of one more refused, by reads too', async () => {
    await table.Site.create({ site: site(2048), name: 'n' })
    expect(await table.Site.get({ site: site(2048) })).toMatchObject({ name: 'n' })
    sender.sent.length = 0
    for (const work of [
      table.Site.create({ site: site(2049), name: 'n' }),
      table.Site.get({ site: site(2049) }),
      table.Site.update({ site: site(2049) }, { name: 'm' }),
      table.Site.remove({ site: site(2049) }),
      table.roomsOfSite({ site: site(2049) }),
      table.Site.getMany([{ site: 'A' }, { site: site(2049) }]),
    ])
      expect((await refusal(work)).code).toBe('InvalidKey')
    expect(sender.sent).toEqual([])
  })

  test('of a guard, a mirror or an index is measured, too', async () => {
    const id = 'p'.repeat(1020)
    await refusal(table.Person.create({ id, email: 'a@x.org' })).then(({ code }) => expect(code).toBe('InvalidKey'))
    const handle = 'h'.repeat(1024)
    expect((await refusal(table.Person.create({ id: 'handle', email: 'h@x.org', handle }))).code).toBe('InvalidKey')
    expect(sender.sent).toEqual([])
    await table.Person.create({ id: 'grown', email: 'grown@x.org', hired: '2026-01-01' })
    const error = await refusal(table.Person.update({ id: 'grown' }, { team: 't'.repeat(2045) }))
    expect([error.code, error.details.entity]).toEqual(['InvalidKey', 'Person'])
    const named = await refusal(table.transact({ step: updating(Person, { id: 'grown' }, { team: 't'.repeat(2045) }) }))
    expect(named).toMatchObject({ code: 'TransactionFailed', details: { failures: { step: { code: 'InvalidKey' } } } })
    expect(await rawItem(direct, 'PERSON#grown', 'META')).toMatchObject({ version: 1 })
  })
})
