import { beforeAll, describe, expect, test } from 'vitest'
import { putRaw, rawItem, rawItems, rawKeys } from '../../../test/depot/raw.ts'
import { codeOf, refusal } from '../../../test/depot/refused.ts'
import { WatchedSender } from '../../../test/depot/senders.ts'
import { Clock, type Depot, depotOf, ownDepot } from '../../../test/depot/table.ts'
import { lease_ms } from './job.ts'
import { runJob } from './jobs.ts'

const clock = new Clock()
const now = clock.now
let table: Depot
beforeAll(async () => {
  table = await ownDepot({ now })
})

let count = 0
/** Two sites with rooms, sensors and people; everything of the first has its number in its keys. */
async function organisation() {
  const n = ++count
  const [site, other] = [`A${n}`, `B${n}`]
  const people = [`x${n}a`, `x${n}b`]
  for (const id of people) await table.Person.create({ id, email: `${id}@x.org` })
  for (const each of [site, other]) {
    await table.Site.create({ site: each, name: each, region: 'north' })
    for (const room of [`${each}-r1`, `${each}-r2`]) {
      await table.Room.create({ site: each, id: room, name: room })
      for (const sensor of [1, 2]) await table.Sensor.create({ room, id: `${room}-s${sensor}` })
    }
    for (const id of people) {
      await table.PersonSite.create({ id, site: each })
      await table.PersonRoom.create({ id, room: `${each}-r1` })
    }
  }
  return { site, other, people }
}
const mentioning = async (...texts: string[]) =>
  (await rawItems(table)).filter((item) => texts.some((text) => JSON.stringify(item).includes(text)))

describe('removing a site', () => {
  test('takes everything beneath it, three deep, and leaves all else as it was', async () => {
    const { site, other, people } = await organisation()
    const isOfSite = (item: object) => JSON.stringify(item).includes(site)
    const kept = (await rawItems(table)).filter((item) => !isOfSite(item))
    await table.Site.remove({ site })
    expect(await mentioning(site)).toEqual([])
    expect(await rawItems(table)).toEqual(kept)
    expect((await mentioning(other)).length).toBeGreaterThan(10)
    expect(await table.Person.getMany(people.map((id) => ({ id })))).toMatchObject(people.map((id) => ({ id, version: 1 })))
  })

  test('frees its name only when all is gone, and what is made anew under it has nothing of the old', async () => {
    const { site } = await organisation()
    await table.Site.remove({ site }, { wait: false })
    expect(await codeOf(table.Site.create({ site, name: 'new' }))).toBe('AlreadyExists')
    expect(await codeOf(table.Room.create({ site, name: 'new' }))).toBe('MissingEnd')
    await table.jobs.resume()
    await table.Site.create({ site, name: 'new' })
    expect((await table.allOfSite({ site })).items.map(({ Type }) => Type)).toEqual(['Site'])
  })

  test('goes on where a room was moved away meanwhile: that stays', async () => {
    const { site, other } = await organisation()
    const room = { site, id: `${site}-r2` }
    let isMoved = false
    const sender = new WatchedSender(async () => {
      const marked = await rawItem(table, `SITE#${site}`, 'META')
      if (isMoved || marked?.deleting === undefined || sender.sent.at(-1) !== 'TransactWriteItems') return
      isMoved = true
      await table.Room.move(room, { site: other })
    })
    await depotOf(table.runtime.table, { now, sender }).Site.remove({ site })
    expect(isMoved).toBe(true)
    expect(await rawItem(table, `SITE#${other}`, `ROOM#${room.id}`)).toMatchObject({ site: other })
    expect(await table.sensorsOfRoom({ room: room.id, part: `${room.id}-s` })).toMatchObject({ items: [{}, {}] })
    expect((await rawKeys(table)).filter((key) => key.includes(`SITE#${site}`))).toEqual([])
  })
})

test('removing a person takes its edges, its sessions and its badges, and keeps its remarks', async () => {
  const { people } = await organisation()
  const [id = ''] = people
  await table.PersonBadge.create({ id, badge: `badge-${id}`, shelf: 'top' })
  await table.Session.create({ id: `session-${id}`, person: id, token: `token-${id}`, until: '2030-01-01T00:00:00Z' })
  const remark = await table.Remark.create({ person: id, text: 'kept' })
  await table.Person.remove({ id })
  expect((await mentioning(id)).map(({ Type }) => Type)).toEqual(['Remark', 'RemarkOfPerson'])
  expect(await table.Remark.get({ id: remark.id })).toMatchObject({ text: 'kept' })
  await table.Remark.update({ id: remark.id }, { text: 'still changed' })
})

