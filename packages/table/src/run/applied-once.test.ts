import { beforeAll, describe, expect, test } from 'vitest'
import { Person, Site } from '../../test/depot/design.ts'
import { putRaw, rawItem, rawItems, stampOf } from '../../test/depot/raw.ts'
import { refusal } from '../../test/depot/refused.ts'
import { ForgettingSender, HoldingSender, LosingSender, WatchedSender } from '../../test/depot/senders.ts'
import { Clock, type Depot, depotOf, directSender, ownDepot } from '../../test/depot/table.ts'
import { creating, removing } from '../plan/step.ts'

// An acknowledged write was applied once, and a write that was refused for certain was never applied: even if answers are lost, others
// write the same items meanwhile, a request comes late, and what answers forgets its tokens (spec rule 13).

const now = () => new Date('2026-03-01T12:00:00Z')
let table: Depot
beforeAll(async () => {
  table = await ownDepot({ now })
})

let count = 0
const nextSite = () => `S${String(++count).padStart(4, '0')}`

/** The first write of this table is lost, and others do something before it is sent again. */
function losing(loss: 'before' | 'after' | 'after, and the token is forgotten', meanwhile: () => Promise<unknown>): Depot {
  const sleep = () => meanwhile().then(() => undefined)
  return depotOf(table.runtime.table, { now, sender: new LosingSender(0, loss), sleep })
}

const stored = (site: string) => rawItem(table, `SITE#${site}`, 'META')

describe('a stamp', () => {
  test('is another with each write, and no reader sees it', async () => {
    const site = nextSite()
    const stamps: unknown[] = []
    const views = [await table.Site.create({ site, name: 'n' })]
    stamps.push(await stampOf(table, `SITE#${site}`, 'META'))
    views.push(await table.Site.update({ site }, { name: 'm' }))
    stamps.push(await stampOf(table, `SITE#${site}`, 'META'))
    expect(stamps).toEqual([expect.stringMatching(/^[\w-]{22}$/), expect.stringMatching(/^[\w-]{22}$/)])
    expect(new Set(stamps).size).toBe(2)
    for (const view of [...views, await table.Site.get({ site })]) expect(view).not.toHaveProperty('writeId')
  })

  test('is on every item that a write puts', async () => {
    await table.Person.create({ id: 'stamped', email: 'stamped@x.org', handle: 'stamped' })
    const items = (await rawItems(table)).filter((item) => item.id === 'stamped')
    expect(items.length).toBeGreaterThan(2)
    const stamps = await Promise.all(items.map(({ PK, SK }) => stampOf(table, String(PK), String(SK))))
    expect(new Set(stamps).size).toBe(1)
  })
})

describe('a creation whose request was lost', () => {
  test('is not taken for done because what is there looks alike', async () => {
    const site = nextSite()
    const faulty = losing('before', () => table.Site.create({ site, name: 'n' }))
    const error = await refusal(faulty.Site.create({ site, name: 'n' }))
    expect(error).toMatchObject({ code: 'AlreadyExists', details: { uncertain: true } })
  })
})

describe('a creation whose answer was lost', () => {
  test('does not bring back what another has removed', async () => {
    const site = nextSite()
    const faulty = losing('after', () => table.Site.remove({ site }))
    await faulty.Site.create({ site, name: 'n' })
    expect(await stored(site)).toBeUndefined()
  })

  test('is uncertain where another has changed it and no token tells', async () => {
    const site = nextSite()
    const faulty = losing('after, and the token is forgotten', () => table.Site.update({ site }, { name: 'theirs' }))
    const error = await refusal(faulty.Site.create({ site, name: 'ours' }))
    // It is not sent again: the engine was probed, and keeps no tokens.
    expect(error).toMatchObject({ code: 'Unavailable', details: { uncertain: true } })
    expect(await stored(site)).toMatchObject({ name: 'theirs', version: 2 })
  })
})

describe('an update whose answer was lost', () => {
  test.each(['before', 'after'] as const)('never changes what was made anew under its key (lost %s)', async (loss) => {
    const id = `lost-${loss}`
    await table.Person.create({ id, email: `${id}@x.org` })
    const faulty = losing(loss, async () => {
      await table.Person.remove({ id })
      await table.Person.create({ id, email: `${id}@x.org`, team: 'successor' })
    })
    const error = await refusal(faulty.Person.update({ id }, { city: 'Bern' }))
    expect(error).toMatchObject({ code: 'Unavailable', details: { uncertain: true } })
    const found = await table.Person.get({ id }, { consistent: true })
    expect(found).toMatchObject({ team: 'successor', version: 1 })
    expect(found).not.toHaveProperty('city')
  })

  test('counts once where two count together', async () => {
    const id = 'counted'
    await table.Person.create({ id, email: 'counted@x.org', size: 10 })
    const consume = async (by: Depot) => {
      const { size = 0, version } = (await by.Person.get({ id }, { consistent: true })) ?? { version: 0 }
      return by.Person.update({ id }, { size: size - 1 }, { version })
    }
    const faulty = losing('before', () => consume(table))
    expect(await refusal(consume(faulty))).toMatchObject({ details: { uncertain: true } })
    expect(await table.Person.get({ id })).toMatchObject({ size: 9, version: 2 })
  })
})

