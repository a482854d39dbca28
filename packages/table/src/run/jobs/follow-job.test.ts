import { beforeAll, describe, expect, test } from 'vitest'
import { putRaw, rawItem, rawItems } from '../../../test/depot/raw.ts'
import { WatchedSender } from '../../../test/depot/senders.ts'
import { Clock, type Depot, depotOf, ownDepot } from '../../../test/depot/table.ts'
import { meter } from '../meter.ts'

const clock = new Clock()
const now = clock.now
let table: Depot
beforeAll(async () => {
  table = await ownDepot({ now })
})

let count = 0
/** A site with so many people at it, written literally: two items an edge. */
async function siteOf(many: number): Promise<string> {
  const site = `S${++count}`
  await table.Site.create({ site, name: 'old', region: 'north' })
  const joinedAt = '2026-01-01T00:00:00.000Z'
  const edges = Array.from({ length: many }, (_, n) => `p${String(n).padStart(4, '0')}`).flatMap((id) => [
    { PK: `PERSON#${id}`, SK: `SITE#${site}`, Type: 'PersonSite', version: 1, id, site, joinedAt, siteName: 'old' },
    { PK: `SITE#${site}`, SK: `PERSON#${id}`, Type: 'SitePerson', version: 1, id, site, joinedAt, personRank: 'junior' },
  ])
  await Promise.all(edges.map((edge) => putRaw(table, edge)))
  return site
}
async function copies(site: string) {
  const items = (await rawItems(table)).filter((item) => item.site === site && item.Type === 'PersonSite')
  return items.map(({ siteName, version }) => `${siteName} ${version}`)
}

test.each([0, 1, 99, 100, 250])('a change is followed by all of %i copies before it returns', async (many) => {
  const site = await siteOf(many)
  expect(await table.Site.update({ site }, { name: 'new' })).toMatchObject({ name: 'new' })
  expect(await copies(site)).toEqual(Array(many).fill('new 2'))
  const others = (await rawItems(table)).filter((item) => item.site === site && item.Type === 'SitePerson')
  expect(others.map(({ version, personRank }) => [version, personRank])).toEqual(Array(many).fill([1, 'junior']))
  expect(await table.jobs.list()).toEqual([])
})

test('a change of what nobody copies needs no job', async () => {
  await table.Person.create({ id: 'plain', email: 'plain@x.org' })
  const { cost } = await meter(() => table.Person.update({ id: 'plain' }, { team: 'blue' }))
  expect(cost.requests).toBe(2)
})

test('a copy goes where what it is copied from goes', async () => {
  await table.Person.create({ id: 'named', email: 'named@x.org', handle: 'h' })
  await table.Site.create({ site: 'NAMED', name: 'n' })
  await table.PersonSite.create({ id: 'named', site: 'NAMED' })
  expect(await table.SitePerson.get({ id: 'named', site: 'NAMED' })).toMatchObject({ personHandle: 'h' })
  await table.Person.update({ id: 'named' }, { handle: null })
  expect(await rawItem(table, 'SITE#NAMED', 'PERSON#named')).not.toHaveProperty('personHandle')
})

test('copies through an optional reference follow it where it points, and go with it', async () => {
  await table.Person.create({ id: 'junior', email: 'j@x.org' })
  await table.Person.create({ id: 'boss', email: 's@x.org', rank: 'senior' })
  const { id } = await table.Remark.create({ person: 'junior', text: 't' })
  expect(await table.Remark.get({ id })).toMatchObject({ rank: 'junior' })
  expect(await table.Remark.update({ id }, { person: 'boss' })).toMatchObject({ rank: 'senior' })
  await table.Person.update({ id: 'junior' }, { team: 'x', rank: 'senior' })
  await table.Person.update({ id: 'boss' }, { rank: 'junior' })
  expect(await table.Remark.get({ id })).toMatchObject({ rank: 'junior' })
  expect(await table.Remark.update({ id }, { person: null })).not.toHaveProperty('rank')
})

test('a dependant that points elsewhere by now is left alone', async () => {
  await table.Person.create({ id: 'from', email: 'from@x.org' })
  await table.Person.create({ id: 'to', email: 'to@x.org', rank: 'senior' })
  const { id } = await table.Remark.create({ person: 'from', text: 't' })
  let isMoved = false
  const sender = new WatchedSender(async (_operation, index) => {
    // After the job has found the remark, before it writes: its reads are the source, the list, the remark.
    if (index < 4 || isMoved) return
    isMoved = true
    await table.Remark.update({ id }, { person: 'to' })
    await table.Person.update({ id: 'to' }, { rank: 'junior' })
  })
  await depotOf(table.runtime.table, { sender, now }).Person.update({ id: 'from' }, { rank: 'senior' })
  expect([isMoved, await table.Remark.get({ id })]).toMatchObject([true, { person: 'to', rank: 'junior' }])
})

