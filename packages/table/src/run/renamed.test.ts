import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../../../test/engine/own-table.ts'
import { rawItem } from '../../test/depot/raw.ts'
import { directSender, noWait } from '../../test/depot/table.ts'
import { add } from '../atomic.ts'
import { beginsWith, count, design, edge, email, entity, get, mirror, opaqueId, query, text, unique } from '../index.ts'
import { migrateJob, migrationInput, surveyMigration } from './adopt/migrate-table.ts'
import { connect } from './connect.ts'

// Two versions of a club. The second calls otherwise what guards, lookup items and edges have: `mail` is `address`, `team` is `squad`, `role` of an edge is
// `part`, `nick` is `alias`, `points` is `score`; the name that edges copy is a `title`.

const Person1 = entity('Person', {
  attributes: {
    id: opaqueId(),
    mail: email(),
    nick: opaqueId().optional(),
    name: text(),
    team: opaqueId().optional(),
  },
  key: ['PERSON#{id}', 'META'],
  indexes: { GSI1: ['NICK#{nick}', 'PERSON#{id}'] },
})
const Club1 = entity('Club', { attributes: { club: opaqueId(), points: count().optional() }, key: ['CLUB#{club}', 'META'] })
const Joined1 = edge({
  ends: { id: Person1, club: Club1 },
  attributes: { role: text(), note: text().optional() },
  items: { Member: ['CLUB#{club}', 'MEMBER#{id}'], Membership: ['PERSON#{id}', 'CLUB#{club}'] },
  copies: { Member: { name: 'id.name', nick: 'id.nick' } },
})
const first = design({
  name: 'club',
  table: 'club',
  entities: {
    Person: Person1,
    Club: Club1,
    ...Joined1,
    PersonMail: unique('PersonMail', Person1, ['MAIL#{mail}', 'META']),
    PersonTeam: mirror('PersonTeam', Person1, ['TEAM#{team}', 'PERSON#{id}'], ['name', 'mail']),
  },
  patterns: { members: query('CLUB#{club}', beginsWith('MEMBER#')).returns(Joined1.Member), person: get(Person1) },
})
const Person2 = entity('Person', {
  attributes: {
    id: opaqueId(),
    address: email().was('mail'),
    alias: opaqueId().optional().was('nick'),
    title: text().was('name'),
    squad: opaqueId().optional().was('team'),
  },
  key: ['PERSON#{id}', 'META'],
  indexes: { GSI1: ['NICK#{alias}', 'PERSON#{id}'] },
})
const Club2 = entity('Club', { attributes: { club: opaqueId(), score: count().optional().was('points') }, key: ['CLUB#{club}', 'META'] })
const Joined2 = edge({
  ends: { id: Person2, club: Club2 },
  attributes: { part: text().was('role'), remark: text().optional().was('note') },
  items: { Member: ['CLUB#{club}', 'MEMBER#{id}'], Membership: ['PERSON#{id}', 'CLUB#{club}'] },
  copies: { Member: { title: 'id.title', alias: 'id.alias' } },
})
const second = design({
  name: 'club',
  table: 'club',
  entities: {
    Person: Person2,
    Club: Club2,
    ...Joined2,
    PersonMail: unique('PersonMail', Person2, ['MAIL#{address}', 'META']),
    PersonTeam: mirror('PersonTeam', Person2, ['TEAM#{squad}', 'PERSON#{id}'], ['title', 'address']),
  },
  patterns: {
    members: query('CLUB#{club}', beginsWith('MEMBER#')).returns(Joined2.Member),
    named: query('CLUB#{club}', beginsWith('MEMBER#')).where('part', 'remark').returns(Joined2.Member),
    person: get(Person2),
  },
})

async function club() {
  const v1 = await ownTableOf(first)
  const v2 = connect(second, { table: v1.runtime.table, sender: directSender(), sleep: noWait })
  await v1.Club.create({ club: 'c' })
  await v1.Person.create({ id: 'ada', mail: 'ada@example.org', name: 'Ada', nick: 'a', team: 't' })
  await v1.Member.create({ id: 'ada', club: 'c', role: 'lead', note: 'first' })
  return { v1, v2 }
}
type Club = Awaited<ReturnType<typeof club>>
const migrate = async ({ v2 }: Club, isFinal = false) => {
  await v2.jobs.start(migrateJob, { subject: 'club', input: migrationInput(v2.runtime, { isFinal }) })
  expect((await surveyMigration(v2.runtime, { isFinal })).missing).toEqual({})
}

const ada = { id: 'ada' }
const membership = { id: 'ada', club: 'c' }

