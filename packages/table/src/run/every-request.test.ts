import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { PersonBadge, PersonSite, Policy, Room, Site } from '../../test/depot/design.ts'
import { flaws } from '../../test/depot/flaws.ts'
import { rawItem, rawItems } from '../../test/depot/raw.ts'
import { codeOf, refusal } from '../../test/depot/refused.ts'
import { Clock, type Depot, depotOf, ownDepot } from '../../test/depot/table.ts'
import type { Operation } from '../dynamo/operation.ts'
import { checking, creating, moving, removing, updating } from '../plan/step.ts'
import type { Stored } from '../plan/stored.ts'
import { type Fault, type FaultySender, faultySender, type LoggedRequest } from '../testing/faulty-sender.ts'
import { restoreItems } from './restore.ts'

// Rows of faults, done to every request of every verb. What a verb leaves behind, and answers, without any fault is what it must leave behind
// and answer with them: a write that was applied twice shows in its version.

const now = () => new Date('2026-03-01T12:00:00Z')
const writeOperations = ['PutItem', 'UpdateItem', 'TransactWriteItems'] as const
const readOperations = ['GetItem', 'BatchGetItem', 'Query'] as const
type Kind = Exclude<Fault['kind'], 'unprocessed' | 'interleave'>

let seed: readonly Stored[]
beforeAll(async () => {
  const table = await ownDepot({ now })
  await table.Person.create({ id: 'ada', email: 'ada@x.org', handle: 'ada' })
  await table.Person.create({ id: 'bob', email: 'bob@x.org' })
  await table.Site.create({ site: 'A', name: 'site A', region: 'north' })
  await table.Site.create({ site: 'EMPTY', name: 'empty' })
  await table.Room.create({ site: 'A', id: 'r1', name: 'hall' })
  await table.Sensor.create({ room: 'r1', id: 's1' })
  await table.PersonSite.create({ id: 'ada', site: 'A' })
  await table.PersonRoom.create({ id: 'ada', room: 'r1' })
  await table.PersonBadge.create({ id: 'ada', badge: 'b1', shelf: 'one' })
  await table.Policy.create({ id: 'p1', name: 'first', owner: 'ada' })
  await table.Policy.create({ id: 'p2', name: 'second' })
  await table.Task.create({ id: 't1', person: 'bob', title: 'stay' })
  seed = await rawItems(table)
  expect(await flaws(table)).toEqual([])
})

/** A table of this test's own, as the seed has it. */
async function seeded(): Promise<Depot> {
  const table = await ownDepot({ now })
  await restoreItems(table.runtime, seed)
  return table
}

let sender: FaultySender
beforeEach(async () => {
  sender = faultySender(engineSender())
})
function textOf(input: LoggedRequest['input']): string {
  const { ClientRequestToken: _, ...rest } = input
  return JSON.stringify(rest)
}

/** Asks whether an earlier token is remembered, and changes nothing. */
const isProbe = (text: string) => text.includes('"SK":{"S":"TOKEN"}')

/** Every request of these operations gets all of the faults, one after the other, before it goes through. */
function faultEach(operations: readonly string[], faults: readonly Kind[]): void {
  for (const operation of operations) {
    for (const [attempt, kind] of faults.entries()) {
      const when = (input: LoggedRequest['input']) => {
        const text = textOf(input)
        return sender.log.filter((request) => textOf(request.input) === text).length === attempt
      }
      sender.add({ operation, when, fault: { kind }, times: Number.POSITIVE_INFINITY })
    }
  }
}

type Verb = (table: Depot) => Promise<unknown>