describe('removing what is in use', () => {
  test('is refused, and takes every mark off again', async () => {
    const id = `used-${++count}`
    await table.Person.create({ id, email: `${id}@x.org`, handle: id })
    const task = await table.Task.create({ person: id, title: 't' })
    const before = await mentioning(id)
    const error = await refusal(table.Person.remove({ id }))
    expect(error).toMatchObject({ code: 'InUse', details: { user: 'Task' } })
    const unversioned = (items: object[]) => items.map((item) => ({ ...item, version: 0 }))
    const after = await mentioning(id)
    expect(unversioned(after)).toEqual(unversioned(before))
    expect(after.filter(({ deleting }) => deleting !== undefined)).toEqual([])
    expect(await table.jobs.list()).toEqual([])
    await table.Person.update({ id }, { handle: null })
    await table.Task.remove({ id: task.id })
    await table.Person.remove({ id })
    expect(await mentioning(id)).toEqual([])
  })

  test('is found by the program that resumes jobs, if the caller did not wait', async () => {
    const id = `used-${++count}`
    await table.Person.create({ id, email: `${id}@x.org` })
    await table.Task.create({ person: id, title: 't' })
    await table.Person.remove({ id }, { wait: false })
    expect(await table.jobs.resume()).toEqual({ done: 1, held: [], failed: [] })
    expect(await table.Person.get({ id })).not.toHaveProperty('deleting')
    expect(await table.PersonEntry.get({ id })).not.toHaveProperty('deleting')
  })

  test('by many uses at once is refused for each, and no use is lost', async () => {
    const id = `raced-${++count}`
    await table.Person.create({ id, email: `${id}@x.org` })
    const outcomes = await Promise.allSettled([
      table.Person.remove({ id }),
      ...Array.from({ length: 10 }, (_, n) => table.Task.create({ id: `${id}-${n}`, person: id, title: 't' })),
    ])
    const made = outcomes.slice(1).filter(({ status }) => status === 'fulfilled').length
    const left = (await mentioning(id)).map(({ Type }) => Type)
    expect(left.filter((type) => type === 'Task')).toHaveLength(made)
    expect(left.includes('Person')).toBe(outcomes[0]?.status === 'rejected')
    expect(outcomes[0]?.status === 'rejected' || made === 0).toBe(true)
  })
})

describe('two workers', () => {
  test('on one job at once end as one would', async () => {
    const { site } = await organisation()
    await table.Site.remove({ site }, { wait: false })
    const [job] = await table.jobs.list()
    if (job === undefined) throw new Error('no job')
    const workers = [table, depotOf(table.runtime.table, { now }), depotOf(table.runtime.table, { now })]
    const lasting = { ...job, leaseUntil: new Date(now().getTime() + 60_000).toISOString() }
    const outcomes = await Promise.all(workers.map(({ runtime }) => runJob(runtime, lasting)))
    expect(outcomes).toContain('done')
    expect(await mentioning(site)).toEqual([])
    expect(await table.jobs.list()).toEqual([])
  })

  test('do not work side by side: a lease keeps others away until it is over', async () => {
    const { site } = await organisation()
    await putRaw(table, { ...(await rawItem(table, `SITE#${site}`, 'META')), deleting: 'J1' })
    const leaseUntil = new Date(now().getTime() + lease_ms).toISOString()
    const job = {
      id: 'J1',
      kind: 'remove',
      entity: 'Site',
      key: { PK: `SITE#${site}`, SK: 'META' },
      createdAt: 'c',
      done: 0,
      holder: 'h',
      leaseUntil,
    }
    await putRaw(table, { PK: 'FREEHOLD_JOBS', SK: 'JOB#J1', Type: 'Job', version: 1, ...job })
    expect(await table.jobs.resume()).toEqual({ done: 0, held: [job], failed: [] })
    clock.forward(lease_ms)
    const two = [table, depotOf(table.runtime.table, { now })]
    const results = await Promise.all(two.map(({ jobs }) => jobs.resume()))
    expect(results.map(({ done }) => done).sort()).toEqual([0, 1])
    expect(await mentioning(site)).toEqual([])
  })

  test('of which one was silent for too long: it takes nothing of what was made anew', async () => {
    const { site, people } = await organisation()
    let isTaken = false
    // The worker falls silent before the last request of each kind in turn; meanwhile another ends the job, and all is made anew.
    const sender = new WatchedSender(async (operation) => {
      if (isTaken || operation !== 'TransactWriteItems' || sender.sent.length < 8) return
      isTaken = true
      clock.forward(lease_ms + 1)
      expect(await table.jobs.resume()).toMatchObject({ done: 1 })
      await table.Site.create({ site, name: 'new' })
      await table.Room.create({ site, id: `${site}-r1`, name: 'new' })
      for (const id of people) await table.PersonSite.create({ id, site })
    })
    await depotOf(table.runtime.table, { now, sender }).Site.remove({ site })
    expect(isTaken).toBe(true)
    const left = (await mentioning(site)).map(({ Type }) => Type).sort()
    expect(left).toEqual(['PersonSite', 'PersonSite', 'Room', 'RoomPlace', 'Site', 'SitePerson', 'SitePerson'])
  })

  test('a worker that lasts longer than its lease renews it', async () => {
    const { site } = await organisation()
    const sender = new WatchedSender(() => clock.forward(lease_ms / 4))
    await depotOf(table.runtime.table, { now, sender, patience_ms: 1e9 }).Site.remove({ site })
    expect(sender.sent.filter((operation) => operation === 'UpdateItem').length).toBeGreaterThan(3)
    expect(await mentioning(site)).toEqual([])
  })
})

test('a job that cannot be done keeps no other from being done', async () => {
  const [id, site] = [`robbed-${++count}`, `Z${count}`]
  await table.Person.create({ id, email: `${id}@x.org` })
  await table.Site.create({ site, name: 'n' })
  await putRaw(table, {
    PK: `EMAIL#${id}@x.org`,
    SK: `EMAIL#${id}@x.org`,
    Type: 'Strange',
    id: 'thief',
    email: `${id}@x.org`,
    version: 1,
  })
  await table.Person.remove({ id }, { wait: false })
  await table.Site.remove({ site }, { wait: false })
  const resumed = await table.jobs.resume()
  expect(resumed).toMatchObject({ done: 1, held: [], failed: [{ job: { entity: 'Person' }, error: { code: 'MalformedItem' } }] })
  expect(await rawItem(table, `SITE#${site}`, 'META')).toBeUndefined()
  expect(await rawItem(table, `EMAIL#${id}@x.org`, `EMAIL#${id}@x.org`)).toMatchObject({ id: 'thief' })
})
