import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deep } from '../../../../test/properties/depth.ts'
import { BadgeShelf, Person, PersonSite } from '../../test/depot/design.ts'
import { Model } from '../../test/depot/model.ts'
import { rawItems } from '../../test/depot/raw.ts'
import { Clock, type Depot, ownDepot } from '../../test/depot/table.ts'
import { type ErrorCode, isFreeholdError } from '../errors.ts'
import { creating } from '../plan/step.ts'

// Random work, step by step, on a table and on a model of plain records: after each step every item of the table, guards, mirrors and
// copies with their versions included, is what the model says, and each refusal is one that the model foresees.

type Values = Record<string, unknown>
type EntityName =
  | 'Person'
  | 'Site'
  | 'Room'
  | 'Sensor'
  | 'PersonSite'
  | 'SitePerson'
  | 'PersonRoom'
  | 'RoomPerson'
  | 'PersonBadge'
  | 'Task'
  | 'Remark'
  | 'Policy'
interface Making {
  readonly verb: 'create'
  readonly entity: EntityName
  readonly values: Values
}
/** A person with its first edges, in one transaction. */
interface Arriving {
  readonly verb: 'arrive'
  readonly entity: 'Person'
  readonly values: Values
}
interface Changing {
  readonly verb: 'update' | 'move' | 'remove'
  readonly entity: EntityName
  readonly id: Values
  readonly change: Values
  /** The version that is named: the item's own, or one that it will only have. */
  readonly age?: number | undefined
}
type Operation = Making | Arriving | Changing

/** The initial items of a table, so that most steps find an item. */
const beginning: readonly Operation[] = [
  { verb: 'create', entity: 'Site', values: { site: 'S0', name: 'n0', region: 'north' } },
  { verb: 'create', entity: 'Site', values: { site: 'S1', name: 'n1' } },
  { verb: 'create', entity: 'Room', values: { site: 'S0', id: 'r0', name: 'hall' } },
  { verb: 'create', entity: 'Room', values: { site: 'S1', id: 'r1', name: 'attic' } },
  { verb: 'create', entity: 'Sensor', values: { room: 'r0', id: 'x0' } },
  { verb: 'arrive', entity: 'Person', values: { id: 'p0', email: 'a@x.org', rank: 'junior', handle: 'h0', site: 'S0', badge: 'b0' } },
  { verb: 'arrive', entity: 'Person', values: { id: 'p1', email: 'b@x.org', rank: 'senior', team: 'blue', site: 'S1', badge: 'b1' } },
  { verb: 'create', entity: 'PersonRoom', values: { id: 'p0', room: 'r0' } },
  { verb: 'create', entity: 'Remark', values: { id: 'x0', person: 'p0', text: 't' } },
  { verb: 'create', entity: 'Policy', values: { id: 'x0', name: 'n0' } },
]

/** What chance seldom draws: another person takes the id of one whose remarks stay. */
const succession: Operation[] = [
  { verb: 'remove', entity: 'Person', id: { id: 'p0' }, change: {} },
  { verb: 'create', entity: 'Person', values: { id: 'p0', email: 'a@x.org', rank: 'senior' } },
]

const defined = (values: Values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
const of = (...values: string[]) => fc.constantFrom(...values)
const id = { person: of('p0', 'p1', 'p2'), site: of('S0', 'S1'), room: of('r0', 'r1'), other: of('x0', 'x1') }
const maybe = (arbitrary: fc.Arbitrary<unknown>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const orNull = (arbitrary: fc.Arbitrary<unknown>) => fc.option(fc.option(arbitrary, { nil: null, freq: 3 }), { nil: undefined, freq: 2 })

/** Without what is undefined, so that a failure reads as what was asked. */
const recordOf = <T extends Values>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(shape, { noNullPrototype: true }).map((values) => defined(values as T) as T)
const optional = { handle: of('h0', 'h1'), team: of('blue', 'red'), hired: of('2026-01-01', '2026-01-02'), city: of('bern', 'rome') }
const rank = of('junior', 'senior')
const email = of('a@x.org', 'b@x.org', 'c@x.org', 'd@x.org')
const each = <T>(record: Record<string, T>, of: (value: T) => fc.Arbitrary<unknown>) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value)]))

