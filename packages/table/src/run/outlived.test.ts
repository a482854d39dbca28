import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../../../test/engine/own-table.ts'
import { flaws } from '../../test/depot/flaws.ts'
import { rawItem } from '../../test/depot/raw.ts'
import { DyingSender } from '../../test/depot/senders.ts'
import { Clock, depotOf, ownDepot } from '../../test/depot/table.ts'
import { code, design, edge, entity, instant, mirror, opaqueId, text } from '../language.ts'
import { lease_ms } from './jobs/job.ts'
import { meter } from './meter.ts'

// Items that stay when what they refer to goes, and that a new item finds under the same key.

const ada = { id: 'ada', email: 'ada@x.org' }

describe('what stayed when an item went', () => {
  test.each(['create', 'createMany', 'ensure'] as const)('follows the item that takes its key: %s', async (verb) => {
    const table = await ownDepot()
    await table.Person.create({ ...ada, rank: 'senior' })
    const remarks = await Promise.all([1, 2, 3].map(() => table.Remark.create({ person: 'ada', text: 't' })))
    await table.Person.remove({ id: 'ada' })
    expect(await table.Remark.get({ id: remarks[0]?.id ?? '' })).toMatchObject({ rank: 'senior' })
    await (verb === 'createMany' ? table.Person.createMany([ada]) : table.Person[verb](ada))
    for (const { id } of remarks) expect(await rawItem(table, `REMARK#${id}`, 'META')).toMatchObject({ rank: 'junior', version: 2 })
    expect(await table.jobs.list()).toEqual([])
    expect(await flaws(table)).toEqual([])
  })

  test('follows it, whichever write of the creation is the last of its process', async () => {
    for (let writes = 1, isDead = true; isDead; writes++) {
      const clock = new Clock()
      const table = await ownDepot({ now: clock.now })
      await table.Person.create({ ...ada, rank: 'senior' })
      const { id } = await table.Remark.create({ person: 'ada', text: 't' })
      await table.Person.remove({ id: 'ada' })
      const sender = new DyingSender(writes)
      await depotOf(table.runtime.table, { sender, now: clock.now })
        .Person.create(ada)
        .catch(() => {})
      isDead = sender.isDead
      clock.forward(lease_ms)
      await table.jobs.resume()
      expect(await rawItem(table, `REMARK#${id}`, 'META')).toMatchObject({ rank: 'junior' })
      expect(await flaws(table)).toEqual([])
    }
  })

  test('costs nothing where the id is made: nothing can refer to it', async () => {
    const table = await ownDepot()
    expect((await meter(() => table.Person.create({ email: 'new@x.org' }))).cost.requests).toBe(1)
    expect((await meter(() => table.Site.create({ site: 'S', name: 'n' }))).cost.requests).toBe(1)
  })
})

const Owner = entity('Owner', {
  attributes: { id: opaqueId().made(), slug: code(), name: text() },
  key: ['OWNER#{id}', 'META'],
})
const OwnerSlug = mirror('OwnerSlug', Owner, ['SLUG#{slug}', 'META'], ['name'])
const Group = entity('Group', { attributes: { group: code() }, key: ['GROUP#{group}', 'META'] })
const { Seat, SeatOfGroup } = edge({
  ends: { id: Owner, group: Group },
  attributes: { label: text() },
  items: { Seat: ['OWNER#{id}', 'SEAT#{group}'], SeatOfGroup: ['GROUP#{group}', 'SEAT#{id}'] },
})
const Mention = entity('Mention', {
  attributes: { id: opaqueId(), slug: code(), name: text().from('slug') },
  key: ['MENTION#{id}', 'META'],
  refers: { slug: { to: OwnerSlug, onRemove: 'keep' } },
})
const MentionOf = mirror('MentionOf', Mention, ['MENTIONS#{slug}', 'MENTION#{id}'])
const Badge = entity('Badge', {
  attributes: { id: opaqueId(), owner: opaqueId(), group: code(), label: text().from('owner') },
  key: ['BADGE#{id}', 'META'],
  refers: { owner: { to: Seat, onRemove: 'keep', by: { id: 'owner' } } },
})
const Plate = entity('Plate', {
  attributes: { id: opaqueId(), owner: opaqueId(), group: code(), label: text().from('owner') },
  key: ['PLATE#{id}', 'META'],
  refers: { owner: { to: Seat, onRemove: 'refuse', by: { id: 'owner' } } },
})
const PlateOf = mirror('PlateOf', Plate, ['PLATES#{owner}#{group}', 'PLATE#{id}'])
const BadgeOf = mirror('BadgeOf', Badge, ['BADGES#{owner}#{group}', 'BADGE#{id}'])
const club = design({
  name: 'club',
  table: 'club',
  entities: { Owner, OwnerSlug, Group, Seat, SeatOfGroup, Mention, MentionOf, Badge, BadgeOf, Plate, PlateOf },
  patterns: {},
})

