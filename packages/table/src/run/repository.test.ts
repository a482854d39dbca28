import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { putRaw, rawItem, rawItems, rawKeys } from '../../test/depot/raw.ts'
import { codeOf, refusal } from '../../test/depot/refused.ts'
import { Clock, type Depot, ownDepot } from '../../test/depot/table.ts'

let clock = new Clock()
let table: Depot
beforeAll(async () => {
  table = await ownDepot({ now: () => clock.now() })
  await table.Site.create({ site: 'BASE', name: 'Base', region: 'north' })
})
beforeEach(() => {
  clock = new Clock()
})

let count = 0
/** An id that no other test has. */
const own = (name: string) => `${name}-${++count}`
const person = (id: string, more: object = {}) => table.Person.create({ id, email: `${id}@x.org`, ...more })

describe('create', () => {
  test('writes the item with its keys, guards and mirrors, and gives it back without keys and secrets', async () => {
    const id = own('Whole')
    const created = await person(id, { handle: 'Ada', team: 'blue', hired: '2026-01-31', password: 'hidden', city: null })
    const stamps = { createdAt: '2026-03-01T12:00:00.000Z', touchedAt: '2026-03-01T12:00:00.000Z' }
    const visible = { id, email: `${id.toLowerCase()}@x.org`, handle: 'ada', team: 'blue', hired: '2026-01-31', rank: 'junior', ...stamps }
    expect(created).toEqual({ Type: 'Person', version: 1, ...visible })
    expect((await rawItems(table)).filter((item) => item.id === id)).toEqual([
      { PK: 'DIRECTORY#PERSON', SK: `PERSON#${id}`, Type: 'PersonEntry', version: 1, id, email: visible.email, handle: 'ada' },
      {
        PK: `EMAIL#${visible.email}`,
        SK: `EMAIL#${visible.email}`,
        Type: 'PersonEmail',
        version: 1,
        id,
        email: visible.email,
        rank: 'junior',
      },
      { PK: 'HANDLE#ada', SK: 'HANDLE#ada', Type: 'PersonHandle', version: 1, id, handle: 'ada' },
      {
        PK: `PERSON#${id}`,
        SK: 'META',
        Type: 'Person',
        version: 1,
        ...visible,
        password: 'hidden',
        GSI1PK: 'TEAM#blue',
        GSI1SK: `PERSON#junior#2026-01-31#${id}`,
        GSI2PK: 'NOWHERE',
        GSI2SK: `${visible.email}#${id}`,
      },
    ])
  })

  test('never overwrites', async () => {
    const id = own('twice')
    await person(id, { team: 'first' })
    const error = await refusal(table.Person.create({ id, email: 'other@x.org', team: 'second' }))
    expect(error).toMatchObject({ code: 'AlreadyExists', details: { entity: 'Person' } })
    expect(await table.Person.get({ id })).toMatchObject({ team: 'first', version: 1 })
    expect(await rawItem(table, 'EMAIL#other@x.org', 'EMAIL#other@x.org')).toBeUndefined()
  })

  test('refuses a second owner of a guard, of a given and of an optional value, and writes nothing', async () => {
    const [first, second] = [own('holder'), own('rival')]
    await person(first, { handle: `h-${first}` })
    const before = await rawKeys(table)
    const taken = await refusal(table.Person.create({ id: second, email: `  ${first.toUpperCase()}@X.ORG` }))
    expect(taken).toMatchObject({ code: 'AlreadyExists', details: { entity: 'PersonEmail', guard: 'PersonEmail' } })
    expect(await refusal(person(second, { handle: `H-${first}` }))).toMatchObject({ details: { guard: 'PersonHandle' } })
    expect(await rawKeys(table)).toEqual(before)
  })

  test.each<[string, object, string]>([
    ['a missing attribute', {}, 'email is missing'],
    ['an unknown one', { email: 'a@x.org', colour: 'red' }, "has no attribute 'colour'"],
    ['a wrong type', { email: 'a@x.org', size: 'XL' }, 'size is not a finite number'],
    ['a wrong value', { email: 'a@x.org', rank: 'chief' }, 'rank is not one of junior, senior'],
    ['null where a value must be', { email: null }, 'email is not text'],
  ])('refuses %s and says which', async (_what, input, sentence) => {
    const error = await refusal(table.Person.create(input as never))
    expect(error.code).toBe('InvalidInput')
    expect(error.message).toContain(sentence)
  })

  test('refuses a copy that a caller gives', async () => {
    expect(await codeOf(table.Room.create({ site: 'A', name: 'r', region: 'north' } as never))).toBe('InvalidInput')
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a delimiter inside a key', () => table.Room.create({ site: 'BASE', name: 'a#b' })],
    ['a value that stands for an absent one', () => table.Policy.create({ owner: 'SYSTEM', name: 'p' })],
    ['a partition key over 2,048 bytes', () => table.Site.create({ site: 'Ä'.repeat(1022), name: 'n' })],
    ['a sort key over 1,024 bytes', () => table.Room.create({ site: 'BASE', id: 'r'.repeat(1020), name: 'n' })],
    ['an index key that is too long', () => person(own('long'), { team: 't'.repeat(2044), hired: '2026-01-01' })],
  ])('refuses %s', async (_what, work) => {
    const before = await rawKeys(table)
    expect(await codeOf(work())).toBe('InvalidKey')
    expect(await rawKeys(table)).toEqual(before)
  })

  test('needs what it refers to', async () => {
    const error = await refusal(table.Task.create({ person: own('nobody'), title: 't' }))
    expect(error).toMatchObject({ code: 'MissingEnd', details: { entity: 'Person' } })
    expect(await codeOf(table.Room.create({ site: own('NOWHERE'), name: 'r' }))).toBe('MissingEnd')
  })

  test('of a guard or a mirror by itself is refused, and so is any other write of it', async () => {
    const entry = { id: own('alone'), email: 'a@x.org' }
    expect(await codeOf(table.PersonEntry.create(entry))).toBe('DerivedItem')
    expect(await codeOf(table.PersonEmail.create({ ...entry, rank: 'junior' }))).toBe('DerivedItem')
    expect(await codeOf(table.PersonEntry.update({ id: entry.id }, {}))).toBe('DerivedItem')
    expect(await codeOf(table.PersonEmail.remove({ email: 'a@x.org' }))).toBe('DerivedItem')
    expect(await codeOf(table.PersonEntry.move({ id: entry.id }, {}))).toBe('DerivedItem')
  })
})