describe('a removal whose request was lost', () => {
  test('is uncertain where another has removed the item', async () => {
    await table.Policy.create({ id: 'twice', name: 'twice' })
    const error = await refusal(losing('before', () => table.Policy.remove({ id: 'twice' })).Policy.remove({ id: 'twice' }))
    expect(error).toMatchObject({ code: 'NotFound', details: { uncertain: true } })
  })

  test('does not take away what was made anew', async () => {
    await table.Policy.create({ id: 'again', name: 'again' })
    const faulty = losing('before', async () => {
      await table.Policy.remove({ id: 'again' })
      await table.Policy.create({ id: 'again', name: 'again' })
    })
    expect(await refusal(faulty.Policy.remove({ id: 'again' }))).toMatchObject({ details: { uncertain: true } })
    expect(await table.Policy.get({ id: 'again' }, { consistent: true })).toMatchObject({ version: 1 })
  })
})

describe('a request that comes late, after its repeat was acknowledged', () => {
  test('brings nothing back that was removed since', async () => {
    const site = nextSite()
    const sender = new HoldingSender()
    await depotOf(table.runtime.table, { now, sender }).Site.create({ site, name: 'n' })
    await table.Site.remove({ site })
    await sender.deliver()
    expect(await stored(site)).toBeUndefined()
  })

  test('is applied to no successor', async () => {
    const site = nextSite()
    await table.Site.create({ site, name: 'first' })
    const sender = new HoldingSender()
    await depotOf(table.runtime.table, { now, sender }).Site.update({ site }, { region: 'north' })
    await table.Site.remove({ site })
    await table.Site.create({ site, name: 'successor' })
    await sender.deliver()
    expect(await stored(site)).not.toHaveProperty('region')
  })
})

describe('where the engine is started again between two attempts', () => {
  const restarted = async (isAcknowledged: boolean, isRefused: boolean) => {
    const site = nextSite()
    const sender = new ForgettingSender(isRefused)
    const faulty = depotOf(table.runtime.table, { now, sender })
    if (isAcknowledged) await faulty.Site.create({ site: nextSite(), name: 'before' })
    return { site, sender, faulty }
  }

  test.each([
    ['an earlier token is forgotten', true, false],
    ['connections were refused meanwhile', false, true],
  ])('a creation that was removed since does not come back: %s', async (_, isAcknowledged, isRefused) => {
    const { site, sender, faulty } = await restarted(isAcknowledged, isRefused)
    sender.loseNext(() => table.Site.remove({ site }))
    const error = await refusal(faulty.Site.create({ site, name: 'n' }))
    expect(error).toMatchObject({ code: 'Unavailable', details: { uncertain: true } })
    expect(await stored(site)).toBeUndefined()
  })

  test('a creation stays uncertain where nothing can be read any more', async () => {
    const { site, sender, faulty } = await restarted(true, false)
    sender.loseNext(async () => sender.failReads())
    const error = await refusal(faulty.Site.create({ site, name: 'n' }))
    expect(error).toMatchObject({ code: 'Unavailable', details: { uncertain: true } })
    expect(await stored(site)).toMatchObject({ version: 1 })
  })

  test('a creation that is there is known by its stamp', async () => {
    const { site, sender, faulty } = await restarted(true, false)
    sender.loseNext(async () => {})
    expect(await faulty.Site.create({ site, name: 'n' })).toMatchObject({ version: 1 })
    expect(await stored(site)).toMatchObject({ version: 1 })
  })

  test('an update is sent again: it cannot be applied twice', async () => {
    const { site, sender, faulty } = await restarted(true, false)
    await table.Site.create({ site, name: 'n' })
    sender.loseNext(async () => {})
    expect(await faulty.Site.update({ site }, { region: 'north' })).toMatchObject({ version: 2 })
    expect(await stored(site)).toMatchObject({ version: 2 })
  })
})

