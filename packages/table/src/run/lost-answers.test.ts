import { beforeEach, describe, expect, test } from 'vitest'
import { Person, PersonSite, Policy, Site } from '../../test/depot/design.ts'
import { putRaw, rawItem, rawItems } from '../../test/depot/raw.ts'
import { codeOf, refusal } from '../../test/depot/refused.ts'
import { LosingSender, type Loss } from '../../test/depot/senders.ts'
import { type Depot, depotOf, ownDepot } from '../../test/depot/table.ts'
import { isFreeholdError } from '../errors.ts'
import { creating, moving, removing, updating } from '../plan/step.ts'

// Any one answer is lost, of any write of each kind of work: the work ends as if none had been (spec rule 13).

const now = () => new Date('2026-03-01T12:00:00Z')
/** Of one test: what lies there is looked through after each work. */
let table: Depot
beforeEach(async () => {
  table = await ownDepot({ now })
})

async function organisation(text: string): Promise<void> {
  await table.Site.create({ site: text, name: 'old', region: 'north' })
  for (const id of [`${text}-ADA`, `${text}-BOB`]) {
    await table.Person.create({ id, email: `${id}@x.org` })
    await table.PersonSite.create({ id, site: text })
  }
  await table.Room.create({ id: `${text}-R`, site: text, name: text })
  await table.Sensor.create({ room: `${text}-R`, id: `${text}-S` })
  await table.PersonRoom.create({ id: `${text}-ADA`, room: `${text}-R` })
  await table.Policy.create({ id: text, name: text, owner: 'ada' })
}

const works: Record<string, (table: Depot, text: string) => Promise<unknown>> = {
  'a creation': ({ Site }, text) => Site.create({ site: `${text}N`, name: 'n' }),
  'a creation with guards': ({ Person }, text) => Person.create({ id: `${text}-N`, email: `${text}n@x.org`, handle: `${text}n` }),
  'an update': ({ Person }, text) => Person.update({ id: `${text}-ADA` }, { team: 'blue' }),
  'an update of a version': ({ Person }, text) => Person.update({ id: `${text}-ADA` }, { team: 'blue' }, { version: 1 }),
  'an update that moves a guard': ({ Person }, text) => Person.update({ id: `${text}-ADA` }, { email: `${text}new@x.org` }),
  'an update with nothing to change': ({ Person }, text) => Person.update({ id: `${text}-ADA` }, {}),
  'a move': ({ Policy }, text) => Policy.move({ id: text, owner: 'ada' }, { owner: 'bob' }),
  'a removal': ({ Policy }, text) => Policy.remove({ id: text, owner: 'ada' }),
  'an edge': ({ PersonSite, Site }, text) =>
    Site.create({ site: `${text}M`, name: 'm' }).then(() => PersonSite.create({ id: `${text}-ADA`, site: `${text}M` })),
  'an update of an edge': ({ SitePerson }, text) => SitePerson.update({ id: `${text}-ADA`, site: text }, { remark: 'r' }),
  'the removal of an edge': ({ RoomPerson }, text) => RoomPerson.remove({ id: `${text}-ADA`, room: `${text}-R` }),
  'the removal of an edge with another within': ({ PersonSite }, text) => PersonSite.remove({ id: `${text}-ADA`, site: text }),
  'a change that copies follow': ({ Site }, text) => Site.update({ site: text }, { name: 'new', region: 'south' }),
  'a cascade': ({ Site }, text) => Site.remove({ site: text }),
  'a transaction': ({ transact }, text) =>
    transact({
      made: creating(Person, { id: `${text}-N`, email: `${text}n@x.org` }),
      changed: updating(Site, { site: text }, { name: 'new' }),
      moved: moving(Policy, { id: text, owner: 'ada' }, { owner: null }),
      joined: creating(PersonSite, { id: `${text}-N`, site: text }),
      left: removing(PersonSite, { id: `${text}-BOB`, site: text }),
    }),
}
const losses: Loss[] = ['before', 'after', 'after, and the token is forgotten']