describe('get', () => {
  test('finds by any spelling, and nothing where there is none', async () => {
    const site = own('ZÜRI')
    await table.Site.create({ site: ` ${site.toLowerCase()} `, name: 'n' })
    expect(await table.Site.get({ site: site.toLowerCase() })).toMatchObject({ site })
    expect(await table.site({ site: `${site} ` })).toMatchObject({ site })
    expect(await table.Site.get({ site: own('NONE') })).toBeUndefined()
  })

  test('returns a secret only where it is named', async () => {
    const id = own('secret')
    await person(id, { password: 'hidden' })
    expect(await table.Person.get({ id })).not.toHaveProperty('password')
    expect(await table.Person.get({ id }, { secrets: ['size'] })).not.toHaveProperty('password')
    expect(await table.Person.get({ id }, { secrets: ['password'] })).toMatchObject({ password: 'hidden' })
    expect((await table.Person.getMany([{ id }], { secrets: ['password'] }))[0]).toMatchObject({ password: 'hidden' })
    expect(await table.Person.update({ id }, { team: 'x' })).not.toHaveProperty('password')
    expect((await rawItem(table, `PERSON#${id}`, 'META'))?.password).toBe('hidden')
  })

  test('names what is wrong with an item that does not fit', async () => {
    await putRaw(table, { PK: 'SITE#BAD', SK: 'META', Type: 'Site', site: 'BAD' }, { PK: 'SITE#ALIEN', SK: 'META', Type: 'Ufo' })
    expect((await refusal(table.Site.get({ site: 'BAD' }))).message).toContain('name is missing')
    expect(await codeOf(table.Site.get({ site: 'ALIEN' }))).toBe('MalformedItem')
  })

  test.each<[string, unknown]>([
    ['of no object', 'SITE'],
    ['without an attribute of the key', {}],
    ['with one more', { site: 'A', name: 'n' }],
    ['of a wrong type', { site: 7 }],
  ])('refuses an id %s', async (_what, id) => {
    expect(await codeOf(table.Site.get(id as never))).toBe('InvalidInput')
  })

  test('of many gives them in order, with gaps, duplicates once read and over a hundred', async () => {
    const site = own('MANY')
    await putRaw(
      table,
      ...Array.from({ length: 130 }, (_, n) => ({
        PK: `SITE#${site}`,
        SK: `ROOM#${n}`,
        Type: 'Room',
        id: `${n}`,
        site,
        name: `n${n}`,
        version: 1,
      })),
    )
    const ids = [...Array.from({ length: 140 }, (_, n) => ({ site, id: `${139 - n}` })), { site, id: '7' }, { site, id: '7' }]
    const names = (await table.Room.getMany(ids)).map((room) => room?.name)
    expect(names).toEqual([...Array(10).fill(undefined), ...Array.from({ length: 130 }, (_, n) => `n${129 - n}`), 'n7', 'n7'])
    expect(await table.Room.getMany([])).toEqual([])
  })
})