const verbs: Readonly<Record<string, Verb>> = {
  'create, one put': (table) => table.Site.create({ site: 'NEW', name: 'new' }),
  'create with guards and a mirror': (table) => table.Person.create({ id: 'eve', email: 'eve@x.org', handle: 'eve' }),
  'create with a copy': (table) => table.Room.create({ site: 'A', id: 'r2', name: 'attic' }),
  'ensure of what is new': (table) => table.PersonSite.ensure({ id: 'bob', site: 'A' }),
  'update, one item': (table) => table.Person.update({ id: 'ada' }, { city: 'Bern', size: 7 }),
  'update of a version': (table) => table.Person.update({ id: 'ada' }, { city: 'Bern' }, { version: 1 }),
  'update that takes an attribute away': (table) => table.Site.update({ site: 'A' }, { region: null }),
  'update that moves a guard': (table) => table.Person.update({ id: 'ada' }, { email: 'new@x.org' }),
  'update that copies follow': (table) => table.Person.update({ id: 'ada' }, { handle: 'countess', rank: 'senior' }),
  move: (table) => table.Policy.move({ id: 'p1', owner: 'ada' }, { owner: null, body: 'b' }),
  'remove, at once': (table) => table.Policy.remove({ owner: 'ada', id: 'p1' }),
  'remove of a version': (table) => table.Policy.remove({ id: 'p2' }, { version: 1 }),
  'remove with all that hangs on it': (table) => table.Site.remove({ site: 'A' }),
  'remove of what nothing hangs on': (table) => table.Site.remove({ site: 'EMPTY' }),
  'creating an edge': (table) => table.SitePerson.create({ id: 'bob', site: 'A', remark: 'keys' }),
  'updating an edge': (table) => table.SitePerson.update({ id: 'ada', site: 'A' }, { remark: 'keys' }),
  'updating the key of an edge’s other item': (table) => table.PersonBadge.update({ id: 'ada', badge: 'b1' }, { shelf: 'two' }),
  'removing an edge': (table) => table.PersonBadge.remove({ id: 'ada', badge: 'b1' }),
  'removing an edge with another within': (table) => table.PersonSite.remove({ id: 'ada', site: 'A' }),
  transact: (table) =>
    table.transact({
      site: creating(Site, { site: 'NEW', name: 'new' }),
      room: creating(Room, { site: 'NEW', id: 'r9', name: 'roof' }),
      edge: creating(PersonSite, { id: 'bob', site: 'NEW' }),
      moved: moving(Policy, { id: 'p1', owner: 'ada' }, { owner: 'bob' }),
      gone: removing(Policy, { id: 'p2' }),
      badge: updating(PersonBadge, { id: 'ada', badge: 'b1' }, { shelf: 'three' }),
      held: checking(Site, { site: 'EMPTY' }, { version: 1 }),
    }),
}

/** Verbs that are refused, or of which a part is, after they have sent a write. */
const refused: Readonly<Record<string, Verb>> = {
  'create of what is taken': (table) => codeOf(table.Person.create({ id: 'eve', email: 'ada@x.org' })),
  'update to a guard that is taken': (table) => codeOf(table.Person.update({ id: 'bob' }, { handle: 'ada' })),
  'move onto a name that is taken': (table) =>
    codeOf(table.Policy.create({ id: 'p3', name: 'first' }).then(() => table.Policy.move({ id: 'p3' }, { owner: 'ada' }))),
  'creating an edge to what is not there': (table) => codeOf(table.PersonBadge.create({ id: 'nobody', badge: 'b', shelf: 's' })),
  'remove of what is in use': (table) => codeOf(table.Person.remove({ id: 'bob' })),
  'ensure of what is there': (table) => table.PersonSite.ensure({ id: 'ada', site: 'A', remark: 'other' }),
  createMany: (table) => manyOf(table, ['a', 'b', 'c']),
}

async function manyOf(table: Depot, names: readonly string[]): Promise<unknown> {
  const outcomes = await table.Policy.createMany(names.map((name) => ({ id: `m-${name}`, name, owner: 'ada' })))
  return outcomes.map(({ item, error }) => item ?? [error.code, error.details.uncertain ?? false])
}

describe('createMany of which one is taken', () => {
  const verb: Verb = (table) => manyOf(table, ['a', 'first', 'c'])

  test('writes the others, whatever kept all of them from being written at first', async () => {
    const expected = await withoutFaults(verb)
    expect(expected.answer).toMatchObject([{ name: 'a' }, ['AlreadyExists', false], { name: 'c' }])
    const { answer, items } = await withFaults(verb, writeOperations, ['throttle', 'conflict'])
    expect({ answer, items }).toEqual({ answer: expected.answer, items: expected.items })
  })

  test('is uncertain of all that was sent together where an answer was lost: done one by one, each could find its own', async () => {
    const { answer } = await withFaults(verb, writeOperations, ['lose-request'])
    expect(answer).toEqual(Array(3).fill(['Unavailable', true]))
  })
})