let count = 0
let uncertain: string[] = []
/** The table after the work, with the text removed, so that runs can be compared. */
async function leftBy(work: (table: Depot, text: string) => Promise<unknown>, sender?: LosingSender): Promise<unknown> {
  const text = `Q${String(++count).padStart(5, '0')}`
  await organisation(text)
  await work(sender === undefined ? table : depotOf(table.runtime.table, { now, sender }), text).catch((error: unknown) => {
    // A removed item has no stamp, and no token shows which writer removed it.
    if (sender?.forgets !== true || !isFreeholdError(error) || error.details.uncertain !== true) throw error
    uncertain.push(error.code)
  })
  const items = (await rawItems(table)).filter((item) => JSON.stringify(item).toUpperCase().includes(text))
  return JSON.parse(JSON.stringify(items).replaceAll(new RegExp(text, 'gi'), 'TEXT'))
}

/** These only take away, in one transaction. */
const removals: ReadonlySet<string> = new Set(['a removal', 'the removal of an edge'])

describe.each(Object.entries(works))('%s', (name, work) => {
  test.each(losses)('is applied once, whichever of its answers is lost %s', async (loss) => {
    const expected = await leftBy(work)
    uncertain = []
    let points = 0
    for (; points < 60; points++) {
      const sender = new LosingSender(points, loss)
      expect({ points, left: await leftBy(work, sender) }).toEqual({ points, left: expected })
      if (!sender.isLost) break
    }
    expect(points).toBeGreaterThan(0)
    expect(uncertain).toEqual(loss === 'after, and the token is forgotten' && removals.has(name) ? ['NotFound'] : [])
    expect(await table.jobs.list()).toEqual([])
  })
})

describe('an answer is not taken for our own doing', () => {
  test('where the request never arrived and another took the place', async () => {
    const sender = new LosingSender(0, 'before')
    const losing = depotOf(table.runtime.table, {
      now,
      sender,
      sleep: () => table.Site.create({ site: 'RACE', name: 'theirs' }).then(() => undefined),
    })
    expect(await refusal(losing.Site.create({ site: 'RACE', name: 'ours' }))).toMatchObject({
      code: 'AlreadyExists',
      details: { uncertain: true },
    })
    expect(await table.Site.get({ site: 'RACE' })).toMatchObject({ name: 'theirs' })
  })

  test('where another took away what was to be removed, and the rest was never written', async () => {
    await table.Policy.create({ id: 'contested', name: 'contested' })
    const sender = new LosingSender(0, 'before')
    const losing = depotOf(table.runtime.table, {
      now,
      sender,
      sleep: () => table.Policy.remove({ id: 'contested' }).then(() => undefined),
    })
    const work = losing.transact({ gone: removing(Policy, { id: 'contested' }), made: creating(Site, { site: 'MADE', name: 'm' }) })
    expect(await codeOf(work)).toBe('TransactionFailed')
    expect(await rawItem(table, 'SITE#MADE', 'META')).toBeUndefined()
  })

  test('where another wrote the version that was to be written', async () => {
    await table.Person.create({ id: 'written', email: 'written@x.org' })
    const sender = new LosingSender(0, 'before')
    const losing = depotOf(table.runtime.table, {
      now,
      sender,
      sleep: () => table.Person.update({ id: 'written' }, { team: 'theirs' }).then(() => undefined),
    })
    expect(await codeOf(losing.Person.update({ id: 'written' }, { team: 'ours' }, { version: 1 }))).toBe('VersionConflict')
    expect(await table.Person.get({ id: 'written' })).toMatchObject({ team: 'theirs', version: 2 })
  })

  test('where a guard was taken', async () => {
    const sender = new LosingSender(0, 'before')
    const sleep = () =>
      putRaw(table, {
        PK: 'EMAIL#g@x.org',
        SK: 'EMAIL#g@x.org',
        Type: 'PersonEmail',
        id: 'rival',
        email: 'g@x.org',
        rank: 'junior',
        version: 1,
      })
    expect(await codeOf(depotOf(table.runtime.table, { now, sender, sleep }).Person.create({ id: 'g', email: 'g@x.org' }))).toBe(
      'AlreadyExists',
    )
  })
})