describe('update', () => {
  test('changes what is given, counts the write and stamps it', async () => {
    const id = own('changed')
    await person(id, { team: 'a', city: 'Bern' })
    clock.forward(1500)
    const updated = await table.Person.update({ id }, { team: 'b', city: null, size: undefined })
    expect(updated).toMatchObject({ team: 'b', version: 2, createdAt: '2026-03-01T12:00:00.000Z', touchedAt: '2026-03-01T12:00:01.500Z' })
    expect(updated).not.toHaveProperty('city')
    expect(await table.Person.get({ id }, { consistent: true })).toEqual(updated)
  })

  test('never creates', async () => {
    const before = await rawKeys(table)
    expect(await codeOf(table.Person.update({ id: own('absent') }, { team: 'b' }))).toBe('NotFound')
    expect(await codeOf(table.Person.move({ id: own('absent') }, { team: 'b' }))).toBe('NotFound')
    expect(await rawKeys(table)).toEqual(before)
  })

  test('of a named version loses to any other writer', async () => {
    const id = own('versioned')
    await person(id)
    await table.Person.update({ id }, { team: 'b' }, { version: 1 })
    const error = await refusal(table.Person.update({ id }, { team: 'c' }, { version: 1 }))
    expect(error).toMatchObject({ code: 'VersionConflict', details: { version: 2 } })
    expect(await codeOf(table.Person.remove({ id }, { version: 1 }))).toBe('VersionConflict')
    expect(await table.Person.get({ id })).toMatchObject({ team: 'b', version: 2 })
  })

  test('counts from 0 where an item was written without a version', async () => {
    const id = own('unversioned')
    await putRaw(table, { PK: `TASK#${id}`, SK: 'META', Type: 'Task', id, person: 'p', title: 't', foreign: 'kept' })
    expect(await table.Task.get({ id })).toMatchObject({ version: 0 })
    expect(await codeOf(table.Task.update({ id }, { title: 'u' }, { version: 1 }))).toBe('VersionConflict')
    expect(await table.Task.update({ id }, { title: 'u' }, { version: 0 })).toMatchObject({ title: 'u', version: 1 })
    expect(await rawItem(table, `TASK#${id}`, 'META')).toMatchObject({ foreign: 'kept', version: 1 })
    await putRaw(table, { PK: `TASK#${id}`, SK: 'META', Type: 'Task', id, person: 'p', title: 't' })
    await table.Task.remove({ id }, { version: 0 })
    expect(await rawItem(table, `TASK#${id}`, 'META')).toBeUndefined()
  })

  test.each<[string, object, string]>([
    ['a part of the key', { id: 'x' }, 'id is part of the key: use move'],
    ['nothing that is there', { colour: 'red' }, 'colour is not an attribute of Person'],
    ['what must be', { email: null }, 'email cannot be removed'],
    ['to a wrong value', { size: 'XL' }, 'size is not a finite number'],
  ])('refuses to change %s', async (_what, change, sentence) => {
    const id = own('refused')
    await person(id)
    const error = await refusal(table.Person.update({ id }, change as never))
    expect(error.code).toBe('InvalidInput')
    expect(error.message).toContain(sentence)
    expect(await table.Person.get({ id })).toMatchObject({ version: 1 })
  })

  test('refuses to change a copy, and what never changes', async () => {
    expect((await refusal(table.Room.update({ site: 'A', id: 'r' }, { region: 'x' } as never))).message).toContain('region is a copy')
    expect((await refusal(table.Policy.move({ id: 'p' }, { id: 'q' }))).message).toContain('id never changes')
  })

  test('of an append-only item is refused, and so is its removal', async () => {
    const log = await table.Log.create({ text: 't', until: '2030-01-01T00:00:00Z' })
    const key = { id: log.id, at: log.at }
    expect(await codeOf(table.Log.update(key, { text: 'u' }))).toBe('Immutable')
    expect(await codeOf(table.Log.remove(key))).toBe('Immutable')
    expect(await codeOf(table.Log.move(key, { text: 'u' }))).toBe('Immutable')
  })

  test('of an item that does not fit is refused before it is written, unless it makes it fit', async () => {
    const id = own('unfit')
    await putRaw(table, { PK: `TASK#${id}`, SK: 'META', Type: 'Task', id, person: 'p', version: 3 })
    expect(await codeOf(table.Task.update({ id }, {}))).toBe('MalformedItem')
    expect(await rawItem(table, `TASK#${id}`, 'META')).toMatchObject({ version: 3 })
    expect(await table.Task.update({ id }, { title: 't' })).toMatchObject({ version: 4 })
  })

  test('checks a reference that it points elsewhere, and no other', async () => {
    const [first, second] = [own('ref'), own('ref')]
    await person(first)
    await person(second)
    const task = await table.Task.create({ person: first, title: 't' })
    await table.Task.update({ id: task.id }, { person: second })
    expect((await rawKeys(table)).filter((key) => key.includes(task.id))).toEqual([
      `PERSON#${second} / TASK#${task.id}`,
      `TASK#${task.id} / META`,
    ])
    expect(await codeOf(table.Task.update({ id: task.id }, { person: own('nobody') }))).toBe('MissingEnd')
    await putRaw(table, { PK: `PERSON#${second}`, SK: 'META', Type: 'Person', id: second, email: 'e@x.org', deleting: 'job' })
    expect(await table.Task.update({ id: task.id }, { title: 'u' })).toMatchObject({ title: 'u', person: second })
  })
})