/** For each entity: the attributes of its key, of a new item, of a change, and of a move. */
const shapes: Record<
  EntityName,
  {
    key: Record<string, fc.Arbitrary<unknown>>
    made: Record<string, fc.Arbitrary<unknown>>
    change: Record<string, fc.Arbitrary<unknown>>
    move?: Record<string, fc.Arbitrary<unknown>>
  }
> = {
  Person: {
    key: { id: id.person },
    made: { email, rank, ...each(optional, maybe) },
    change: { email: maybe(email), rank: maybe(rank), ...each(optional, orNull) },
  },
  Site: {
    key: { site: id.site },
    made: { name: of('n0', 'n1'), region: maybe(of('north', 'south')) },
    change: { name: maybe(of('n0', 'n1')), region: orNull(of('north', 'south')) },
  },
  Room: {
    key: { site: id.site, id: id.room },
    made: { name: of('hall', 'attic') },
    change: { name: maybe(of('hall', 'attic')) },
    move: { site: id.site, name: maybe(of('hall', 'attic')) },
  },
  Sensor: { key: { room: id.room, id: id.other }, made: { reading: maybe(fc.integer()) }, change: { reading: orNull(fc.integer()) } },
  PersonSite: { key: { id: id.person, site: id.site }, made: { remark: maybe(of('m')) }, change: { remark: orNull(of('m', 'o')) } },
  SitePerson: { key: { id: id.person, site: id.site }, made: { remark: maybe(of('m')) }, change: { remark: orNull(of('m', 'o')) } },
  PersonRoom: { key: { id: id.person, room: id.room }, made: {}, change: {} },
  RoomPerson: { key: { id: id.person, room: id.room }, made: {}, change: {} },
  PersonBadge: {
    key: { id: id.person, badge: of('b0', 'b1') },
    made: { shelf: of('top', 'low') },
    change: { shelf: maybe(of('top', 'low')) },
  },
  Task: { key: { id: id.other }, made: { person: id.person, title: of('t') }, change: { person: maybe(id.person), title: maybe(of('u')) } },
  Remark: {
    key: { id: id.other },
    made: { person: maybe(id.person), text: of('t') },
    change: { person: orNull(id.person), text: maybe(of('u')) },
  },
  Policy: {
    key: { id: id.other, owner: maybe(of('ada', 'bob')) },
    made: { name: of('n0', 'n1'), body: maybe(of('b')) },
    change: { name: maybe(of('n0', 'n1')), body: orNull(of('c')) },
    move: { owner: orNull(of('ada', 'bob')), name: maybe(of('n0', 'n1')) },
  },
}

const names = Object.keys(shapes) as EntityName[]
const verbs = { create: 5, update: 6, remove: 1, move: 2, arrive: 1 } as const
const operation: fc.Arbitrary<Operation> = fc
  .record({
    entity: fc.constantFrom(...names),
    verb: fc.oneof(...Object.entries(verbs).map(([verb, weight]) => ({ weight, arbitrary: fc.constant(verb as keyof typeof verbs) }))),
  })
  .chain(({ entity, verb }): fc.Arbitrary<Operation> => {
    const { key, made, change, move } = shapes[entity]
    if (verb === 'arrive')
      return fc
        .record({ ...shapes.Person.key, ...shapes.Person.made, site: id.site, badge: of('b0', 'b1') })
        .map((values) => ({ verb, entity: 'Person', values }))
    if (verb === 'create') return recordOf({ ...key, ...made }).map((values) => ({ verb, entity, values }))
    const shape = verb === 'move' ? (move ?? change) : change
    const kind = verb === 'move' && move === undefined ? 'update' : verb
    return fc
      .record({ id: recordOf(key), change: recordOf(shape), age: fc.option(fc.constantFrom(0, 0, 1), { nil: undefined, freq: 3 }) })
      .map((rest) => ({ verb: kind, entity, ...rest }))
  })

const unnull = (values: Values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? undefined]))

/** The attributes that the design makes. */
function made(entity: string, at: string): Values {
  if (entity === 'Person') return { createdAt: at, touchedAt: at }
  if (entity === 'PersonSite' || entity === 'SitePerson') return { joinedAt: at }
  return entity === 'PersonRoom' || entity === 'RoomPerson' ? { since: at } : {}
}

