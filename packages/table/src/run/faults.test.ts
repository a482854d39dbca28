import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { Policy, Site } from '../../test/depot/design.ts'
import { rawItem, rawItems } from '../../test/depot/raw.ts'
import { refusal } from '../../test/depot/refused.ts'
import { type Depot, depotOf, ownDepot } from '../../test/depot/table.ts'
import type { Sender } from '../dynamo/sender.ts'
import { creating, updating } from '../plan/step.ts'
import { type Fault, type FaultySender, faultySender } from '../testing/faulty-sender.ts'

// Faults of DynamoDB and networks, made below the SDK: between it and the engine.

let direct: Depot
let faults: FaultySender
let table: Depot
beforeAll(async () => {
  direct = await ownDepot()
})
beforeEach(async () => {
  faults = faultySender(engineSender())
  // As DynamoDB keeps them: a probe would meet the faults in place of the write.
  const keeping: Sender = { keepsTokens: true, send: (...request) => faults.send(...request), close: () => {} }
  table = depotOf(direct.runtime.table, { sender: keeping, random: () => 0.5 })
})

const passing: Fault['kind'][] = ['throttle', 'conflict', 'fail', 'lose-request', 'lose-answer']
let count = 0
const own = (name: string) => `${name}-${++count}`
const sent = (operation: string) => faults.log.filter((one) => one.operation === operation).map(({ input }) => input)

describe.each(passing)('after %s, three times', (kind) => {
  const faulty = (operation: string) => faults.add({ operation, times: 3, fault: { kind } as Fault })

  test('a put is sent again as it was, and is there once', async () => {
    faulty('PutItem')
    const text = own('put')
    expect(await table.Log.create({ text, until: '2030-01-01T00:00:00Z' })).toMatchObject({ version: 1 })
    expect((await rawItems(direct)).filter((item) => item.text === text)).toHaveLength(1)
    expect(new Set(sent('PutItem').map((input) => JSON.stringify(input))).size).toBe(1)
    expect(sent('PutItem')).toHaveLength(4)
  })

  test('an update is sent again as it was, and counts once', async () => {
    const id = own('update')
    await direct.Person.create({ id, email: `${id}@x.org` })
    faulty('UpdateItem')
    expect(await table.Person.update({ id }, { team: 'blue' })).toMatchObject({ version: 2 })
    expect(await rawItem(direct, `PERSON#${id}`, 'META')).toMatchObject({ team: 'blue', version: 2 })
    expect(new Set(sent('UpdateItem').map((input) => JSON.stringify(input))).size).toBe(1)
  })

  test('a transaction is sent again as it was, with the same token, and counts once', async () => {
    const id = own('transaction')
    faulty('TransactWriteItems')
    await table.Policy.create({ id, name: id })
    await table.transact({
      policy: updating(Policy, { id }, { name: `${id} again` }),
      site: creating(Site, { site: own('S').toUpperCase(), name: 'n' }),
    })
    expect(await rawItem(direct, 'SYSTEM', `POLICY#${id}`)).toMatchObject({ version: 2 })
    const tokens = sent('TransactWriteItems').map(({ ClientRequestToken }) => ClientRequestToken)
    expect(tokens).toEqual([...Array(4).fill(tokens[0]), tokens.at(-1)])
    expect(tokens[0]).not.toBe(tokens.at(-1))
    expect(new Set(sent('TransactWriteItems').map((input) => JSON.stringify(input))).size).toBe(2)
  })

  test('a removal is done once', async () => {
    const id = own('removal')
    await direct.Policy.create({ id, name: id })
    faulty('TransactWriteItems')
    await table.Policy.remove({ id })
    expect(await rawItem(direct, 'SYSTEM', `POLICY#${id}`)).toBeUndefined()
  })

  test.runIf(kind !== 'conflict')('reads are sent again', async () => {
    const id = own('read')
    await direct.Person.create({ id, email: `${id}@x.org`, team: id, hired: '2026-01-01' })
    for (const operation of ['GetItem', 'BatchGetItem', 'Query']) faulty(operation)
    expect(await table.Person.get({ id })).toMatchObject({ id })
    expect(await table.Person.getMany([{ id }, { id: 'none' }])).toMatchObject([{ id }, undefined])
    expect((await table.teamOf({ team: id })).items).toHaveLength(1)
  })
})

test('a cascade and its copies end in the right state while every third request fails in some way', async () => {
  const site = own('STORM').toUpperCase()
  await direct.Site.create({ site, name: 'old', region: 'north' })
  for (let n = 0; n < 5; n++) {
    const id = `${site}-${n}`
    await direct.Person.create({ id, email: `${id}@x.org` })
    await direct.PersonSite.create({ id, site })
    await direct.Room.create({ site, id, name: id })
  }
  for (const [index, kind] of passing.entries())
    for (let after = 0; after < 10; after++) faults.add({ after: 3 * (index + 5 * after), fault: { kind } as Fault })
  await table.Site.update({ site }, { name: 'new', region: 'south' })
  expect(await direct.PersonSite.getMany([0, 1, 2, 3, 4].map((n) => ({ id: `${site}-${n}`, site })))).toMatchObject(
    Array(5).fill({ siteName: 'new', version: 2 }),
  )
  expect((await direct.roomsOfSite({ site })).items).toMatchObject(Array(5).fill({ region: 'south', version: 2 }))
  await table.Site.remove({ site })
  expect((await direct.allOfSite({ site })).items).toEqual([])
  expect(faults.log.filter(({ fault }) => fault !== undefined).length).toBeGreaterThan(8)
  expect(await direct.jobs.list()).toEqual([])
})

test('unprocessed keys of a batch are asked for until all are there', async () => {
  const ids = Array.from({ length: 150 }, () => own('batch'))
  await Promise.all(ids.map((site) => direct.Site.create({ site, name: site })))
  faults.add({ operation: 'BatchGetItem', times: 4, fault: { kind: 'unprocessed', left: 70 } })
  faults.add({ operation: 'BatchGetItem', times: 1, fault: { kind: 'unprocessed', left: 100 } })
  const found = await table.Site.getMany(ids.map((site) => ({ site })))
  expect(found.map((site) => site?.name)).toEqual(ids)
  expect(sent('BatchGetItem').length).toBeGreaterThan(6)
})

test.each<[Fault['kind'], string, string]>([
  ['throttle', 'Busy', 'retryable'],
  ['conflict', 'Busy', 'retryable'],
  ['fail', 'Unavailable', 'unavailable'],
])('%s without end is %s, within the deadline', async (kind, code, category) => {
  faults.add({ operation: 'TransactWriteItems', times: 1000, fault: { kind } as Fault })
  const id = own('endless')
  expect(await refusal(table.Person.create({ id, email: `${id}@x.org` }))).toMatchObject({ code, category })
  expect(await rawItem(direct, `PERSON#${id}`, 'META')).toBeUndefined()
  expect(faults.log.length).toBeLessThanOrEqual(50)
})