describe('remove', () => {
  test('takes guards and mirrors along, and says where there is nothing', async () => {
    const id = own('gone')
    await person(id, { handle: `h-${id}` })
    await table.Person.remove({ id }, { version: 1 })
    expect((await rawKeys(table)).filter((key) => key.toLowerCase().includes(id))).toEqual([])
    expect(await codeOf(table.Person.remove({ id }))).toBe('NotFound')
    expect(await person(id)).toMatchObject({ version: 1 })
  })

  test('of an item with the key of another entity finds nothing', async () => {
    const id = own('typed')
    await putRaw(table, { PK: `TASK#${id}`, SK: 'META', Type: 'Ufo', id })
    expect(await codeOf(table.Task.remove({ id }))).toBe('NotFound')
    expect(await codeOf(table.Task.update({ id }, { title: 't' }))).toBe('NotFound')
    expect(await rawItem(table, `TASK#${id}`, 'META')).toBeDefined()
  })

  test('of what is being deleted, and any change of it, is refused while its key stays taken', async () => {
    const id = own('going')
    await person(id)
    await table.Person.remove({ id }, { wait: false })
    expect(await codeOf(table.Person.update({ id }, { team: 'x' }))).toBe('BeingDeleted')
    expect(await codeOf(table.Person.remove({ id }))).toBe('BeingDeleted')
    expect(await codeOf(person(id))).toBe('AlreadyExists')
    expect(await codeOf(table.Task.create({ person: id, title: 't' }))).toBe('MissingEnd')
    expect(await table.Person.get({ id })).toMatchObject({ deleting: expect.any(String) })
    expect(await table.PersonEntry.get({ id })).toMatchObject({ deleting: expect.any(String) })
    expect(await table.jobs.resume()).toEqual({ done: 1, held: [], failed: [] })
    expect((await rawKeys(table)).filter((key) => key.includes(id))).toEqual([])
  })

  test('leaves a guard that another owner holds, and says so', async () => {
    const id = own('robbed')
    const task = await table.Task.create({ person: (await person(id)).id, title: 't' })
    await putRaw(table, { PK: `PERSON#${id}`, SK: `TASK#${task.id}`, Type: 'TaskOfPerson', id: 'another', person: id, version: 1 })
    expect(await codeOf(table.Task.remove({ id: task.id }))).toBe('MalformedItem')
    expect(await codeOf(table.Task.update({ id: task.id }, { person: (await person(own('new'))).id }))).toBe('MalformedItem')
    expect(await rawItem(table, `PERSON#${id}`, `TASK#${task.id}`)).toMatchObject({ id: 'another' })
    expect(await table.Task.get({ id: task.id })).toMatchObject({ version: 1 })
  })
})