test.each([
  [
    'does not lead to its item',
    { PK: 'REMARKS#hurt', SK: 'REMARK#0', Type: 'RemarkOfPerson', version: 1, id: 7, person: 'hurt', text: 't' },
  ],
  ['leads to what is malformed', { PK: 'REMARK#0', SK: 'META', Type: 'Remark', version: 1, id: '0', person: 7, text: 't' }],
])('what %s is told once all others have their copies, and reached once it is repaired', async (_what, broken) => {
  const own = await ownDepot({ now })
  await own.Person.create({ id: 'hurt', email: `hurt@x.org` })
  const mirrorOf = { PK: 'REMARKS#hurt', SK: 'REMARK#0', Type: 'RemarkOfPerson', version: 1, id: '0', person: 'hurt', text: 't' }
  if (broken.Type === 'Remark') await putRaw(own, mirrorOf)
  await putRaw(own, broken)
  const { id } = await own.Remark.create({ person: 'hurt', text: 't' })
  const { pending } = await own.Person.update({ id: 'hurt' }, { rank: 'senior' })
  expect(pending).toMatchObject([{ kind: 'follow', entity: 'Person', reason: { code: 'MalformedItem' } }])
  expect(await own.Person.get({ id: 'hurt' })).toMatchObject({ rank: 'senior' })
  expect(await own.Remark.get({ id })).toMatchObject({ rank: 'senior' })
  expect(await own.jobs.list()).toHaveLength(1)
  await putRaw(own, mirrorOf)
  await putRaw(own, { PK: 'REMARK#0', SK: 'META', Type: 'Remark', version: 1, id: '0', person: 'hurt', text: 't' })
  clock.forward(60_000)
  expect(await own.jobs.resume()).toMatchObject({ done: 1, failed: [] })
  expect(await own.Remark.get({ id: '0' })).toMatchObject({ rank: 'senior' })
  expect(await own.jobs.list()).toEqual([])
})

describe('while others write', () => {
  /** Runs a change of a site, with something done before each of its requests from the second on. */
  async function changing(site: string, name: string, meanwhile: (index: number) => Promise<unknown>): Promise<void> {
    const sender = new WatchedSender(async (_operation, index) => {
      if (index >= 2) await meanwhile(index)
    })
    await depotOf(table.runtime.table, { sender, now }).Site.update({ site }, { name })
  }

  test('two racing changes converge on the last', async () => {
    const site = await siteOf(150)
    await Promise.all([
      table.Site.update({ site }, { name: 'one' }),
      table.Site.update({ site }, { name: 'two' }),
      table.Site.update({ site }, { name: 'three' }),
    ])
    const last = (await table.Site.get({ site }, { consistent: true }))?.name
    expect(new Set((await copies(site)).map((copy) => copy.split(' ')[0]))).toEqual(new Set([last]))
    expect(await table.jobs.list()).toEqual([])
  })

  test('a change after every request of the job still ends in the last value', async () => {
    const site = await siteOf(150)
    let changes = 0
    await changing(site, 'first', async () => {
      if (changes < 4) await depotOf(table.runtime.table, { now }).Site.update({ site }, { name: `change-${++changes}` }, { wait: false })
    })
    clock.forward(10_000)
    expect(await table.jobs.resume()).toMatchObject({ done: 4, held: [], failed: [] })
    expect(changes).toBe(4)
    expect(new Set((await copies(site)).map((copy) => copy.split(' ')[0]))).toEqual(new Set([(await table.Site.get({ site }))?.name]))
  })

  test('edges that are removed meanwhile stay away, and new ones have the new copy', async () => {
    const site = await siteOf(120)
    await table.Person.create({ id: 'late', email: `late-${count}@x.org` })
    let isDone = false
    await changing(site, 'new', async (index) => {
      if (index !== 4 || isDone) return
      isDone = true
      for (const id of ['p0000', 'p0050', 'p0119']) await table.PersonSite.remove({ id, site })
      await table.PersonSite.create({ id: 'late', site })
    })
    expect(isDone).toBe(true)
    expect(await copies(site)).toEqual(['new 1', ...Array(117).fill('new 2')])
  })

  test('a source that is removed meanwhile takes its copies with it', async () => {
    const site = await siteOf(120)
    await changing(site, 'new', (index) => (index === 4 ? table.Site.remove({ site }) : Promise.resolve()))
    expect((await rawItems(table)).filter((item) => item.site === site)).toEqual([])
    expect(await table.jobs.list()).toEqual([])
  })
})

test('a job that is done twice, or by two workers at once, writes nothing the second time', async () => {
  const site = await siteOf(120)
  const other = depotOf(table.runtime.table, { now })
  await table.Site.update({ site }, { name: 'new' }, { wait: false })
  const [job] = await table.jobs.list()
  const results = await Promise.all([table.jobs.resume(), other.jobs.resume()])
  expect(results.map(({ done }) => done).sort()).toEqual([0, 1])
  expect(await copies(site)).toEqual(Array(120).fill('new 2'))
  await putRaw(table, { PK: 'FREEHOLD_JOBS', SK: `JOB#${job?.id}`, Type: 'Job', version: 1, ...job })
  clock.forward(10_000)
  expect(await table.jobs.resume()).toMatchObject({ done: 1 })
  expect(await copies(site)).toEqual(Array(120).fill('new 2'))
})

test('progress is told, and counts what was done', async () => {
  const site = await siteOf(120)
  const told: number[] = []
  const watching = depotOf(table.runtime.table, {
    now,
    onProgress: ({ kind, subject, done }) => told.push(kind === 'follow' && subject === `Site SITE#${site}` ? done : -1),
  })
  await watching.Site.update({ site }, { name: 'new' })
  expect(told).toEqual([99, 120])
})