describe('what stayed, and refers to a key that is not the one of the item', () => {
  async function ownClub() {
    const table = await ownTableOf(club)
    return table
  }

  test.each(['create', 'createMany'] as const)('follows the owner of the lookup item that takes it: %s', async (verb) => {
    const table = await ownClub()
    const { id } = await table.Owner.create({ slug: 'S', name: 'first' })
    await table.Mention.create({ id: 'm', slug: 'S' })
    await table.Owner.remove({ id })
    const others = Array.from({ length: 60 }, (_, index) => ({ slug: `T${index}`, name: 'other' }))
    if (verb === 'create') await table.Owner.create({ slug: 'S', name: 'second' })
    else expect((await table.Owner.createMany([{ slug: 'S', name: 'second' }, ...others])).filter(({ error }) => error)).toEqual([])
    expect(await rawItem(table, 'MENTION#m', 'META')).toMatchObject({ name: 'second', version: 2 })
    expect(await table.jobs.list()).toEqual([])
  })

  test.each(['Seat', 'SeatOfGroup'] as const)('follows the edge that takes it, by whichever side it was made: %s', async (side) => {
    const table = await ownClub()
    const { id } = await table.Owner.create({ slug: 'S', name: 'n' })
    await table.Group.create({ group: 'G' })
    await table[side].create({ id, group: 'G', label: 'first' })
    await table.Badge.create({ id: 'b', owner: id, group: 'G' })
    await table[side].remove({ id, group: 'G' })
    await table[side].create({ id, group: 'G', label: 'second' })
    expect(await rawItem(table, 'BADGE#b', 'META')).toMatchObject({ label: 'second', version: 2 })
    expect(await table.jobs.list()).toEqual([])
  })

  test('follows it also where it refuses the removal of an edge, which went with its end', async () => {
    const table = await ownClub()
    const { id } = await table.Owner.create({ slug: 'S', name: 'n' })
    await table.Group.create({ group: 'G' })
    await table.Seat.create({ id, group: 'G', label: 'first' })
    await table.Plate.create({ id: 'p', owner: id, group: 'G' })
    await table.Group.remove({ group: 'G' })
    await table.Group.create({ group: 'G' })
    await table.Seat.create({ id, group: 'G', label: 'second' })
    expect(await rawItem(table, 'PLATE#p', 'META')).toMatchObject({ label: 'second', version: 2 })
  })
})

const Voucher = entity('Voucher', {
  attributes: { code: code(), value: text(), region: code(), until: instant() },
  key: ['VOUCHER#{code}', 'META'],
  fixed: ['region'],
  expires: 'until',
})
const Use = entity('Use', {
  attributes: { id: opaqueId().made(), code: code(), value: text().from('code') },
  key: ['VOUCHER#{code}', 'USE#{id}'],
  refers: { code: Voucher },
})
const Note = entity('Note', {
  attributes: { id: opaqueId().made(), code: code(), region: code().from('code') },
  key: ['NOTE#{id}', 'META'],
  refers: { code: { to: Voucher, onRemove: 'keep' } },
})
const UseById = mirror('UseById', Use, ['USE#{id}', 'META'])
const shop = design({ name: 'shop', table: 'shop', entities: { Voucher, Use, UseById, Note }, patterns: {} })

async function ownShop(clock: Clock) {
  const table = await ownTableOf(shop, { now: clock.now })
  return table
}

describe('an item that expired', () => {
  const voucher = { code: 'TEN', value: '10', region: 'EU', until: '2026-03-01T12:00:01Z' }

  test('leaves others behind, which follow the item that takes its key', async () => {
    const clock = new Clock()
    const table = await ownShop(clock)
    await table.Voucher.create(voucher)
    const { id } = await table.Use.create({ code: 'TEN' })
    clock.forward(2_000)
    await table.Voucher.create({ ...voucher, value: '20', until: '2026-03-01T13:00:00Z' })
    expect(await rawItem(table, 'VOUCHER#TEN', `USE#${id}`)).toMatchObject({ value: '20', version: 2 })
  })

  test('is followed by those that can be found, and the others have a copy of what never changes', async () => {
    const table = await ownShop(new Clock())
    await table.Voucher.create(voucher)
    const use = await table.Use.create({ code: 'TEN' })
    const note = await table.Note.create({ code: 'TEN' })
    expect(await table.Voucher.update({ code: 'TEN' }, { value: '30' })).not.toHaveProperty('pending')
    expect(await table.Use.get({ code: 'TEN', id: use.id })).toMatchObject({ value: '30' })
    expect(await table.Note.get({ id: note.id })).toMatchObject({ region: 'EU', version: 1 })
    expect(await table.jobs.list()).toEqual([])
  })
})