describe('move', () => {
  test('changes the key, its index keys, guards and mirrors in one write', async () => {
    const name = own('rule')
    const { id } = await table.Policy.create({ name, body: 'b' })
    const moved = await table.Policy.move({ id }, { owner: 'ada' })
    expect(moved).toMatchObject({ id, owner: 'ada', name, version: 2 })
    const mine = (await rawItems(table)).filter((item) => item.id === id)
    expect(mine).toEqual([
      {
        PK: 'OWNER#ada',
        SK: `POLICY#${id}`,
        Type: 'Policy',
        version: 2,
        id,
        owner: 'ada',
        name,
        body: 'b',
        GSI1PK: 'OWNER#ada',
        GSI1SK: `POLICY#${name}`,
      },
      { PK: `POLICY_NAME#ada#${name}`, SK: 'META', Type: 'PolicyName', version: 2, id, owner: 'ada', name, body: 'b' },
    ])
    await table.Policy.move({ id, owner: 'ada' }, { owner: null, body: null })
    expect((await rawKeys(table)).filter((key) => key.includes(id) || key.includes(name))).toEqual([
      `POLICY_NAME#SYSTEM#${name} / META`,
      `SYSTEM / POLICY#${id}`,
    ])
  })

  test('onto a key or a guard that is taken is refused, and moves nothing', async () => {
    const name = own('rule')
    await table.Policy.create({ id: 'one', name, owner: 'ada' })
    await table.Policy.create({ id: 'two', name, owner: 'bob' })
    await table.Policy.create({ id: 'one', name: own('rule'), owner: 'bob' })
    const before = await rawItems(table)
    expect(await refusal(table.Policy.move({ id: 'two', owner: 'bob' }, { owner: 'ada' }))).toMatchObject({
      code: 'AlreadyExists',
      details: { guard: 'PolicyName' },
    })
    expect(await codeOf(table.Policy.move({ id: 'one', owner: 'ada' }, { owner: 'bob', name: own('rule') }))).toBe('AlreadyExists')
    expect(await codeOf(table.Policy.move({ id: 'two', owner: 'bob' }, { owner: 'eve' }, { version: 7 }))).toBe('VersionConflict')
    expect(await rawItems(table)).toEqual(before)
  })

  test('of what others refer to by that key is refused; by another key it moves, and copies follow', async () => {
    const [from, to] = [own('FROM'), own('TO')]
    await table.Site.create({ site: from, name: 'f', region: 'north' })
    await table.Site.create({ site: to, name: 't', region: 'south' })
    expect(await refusal(table.Site.move({ site: from }, { site: own('NEW') }))).toMatchObject({
      code: 'InvalidInput',
      message: expect.stringContaining('refers to a Site by it'),
    })
    const room = await table.Room.create({ site: from, name: 'r' })
    const sensor = await table.Sensor.create({ room: room.id })
    expect(sensor.place).toBe('north')
    expect(await table.Room.move({ site: from, id: room.id }, { site: to })).toMatchObject({ site: to, region: 'south' })
    expect(await rawItem(table, `ROOM#${room.id}`, 'META')).toMatchObject({ site: to, region: 'south' })
    expect(await table.Sensor.get({ room: room.id, id: sensor.id })).toMatchObject({ place: 'south', version: 2 })
    expect(await table.jobs.list()).toEqual([])
  })
})

describe('ensure', () => {
  test('creates once and gives what is there afterwards', async () => {
    const [id, site] = [own('member'), own('SITE')]
    await person(id)
    await table.Site.create({ site, name: 'n' })
    expect(await table.PersonSite.ensure({ id, site })).toMatchObject({ isNew: true, item: { siteName: 'n' } })
    clock.forward(1000)
    const again = { isNew: false, item: { joinedAt: '2026-03-01T12:00:00.000Z', version: 1 } }
    expect(await table.PersonSite.ensure({ id, site })).toMatchObject(again)
    expect(await table.SitePerson.ensure({ id, site: site.toLowerCase(), joinedAt: '2020-01-01T00:00:00Z' })).toMatchObject(again)
  })

  test('refuses where a guard is another’s, and where what is there is being deleted', async () => {
    const [id, rival] = [own('first'), own('rival')]
    await person(id)
    expect(await codeOf(table.Person.ensure({ id: rival, email: `${id}@x.org` }))).toBe('AlreadyExists')
    await table.Person.remove({ id }, { wait: false })
    expect(await codeOf(table.Person.ensure({ id, email: `${id}@x.org` }))).toBe('AlreadyExists')
    await table.jobs.resume()
  })
})