describe('what a guard, a lookup item and an edge have under a former name', () => {
  test('is read before the migration', async () => {
    const { v2 } = await club()
    expect(await v2.Person.get(ada)).toMatchObject({ address: 'ada@example.org', alias: 'a', title: 'Ada', squad: 't' })
    expect(await v2.PersonMail.get({ address: 'ADA@example.org' })).toMatchObject({ address: 'ada@example.org', id: 'ada' })
    expect(await v2.PersonTeam.get({ squad: 't', id: 'ada' })).toMatchObject({ title: 'Ada', address: 'ada@example.org' })
    expect(await v2.Membership.get(membership)).toMatchObject({ part: 'lead', remark: 'first' })
    expect((await v2.members({ club: 'c' })).items).toMatchObject([{ part: 'lead', remark: 'first', title: 'Ada', alias: 'a' }])
  })

  test.each([false, true])('is what a filter asks for, and a reference of a copy leads on; after the migration: %s', async (isMigrated) => {
    const both = await club()
    if (isMigrated) await migrate(both)
    const { v1, v2 } = both
    const names = async (part: string, remark: string) => (await v2.named({ club: 'c', part, remark })).items.map(({ id }) => id)
    expect(await names('lead', 'first')).toEqual(['ada'])
    await v1.Member.update(membership, { note: 'second' })
    expect([await names('lead', 'first'), await names('lead', 'second')]).toEqual([[], ['ada']])
    await v2.Membership.update(membership, { part: 'guest', remark: 'third' })
    expect(await v1.Member.get(membership)).toMatchObject({ role: 'guest', note: 'third' })
    expect(await v1.Membership.get(membership)).toMatchObject({ role: 'guest', note: 'third' })
    expect([await names('lead', 'second'), await names('guest', 'third')]).toEqual([[], ['ada']])
  })

  test.each([false, true])(
    'is unique for both, and moves with its owner, whoever changes that; after the migration: %s',
    async (isMigrated) => {
      const both = await club()
      if (isMigrated) await migrate(both)
      const { v1, v2 } = both
      await expect(v2.Person.create({ id: 'eve', address: 'ada@example.org', title: 'Eve' })).rejects.toMatchObject({
        code: 'AlreadyExists',
      })
      await v2.Person.update(ada, { address: 'ada@example.com', squad: 'u', title: 'Lady Ada' })
      await expect(v1.Person.create({ id: 'eve', mail: 'ada@example.com', name: 'Eve' })).rejects.toMatchObject({ code: 'AlreadyExists' })
      expect(await v1.PersonMail.get({ mail: 'ada@example.org' })).toBeUndefined()
      expect(await v1.PersonTeam.get({ team: 'u', id: 'ada' })).toMatchObject({ name: 'Lady Ada', mail: 'ada@example.com' })
      expect(await v1.PersonTeam.get({ team: 't', id: 'ada' })).toBeUndefined()
      expect(await v1.Member.get(membership)).toMatchObject({ name: 'Lady Ada' })
      await v1.Person.update(ada, { mail: 'ada@example.net', name: 'Ada L.', team: null })
      expect(await v2.PersonMail.get({ address: 'ada@example.net' })).toMatchObject({ id: 'ada' })
      expect(await v2.PersonTeam.get({ squad: 'u', id: 'ada' })).toBeUndefined()
      expect(await v2.Person.get(ada)).not.toHaveProperty('squad')
      expect(await v2.Member.get(membership)).toMatchObject({ title: 'Ada L.' })
      await v2.Person.create({ id: 'eve', address: 'ada@example.org', title: 'Eve' })
      await migrate(both, true)
    },
  )

  test.each([false, true])('is gone once a program of the former version has removed it; after the migration: %s', async (isMigrated) => {
    const both = await club()
    if (isMigrated) await migrate(both)
    const { v1, v2 } = both
    await v2.Person.update(ada, { alias: 'b' })
    await v2.Member.update(membership, { remark: 'second' })
    await v2.Club.update({ club: 'c' }, { score: add(2) })
    expect([await v1.Person.get(ada), await v1.Club.get({ club: 'c' })]).toMatchObject([{ nick: 'b' }, { points: 2 }])
    await v1.Person.update(ada, { nick: null })
    await v1.Club.update({ club: 'c' }, { points: null })
    expect(await v2.Club.get({ club: 'c' })).not.toHaveProperty('score')
    await v2.Club.update({ club: 'c' }, { score: add(1) })
    expect([await v1.Club.get({ club: 'c' }), await v2.Club.get({ club: 'c' })]).toMatchObject([{ points: 1 }, { score: 1 }])
    await v1.Member.update(membership, { note: null })
    const [person, member, other] = [await v2.Person.get(ada), await v2.Member.get(membership), await v2.Membership.get(membership)]
    expect(Object.keys(person ?? {})).toEqual(['Type', 'version', 'id', 'address', 'title', 'squad'])
    expect([member, other].map((each) => each && 'remark' in each)).toEqual([false, false])
    expect(member).not.toHaveProperty('alias')
    await v2.Person.update(ada, { title: 'A.' })
    await migrate(both)
    expect(await v1.Person.get(ada)).not.toHaveProperty('nick')
    expect(await rawItem(v2, 'PERSON#ada', 'META')).not.toHaveProperty('alias')
    expect(await rawItem(v2, 'PERSON#ada', 'META')).not.toHaveProperty('GSI1PK')
    await v2.Person.update(ada, { alias: 'c' })
    expect(await v1.Person.get(ada)).toMatchObject({ nick: 'c' })
  })
})