interface Done {
  readonly answer: unknown
  readonly items: readonly Stored[]
  /** The requests of the operations looked at, by what they ask. */
  readonly requests: readonly (readonly LoggedRequest[])[]
}

/** Does the verb with these faults. */
async function withFaults(verb: Verb, operations: readonly string[], faults: readonly Kind[]): Promise<Done> {
  const table = await seeded()
  const start = sender.log.length
  faultEach(operations, faults)
  const answer = await verb(depotOf(table.runtime.table, { now, sender }))
  expect(await flaws(table)).toEqual([])
  const requests = new Map<string, LoggedRequest[]>()
  for (const request of sender.log.slice(start)) {
    const text = textOf(request.input)
    if (!operations.includes(request.operation) || isProbe(text)) continue
    requests.set(text, [...(requests.get(text) ?? []), request])
  }
  return { answer, items: await rawItems(table), requests: [...requests.values()] }
}

const plain = new Map<Verb, Done>()
async function withoutFaults(verb: Verb): Promise<Done> {
  const done = plain.get(verb) ?? (await withFaults(verb, writeOperations, []))
  plain.set(verb, done)
  return done
}

const rows: readonly (readonly Kind[])[] = [
  ['throttle', 'throttle'],
  ['conflict', 'conflict'],
  ['fail', 'lose-request'],
  ['lose-answer', 'lose-answer'],
  ['lose-answer', 'throttle', 'conflict'],
  ['throttle', 'fail', 'lose-request', 'lose-answer', 'conflict'],
]

describe.each(Object.entries({ ...verbs, ...refused }))('%s', (_name, verb) => {
  test.each(rows.map((faults) => [faults.join(', '), faults] as const))('ends as if there were no %s', async (_faults, faults) => {
    const expected = await withoutFaults(verb)
    const { answer, items, requests } = await withFaults(verb, writeOperations, faults)
    expect(answer).toEqual(expected.answer)
    expect(items).toEqual(expected.items)
    // Sent again as it was, with the token that it had, and nothing else sent in its place.
    expect(requests.map((attempts) => attempts.length)).toEqual(expected.requests.map(() => faults.length + 1))
    for (const attempts of requests) expect(new Set(attempts.map(({ input }) => JSON.stringify(input))).size).toBe(1)
    const sent = requests.flatMap(([first]) => (first === undefined ? [] : [first]))
    const tokens = sent.filter(({ operation }) => operation === 'TransactWriteItems').map(({ input }) => input.ClientRequestToken)
    expect(new Set(tokens).size).toBe(tokens.length)
    expect(tokens).not.toContain(undefined)
  })

  test('reads again what it reads', async () => {
    const expected = await withoutFaults(verb)
    const { answer, items } = await withFaults(verb, readOperations, ['throttle', 'lose-answer', 'fail', 'lose-request'])
    expect({ answer, items }).toEqual({ answer: expected.answer, items: expected.items })
  })
})