/** Does the step in the model. Returns the codes of the errors of which one must come; none: it is done. */
function foresee(model: Model, step: Operation, at: string): ErrorCode[] {
  const { entity } = step
  if (step.verb === 'arrive') {
    const { site, badge, ...person } = step.values
    const codes = [...model.obstacles('Person', person), ...(model.at('Site', { site }) ? [] : (['MissingEnd'] as const))]
    const edges: [string, Values][] = [
      ['PersonSite', { id: person.id, site }],
      ['PersonBadge', { id: person.id, badge, shelf: 'top' }],
    ]
    for (const [type, values] of edges) codes.push(...model.obstacles(type, values))
    if (codes.length === 0) {
      model.put('Person', { ...person, ...made('Person', at) })
      for (const [type, values] of edges) model.put(type, { ...values, ...made(type, at) })
    }
    return codes
  }
  if (step.verb === 'create') {
    const codes = [...model.obstacles(entity, step.values), ...model.missing(entity, step.values)]
    if (codes.length === 0) model.put(entity, { ...step.values, ...made(entity, at) })
    return codes
  }
  const node = model.at(entity, step.id)
  if (node === undefined) return ['NotFound']
  if (step.age !== undefined && step.age > 0) return ['VersionConflict']
  if (step.verb === 'remove') {
    if (entity === 'Person' && model.find('Task', { person: step.id.id })) {
      // Marked and unmarked: two writes of the person and of its mirror.
      node.version += 2
      model.touch(node, 'PersonEntry')
      return ['InUse']
    }
    model.remove(node)
    return []
  }
  const change = unnull(defined(step.change))
  const values = { ...node.values, ...change }
  const pointsElsewhere = ['person', 'site'].some((name) => values[name] !== node.values[name])
  const codes = [...model.obstacles(entity, values, node), ...(pointsElsewhere ? model.missing(entity, values) : [])]
  if (codes.length === 0) model.change(node, { ...change, ...(entity === 'Person' ? { touchedAt: at } : {}) })
  return codes
}

async function perform(table: Depot, model: Model, step: Operation): Promise<unknown> {
  if (step.verb === 'arrive') {
    const { site, badge, ...person } = step.values
    const edge = { id: person.id as string }
    return table.transact({
      joined: creating(PersonSite, { ...edge, site: site as string }),
      badge: creating(BadgeShelf, { ...edge, badge: badge as string, shelf: 'top' }),
      person: creating(Person, person as never),
    })
  }
  const repository = table[step.entity]
  if (step.verb === 'create') return repository.create(step.values as never)
  const version = step.age === undefined ? {} : { version: (model.at(step.entity, step.id)?.version ?? 7) + step.age }
  if (step.verb === 'remove') return repository.remove(step.id as never, version)
  return repository[step.verb](step.id as never, step.change as never, version)
}

const codesOf = (error: unknown): ErrorCode[] => {
  if (!isFreeholdError(error)) throw error
  return error.code === 'TransactionFailed' ? Object.values(error.details.failures ?? {}).map(({ code }) => code) : [error.code]
}

test('a table is what a model of plain records is, after each of thousands of random steps', async () => {
  let steps = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 90, size: 'max' }), async (operations) => {
      const clock = new Clock()
      const table = await ownDepot({ now: clock.now })
      const model = new Model()
      for (const step of [...beginning, ...operations]) {
        steps++
        clock.forward(1000)
        const work = perform(table, model, step)
        const outcome = work.then(
          () => [] as ErrorCode[],
          (error: unknown) => codesOf(error),
        )
        const actual = await outcome
        const expected = foresee(model, step, clock.now().toISOString())
        if (expected.length === 0 ? actual.length > 0 : !actual.every((code) => expected.includes(code)) || actual.length === 0)
          expect({ step, outcome: actual }).toEqual({ step, outcome: expected })
        if (expected.length > 0) refused++
        expect({ step, items: await rawItems(table) }).toEqual({ step, items: model.items() })
      }
      expect(await table.jobs.list()).toEqual([])
    }),
    { numRuns: deep(16), examples: [[succession]], endOnFailure: false, interruptAfterTimeLimit: 45_000 },
  )
  expect(steps).toBeGreaterThan(deep(200))
  expect(refused / steps).toBeLessThan(0.7)
})