describe('what an attacker found', () => {
  test('a token that was acknowledged after the restart tells nothing of what was sent before', async () => {
    const [site, other] = [nextSite(), nextSite()]
    const sender = new ForgettingSender(false)
    const faulty = depotOf(table.runtime.table, { now, sender })
    await faulty.Site.create({ site: nextSite(), name: 'before' })
    sender.loseNext(async () => {
      await faulty.Site.create({ site: other, name: 'after the restart' })
      await table.Site.remove({ site })
    })
    expect(await refusal(faulty.Site.create({ site, name: 'n' }))).toMatchObject({ code: 'Unavailable', details: { uncertain: true } })
    expect(await stored(site)).toBeUndefined()
  })

  test('each of two lost creations is told by the same token', async () => {
    const sites = [nextSite(), nextSite()]
    const sender = new ForgettingSender(false)
    const faulty = depotOf(table.runtime.table, { now, sender })
    await faulty.Site.create({ site: nextSite(), name: 'before' })
    sender.loseNext(() => Promise.all(sites.map((site) => table.Site.remove({ site }).catch(() => undefined))), 2)
    const errors = await Promise.all(sites.map((site) => refusal(faulty.Site.create({ site, name: 'n' }))))
    expect(errors).toMatchObject([{ details: { uncertain: true } }, { details: { uncertain: true } }])
    for (const site of sites) expect(await stored(site)).toBeUndefined()
  })

  test('a token is asked for at the table that it was used at, whatever table is written', async () => {
    const elsewhere = await ownDepot({ now })
    const sender = new ForgettingSender(false)
    const [here, there] = [depotOf(table.runtime.table, { now, sender }), depotOf(elsewhere.runtime.table, { now, sender })]
    await here.Site.create({ site: nextSite(), name: 'before' })
    const sites = [nextSite(), nextSite()]
    const [first = '', second = ''] = sites
    sender.loseNext(async () => {
      await table.Site.remove({ site: first }).catch(() => undefined)
      await elsewhere.Site.remove({ site: second }).catch(() => undefined)
    }, 2)
    const errors = await Promise.all([
      refusal(here.Site.create({ site: first, name: 'n' })),
      refusal(there.Site.create({ site: second, name: 'n' })),
    ])
    expect(errors).toMatchObject([{ details: { uncertain: true } }, { details: { uncertain: true } }])
    expect([await stored(first), await elsewhere.Site.get({ site: second }, { consistent: true })]).toEqual([undefined, undefined])
  })

  test('an update stays uncertain where another program has made the item unreadable since', async () => {
    await table.Person.create({ id: 'unreadable', email: 'unreadable@x.org' })
    const faulty = losing('after', () =>
      directSender().send('UpdateItem', {
        TableName: table.runtime.table,
        Key: { PK: { S: 'PERSON#unreadable' }, SK: { S: 'META' } },
        UpdateExpression: 'SET #n0 = :v0, #n1 = :v1',
        ExpressionAttributeNames: { '#n0': 'huge', '#n1': 'writeId' },
        ExpressionAttributeValues: { ':v0': { N: '12345678901234567890123456789012345678' }, ':v1': { S: 'theirs' } },
      }),
    )
    expect(await refusal(faulty.Person.update({ id: 'unreadable' }, { city: 'Bern' }))).toMatchObject({ details: { uncertain: true } })
  })

  test('a creation that copies what does not fit is refused before it is written', async () => {
    await table.Person.create({ id: 'guest', email: 'guest@x.org' })
    await putRaw(table, { PK: 'SITE#BROKEN', SK: 'META', Type: 'Site', version: 1, site: 'BROKEN', name: 7 })
    expect((await refusal(table.PersonSite.create({ id: 'guest', site: 'BROKEN' }))).code).toBe('MalformedItem')
    expect(await rawItem(table, 'PERSON#guest', 'SITE#BROKEN')).toBeUndefined()
  })

  test('many at once: what was written one by one before a fault is told as written', async () => {
    await table.Policy.create({ id: 'taken', name: 'taken' })
    let transactions = 0
    const sender = new WatchedSender((operation) => {
      // All together, the first alone, the second alone; then the table is throttled.
      if (operation === 'TransactWriteItems' && ++transactions > 3) throw Object.assign(new Error('busy'), { name: 'ThrottlingException' })
    })
    const faulty = depotOf(table.runtime.table, { now, sender })
    const outcomes = await faulty.Policy.createMany(['one', 'taken', 'three'].map((name) => ({ id: `many-${name}`, name })))
    expect(outcomes.map(({ item, error }) => item?.name ?? error?.code)).toEqual(['one', 'AlreadyExists', 'Busy'])
  })

  test('a removal that another worker takes back is told as refused, though its answer was lost', async () => {
    const clock = new Clock()
    await table.Person.create({ id: 'kept', email: 'kept@x.org' })
    await table.Task.create({ person: 'kept', title: 'stay' })
    const sender = new LosingSender(0, 'after')
    const other = depotOf(table.runtime.table, { now: clock.now })
    const sleep = async () => {
      clock.forward(60_000)
      await other.jobs.resume()
    }
    const faulty = depotOf(table.runtime.table, { now: () => new Date('2026-03-01T12:00:00Z'), sender, sleep })
    expect((await refusal(faulty.Person.remove({ id: 'kept' }))).code).toBe('InUse')
    expect(await table.Person.get({ id: 'kept' }, { consistent: true })).not.toHaveProperty('deleting')
  })

  test('a transaction with a removal that is taken back says that its other steps stand', async () => {
    await table.Person.create({ id: 'used', email: 'used@x.org' })
    const sender = new WatchedSender(async (operation) => {
      if (operation === 'TransactWriteItems' && !isUsed) {
        isUsed = true
        await table.Task.create({ person: 'used', title: 'just now' })
      }
    })
    let isUsed = false
    const steps = { gone: removing(Person, { id: 'used' }), made: creating(Site, { site: nextSite(), name: 'n' }) }
    const error = await refusal(depotOf(table.runtime.table, { now, sender }).transact(steps))
    expect(error).toMatchObject({ code: 'InUse', message: expect.stringContaining('other steps of the transaction were written') })
  })
})