describe('a fault that never ends', () => {
  const patience_ms = 10_000

  /** Every request of these operations gets the fault, on a clock that moves as it is waited. */
  async function endless(verb: Verb, kind: Kind, operations: readonly string[]) {
    const table = await seeded()
    for (const operation of operations) sender.add({ operation, fault: { kind }, times: Number.POSITIVE_INFINITY })
    const clock = new Clock(now().toISOString())
    const sleep = async (ms: number) => clock.forward(ms)
    const error = await refusal(
      verb(depotOf(table.runtime.table, { now: clock.now, monotonic_ms: () => clock.at.getTime(), sleep, sender, random: () => 0.5 })),
    )
    return { error, table, waited_ms: clock.at.getTime() - now().getTime() }
  }

  describe.each(Object.entries(verbs))('%s', (_name, verb) => {
    test.each([
      ['throttle', 'Busy'],
      ['conflict', 'Busy'],
      ['fail', 'Unavailable'],
      ['lose-request', 'Unavailable'],
    ] as const)('%s is %s in time, and nothing is written', async (kind, code) => {
      const { error, table, waited_ms } = await endless(verb, kind, writeOperations)
      expect(error).toMatchObject({ code, details: { uncertain: code === 'Unavailable' } })
      expect(waited_ms).toBeGreaterThan(patience_ms / 2)
      expect(waited_ms).toBeLessThanOrEqual(patience_ms)
      expect(await rawItems(table)).toEqual(seed)
    })
  })

  test.each<[string, Verb]>([
    ['createMany', (table) => table.Policy.createMany([{ name: 'a' }, { name: 'b' }])],
    ['get', (table) => table.Person.get({ id: 'ada' })],
    ['getMany', (table) => table.Person.getMany([{ id: 'ada' }, { id: 'bob' }])],
    ['a query', (table) => table.directory({})],
    ['the list of jobs', (table) => table.jobs.list()],
  ])('%s: is of the table, and of no single item', async (_name, verb) => {
    const operations = [...writeOperations, ...readOperations]
    expect((await endless(verb, 'throttle', operations)).error.code).toBe('Busy')
    expect((await endless(verb, 'lose-answer', operations)).waited_ms).toBeLessThanOrEqual(patience_ms)
  })

  test('answers that never come leave what was written once, and say that it may have been', async () => {
    const update: Verb = (table) => table.Person.update({ id: 'ada' }, { email: 'new@x.org' })
    const { error, table } = await endless(update, 'lose-answer', writeOperations)
    expect(error).toMatchObject({ code: 'Unavailable', details: { uncertain: true } })
    expect(await table.Person.get({ id: 'ada' })).toMatchObject({ email: 'new@x.org', version: 2 })
    expect(await flaws(table)).toEqual([])
  })

  test('unprocessed items to the end are Busy', async () => {
    const table = await seeded()
    const when = (input: LoggedRequest['input']) => 'RequestItems' in input
    sender.add({ fault: { kind: 'unprocessed', left: 100 }, when, times: Number.POSITIVE_INFINITY })
    const faulty = depotOf(table.runtime.table, { now, sender })
    expect(await codeOf(faulty.Person.getMany([{ id: 'ada' }, { id: 'bob' }]))).toBe('Busy')
    expect(await codeOf(restoreItems(faulty.runtime, [{ PK: 'x', SK: 'x' }]))).toBe('Busy')
  })
})

test.each([1, 24, 25])('a batch of which %i are left over again and again is written in the end', async (left) => {
  const table = await ownDepot({ now })
  sender.add({ operation: 'BatchWriteItem', fault: { kind: 'unprocessed', left }, times: 4 })
  const place = (index: number) => ({ PK: `A#${String(index).padStart(2, '0')}`, SK: 'META', Type: 'Site', version: 1 })
  const items = Array.from({ length: 60 }, (_, index) => place(index))
  await restoreItems(depotOf(table.runtime.table, { sender }).runtime, items)
  expect(await rawItems(table)).toEqual(items)
})

