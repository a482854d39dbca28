import { beforeAll, describe, expect, test } from 'vitest'
import { putRaw, rawItem, rawItems, rawKeys } from '../../test/depot/raw.ts'
import { codeOf, refusal } from '../../test/depot/refused.ts'
import { type Depot, ownDepot } from '../../test/depot/table.ts'

let table: Depot
beforeAll(async () => {
  table = await ownDepot({ patience_ms: 60_000 })
})

const guardKeys = async (id: string) =>
  (await rawItems(table)).filter((item) => item.id === id && /Email|Handle/.test(String(item.Type))).map(({ PK }) => PK)

test('a guard appears with its value, moves with it, stays while it stays, and goes', async () => {
  const id = 'ada'
  await table.Person.create({ id, email: 'a@x.org' })
  expect(await guardKeys(id)).toEqual(['EMAIL#a@x.org'])
  await table.Person.update({ id }, { handle: 'Lady' })
  expect(await guardKeys(id)).toEqual(['EMAIL#a@x.org', 'HANDLE#lady'])
  await table.Person.update({ id }, { handle: 'countess', email: 'B@x.org' })
  expect(await guardKeys(id)).toEqual(['EMAIL#b@x.org', 'HANDLE#countess'])
  await table.Person.update({ id }, { team: 'blue', email: 'b@X.org' })
  expect(await rawItem(table, 'EMAIL#b@x.org', 'EMAIL#b@x.org')).toMatchObject({ version: 3 })
  await table.Person.update({ id }, { handle: null })
  expect(await guardKeys(id)).toEqual(['EMAIL#b@x.org'])
  await table.Person.remove({ id })
  expect(await guardKeys(id)).toEqual([])
})

test('what a guard carries follows its owner, though its key stays', async () => {
  await table.Person.create({ id: 'carrier', email: 'carrier@x.org' })
  await table.Person.update({ id: 'carrier' }, { rank: 'senior' })
  expect(await table.PersonEmail.get({ email: 'carrier@x.org' })).toEqual({
    Type: 'PersonEmail',
    version: 2,
    id: 'carrier',
    email: 'carrier@x.org',
    rank: 'senior',
  })
})

test('a value that was given up is free at once', async () => {
  await table.Person.create({ id: 'first', email: 'free@x.org' })
  await table.Person.update({ id: 'first' }, { email: 'moved@x.org' })
  await table.Person.create({ id: 'second', email: 'free@x.org' })
  const error = await refusal(table.Person.update({ id: 'first' }, { email: 'free@x.org' }))
  expect(error).toMatchObject({ code: 'AlreadyExists', details: { guard: 'PersonEmail' } })
  expect(await table.Person.get({ id: 'first' })).toMatchObject({ email: 'moved@x.org', version: 2 })
})

test('an owner whose guard is missing is changed and removed all the same', async () => {
  await putRaw(table, {
    PK: 'PERSON#bare',
    SK: 'META',
    Type: 'Person',
    id: 'bare',
    email: 'bare@x.org',
    rank: 'junior',
    createdAt: '2026-01-01T00:00:00.000Z',
    touchedAt: '2026-01-01T00:00:00.000Z',
  })
  await table.Person.update({ id: 'bare' }, { email: 'clothed@x.org' })
  expect(await guardKeys('bare')).toEqual(['EMAIL#clothed@x.org'])
  await table.Person.remove({ id: 'bare' })
  expect((await rawKeys(table)).filter((key) => key.includes('bare') || key.includes('clothed'))).toEqual([])
})