describe('where others write between two attempts', () => {
  /** Something happens to the first request of the operation, or it is lost; before the next, another writes. */
  async function between(operation: Operation, first: Kind | undefined, other: Verb) {
    const table = await seeded()
    const run = async () => void (await other(table))
    if (first !== undefined) sender.add({ operation, fault: { kind: first } })
    sender.add({ operation, fault: { kind: 'interleave', run } })
    return { table, faulty: depotOf(table.runtime.table, { now, sender }) }
  }
  const move: Verb = (table) => table.Person.update({ id: 'ada' }, { city: 'Rome' })

  test.each<{ version?: number }>([{}, { version: 1 }])(
    'an update whose answer was lost is not done twice: what cannot be known is said (%o)',
    async (how) => {
      const { table, faulty } = await between('UpdateItem', 'lose-answer', move)
      const error = await refusal(faulty.Person.update({ id: 'ada' }, { city: 'Bern' }, how))
      expect(error).toMatchObject({ code: how.version === undefined ? 'Unavailable' : 'VersionConflict', details: { uncertain: true } })
      expect(await table.Person.get({ id: 'ada' })).toMatchObject({ city: 'Rome', version: 3 })
    },
  )

  test('a transaction whose answer was lost is known by its token', async () => {
    const { table, faulty } = await between('TransactWriteItems', 'lose-answer', move)
    await faulty.Person.update({ id: 'ada' }, { email: 'new@x.org' })
    expect(await table.Person.get({ id: 'ada' })).toMatchObject({ city: 'Rome', email: 'new@x.org', version: 3 })
  })

  test('what was created anew after a removal whose answer was lost stays', async () => {
    const anew: Verb = (table) => table.Policy.create({ id: 'p2', name: 'another' })
    const { table, faulty } = await between('TransactWriteItems', 'lose-answer', anew)
    await faulty.Policy.remove({ id: 'p2' })
    expect(await table.Policy.get({ id: 'p2' })).toMatchObject({ name: 'another', version: 1 })
    expect(await rawItem(table, 'POLICY_NAME#SYSTEM#another', 'META')).toBeDefined()
  })

  test('an update whose request was lost is uncertain, too: that it never arrived, nothing shows', async () => {
    const { table, faulty } = await between('UpdateItem', 'lose-request', move)
    const error = await refusal(faulty.Person.update({ id: 'ada' }, { city: 'Bern' }))
    expect(error).toMatchObject({ code: 'Unavailable', details: { uncertain: true } })
    expect(await table.Person.get({ id: 'ada' })).toMatchObject({ city: 'Rome', version: 2 })
  })

  test.each([undefined, 'throttle'] as const)('both updates apply, or the one that names a version loses (%s)', async (first) => {
    const other: Verb = (table) => table.Person.update({ id: 'ada' }, { size: 1 })
    const { table, faulty } = await between('UpdateItem', first, other)
    await faulty.Person.update({ id: 'ada' }, { city: 'Bern' })
    expect(await table.Person.get({ id: 'ada' })).toMatchObject({ size: 1, city: 'Bern', version: 3 })
    const named = await between('UpdateItem', first, other)
    expect(await codeOf(named.faulty.Person.update({ id: 'ada' }, { city: 'Bern' }, { version: 1 }))).toBe('VersionConflict')
    expect(await named.table.Person.get({ id: 'ada' })).not.toHaveProperty('city')
  })

  test.each<[string, Verb, Verb]>([
    [
      'AlreadyExists',
      (table) => table.Person.update({ id: 'bob' }, { handle: 'x' }),
      (table) => table.Person.update({ id: 'ada' }, { handle: 'x' }),
    ],
    [
      'AlreadyExists',
      (table) => table.Person.create({ id: 'eve', email: 'new@x.org' }),
      (table) => table.Person.update({ id: 'ada' }, { email: 'new@x.org' }),
    ],
    ['MissingEnd', (table) => table.Site.remove({ site: 'A' }), (table) => table.PersonSite.create({ id: 'bob', site: 'A' })],
    [
      'MissingEnd',
      (table) => table.Person.remove({ id: 'ada' }),
      (table) => table.PersonBadge.create({ id: 'ada', badge: 'n', shelf: 's' }),
    ],
    ['NotFound', (table) => table.Policy.remove({ id: 'p2' }), (table) => table.Policy.update({ id: 'p2' }, { name: 'late' })],
    [
      'NotFound',
      (table) => table.Policy.move({ id: 'p2' }, { owner: 'ada' }),
      (table) => table.Policy.update({ id: 'p2' }, { name: 'late' }),
    ],
    [
      'BeingDeleted',
      (table) => table.Person.remove({ id: 'ada' }, { wait: false }),
      (table) => table.Person.update({ id: 'ada' }, { email: 'late@x.org' }),
    ],
  ])('%s is said of what another was faster with (case %#)', async (code, other, verb) => {
    const { table, faulty } = await between('TransactWriteItems', undefined, other)
    expect(await codeOf(verb(faulty))).toBe(code)
    await table.jobs.resume()
    expect(await flaws(table)).toEqual([])
  })
})