test('another owner’s guard is never touched, and holds up neither change nor removal of an item that has its value', async () => {
  await table.Person.create({ id: 'robbed', email: 'robbed@x.org' })
  await putRaw(table, {
    PK: 'EMAIL#robbed@x.org',
    SK: 'EMAIL#robbed@x.org',
    Type: 'PersonEmail',
    id: 'thief',
    email: 'robbed@x.org',
    version: 1,
  })
  expect(await table.Person.update({ id: 'robbed' }, { email: 'new@x.org' })).toMatchObject({ email: 'new@x.org' })
  expect(await codeOf(table.Person.update({ id: 'robbed' }, { email: 'robbed@x.org' }))).toBe('AlreadyExists')
  await putRaw(table, { PK: 'EMAIL#new@x.org', SK: 'EMAIL#new@x.org', Type: 'PersonEmail', id: 'thief', email: 'new@x.org', version: 1 })
  expect(await table.Person.remove({ id: 'robbed' })).toEqual({})
  expect(await table.Person.get({ id: 'robbed' }, { consistent: true })).toBeUndefined()
  for (const key of ['EMAIL#robbed@x.org', 'EMAIL#new@x.org']) expect(await rawItem(table, key, key)).toMatchObject({ id: 'thief' })
})

describe('under concurrency', () => {
  test('of two hundred creations with one e-mail one wins', async () => {
    const attempts = Array.from({ length: 200 }, (_, n) => table.Person.create({ id: `racer-${n}`, email: ' RACE@x.org' }))
    const outcomes = await Promise.allSettled(attempts)
    const won = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
    const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [`${one.reason.code} ${one.reason.details.guard}`] : []))
    expect(won).toHaveLength(1)
    expect(refusals).toEqual(Array(199).fill('AlreadyExists PersonEmail'))
    expect(await table.PersonEmail.get({ email: 'race@x.org' })).toMatchObject({ id: won[0] })
    expect((await rawKeys(table)).filter((key) => key.includes('racer-'))).toEqual([
      `DIRECTORY#PERSON / PERSON#${won[0]}`,
      `PERSON#${won[0]} / META`,
    ])
  })

  test('of fifty updates to one handle one wins, and no other changes anything', async () => {
    const ids = Array.from({ length: 50 }, (_, n) => `runner-${n}`)
    await Promise.all(ids.map((id) => table.Person.create({ id, email: `${id}@x.org` })))
    const outcomes = await Promise.allSettled(ids.map((id) => table.Person.update({ id }, { handle: 'only' })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const changed = (await table.Person.getMany(ids.map((id) => ({ id })))).filter((one) => one?.version === 2)
    expect(changed).toHaveLength(1)
    expect(await table.PersonHandle.get({ handle: 'only' })).toMatchObject({ id: changed[0]?.id })
  })

  test('updates that name no version all apply; of those that name one, one wins', async () => {
    await table.Person.create({ id: 'busy', email: 'busy@x.org' })
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, n) => table.Person.update({ id: 'busy' }, n % 2 ? { size: n } : { team: `t${n}` })),
    )
    expect(all.map(({ version }) => version).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 2))
    expect(await table.Person.get({ id: 'busy' })).toMatchObject({ version: 41 })
    const named = Array.from({ length: 20 }, (_, n) => table.Person.update({ id: 'busy' }, { size: n }, { version: 41 }))
    const outcomes = await Promise.allSettled(named)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))).toEqual(Array(19).fill('VersionConflict'))
    expect(await table.Person.get({ id: 'busy' })).toMatchObject({ version: 42 })
  })

  test('a creation and a removal of one person leave all or nothing', async () => {
    for (let round = 0; round < 10; round++) {
      const id = `swing-${round}`
      await table.Person.create({ id, email: `${id}@x.org`, handle: id })
      await Promise.allSettled([
        table.Person.remove({ id }),
        table.Person.update({ id }, { email: `${id}@y.org` }),
        table.Person.create({ id, email: `${id}@z.org` }),
      ])
      const keys = (await rawItems(table)).filter((item) => item.id === id).map(({ Type }) => Type)
      expect([[], ['PersonEntry', 'PersonEmail', 'Person'], ['PersonEntry', 'PersonEmail', 'PersonHandle', 'Person']]).toContainEqual(keys)
    }
  })
})
