import { creating, design, edge, entity, flag, list, map, query, type Table, text, ulid, uuid } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { operator } from '../../../frame/src/flow/actor.ts'
import { handlersOf } from '../../../frame/src/flow/durable-job.ts'
import { edgesAtOnce, edgesOf } from '../../../frame/src/flow/edges/edges.ts'
import { replaceEdges } from '../../../frame/src/flow/edges/replace-edges.ts'
import { beginFlow, type FlowContext, type FlowHost } from '../../../frame/src/flow/flow-host.ts'
import { flowsFor } from '../../../frame/src/flow/flows-for.ts'
import { engineSender, ownTableOf } from '../own-table.ts'
import { isOfWork } from '../transaction-of-work.ts'

const Choir = entity('Choir', { attributes: { id: uuid().made(), is_closed: flag().made(false) }, key: ['CHOIR#{id}', 'METADATA'] })
const Singer = entity('Singer', { attributes: { name: text() }, key: ['SINGER#{name}', 'METADATA'] })
const { ChoirSinger, SingerChoir } = edge({
  ends: { choir_id: Choir, name: Singer },
  attributes: {},
  items: { ChoirSinger: ['CHOIR#{choir_id}', 'SINGER#{name}'], SingerChoir: ['SINGER#{name}', 'CHOIR#{choir_id}'] },
})
const Told = entity('Told', {
  attributes: { id: ulid().made(), of: uuid(), more: map() },
  key: ['TOLD#{of}', 'TOLD#{id}'],
  appendOnly: true,
})
const choirs = design({
  name: 'choirs',
  table: 'choirs',
  entities: { Choir, Singer, ChoirSinger, SingerChoir, Told },
  patterns: { singersOf: query('CHOIR#{choir_id}').returns(ChoirSinger), toldOf: query('TOLD#{of}').returns(Told) },
})

type Context = FlowContext<Table<typeof choirs>>
// Nothing else of a host is asked for where operators act.
const host = {
  design: choirs,
  record: (_context: unknown, { id, status = 'success', more = {} }: Parameters<NonNullable<FlowHost['record']>>[1], step: string) => ({
    [step]: creating(Told, { of: String(id), more: { status, ...more } }),
  }),
} as unknown as FlowHost<Table<typeof choirs>>
const { job } = flowsFor<Context>(host)

const atOnceMax = 3
const singers = edgesOf<Context, typeof Choir, string, string>({
  end: Choir,
  edge: ChoirSinger,
  atOnceMax,
  told: { added: 'joined', removed: 'left' },
  words: (name) => name,
  edgeOf: (_context, { id }, name) => ({ choir_id: id, name }),
  read: ({ table }, { id }, names) =>
    table.ChoirSinger.getMany(
      names.map((name) => ({ choir_id: id, name })),
      { consistent: true },
    ),
  find: async ({ table }, { add, remove }) => {
    const found = await table.Singer.getMany(
      add.map((name) => ({ name })),
      { consistent: true },
    )
    return { add: add.filter((_, index) => found[index] !== undefined), remove }
  },
  isOpen: ({ is_closed }) => !is_closed,
})
const changing = job(
  replaceEdges(singers, {
    name: 'changeSingers',
    flow: 'changeSingers',
    input: { choir_id: uuid(), add: list(text()), remove: list(text()) },
    subject: ({ choir_id }) => `CHOIR#${choir_id}`,
    within: () => 'system',
    endOf: ({ choir_id: id }) => ({ id }),
    asked: ({ add, remove }) => ({ add, remove }),
    entry: () => ({ more: { by: 'the conductor' } }),
  }),
)

const jobHandlers = handlersOf([changing])
const consistent = { consistent: true }
const names = Array.from({ length: 8 }, (_, index) => `singer ${index}`)

const choirOf = async (of: readonly string[]) => {
  const { id } = await table.Choir.create({})
  for (const name of of) await table.ChoirSinger.create({ choir_id: id, name })
  return id
}
const change = async (choir_id: string, add: string[], remove: string[], by = table) =>
  changing.start(await beginFlow<Table<typeof choirs>, { id: string }, unknown>(host, by, { actor: operator }, 'changeSingers'), {
    choir_id,
    add,
    remove,
  })
const singersOf = async (choir_id: string) => (await table.singersOf({ choir_id }, consistent)).items.map(({ name }) => name)
const told = async (of: string) => (await table.toldOf({ of }, consistent)).items.map(({ more }) => more)

/** The same table, at which somebody else does something right before the transaction of this number is sent. */
async function interrupted(number: number, meanwhile: () => Promise<unknown>): Promise<Table<typeof choirs>> {
  const sender = engineSender()
  let writes = 0
  return ownTableOf(choirs, {
    table: table.runtime.table,
    jobHandlers,
    sender: {
      ...sender,
      send: async (operation, input, options) => {
        if (isOfWork(operation, input) && ++writes === number) await meanwhile()
        return sender.send(operation, input, options)
      },
    },
  })
}

const table = await ownTableOf(choirs, { jobHandlers })
for (const name of names) await table.Singer.create({ name })

test('a transaction has room for the permission basis beside its edges', () => {
  expect([edgesAtOnce(13, 3), edgesAtOnce(4, 2)]).toEqual([21, 36])
})

describe('the edges of one end', () => {
  test('are changed in pieces: first all that are added; each piece has its record and counts as a write of the end', async () => {
    const id = await choirOf(names.slice(0, 2))
    await change(id, names.slice(2, 7), names.slice(0, 2))
    expect(await singersOf(id)).toEqual(names.slice(2, 7))
    const by = 'the conductor'
    expect(await told(id)).toEqual([
      { status: 'success', joined: names.slice(2, 5), left: [], by },
      { status: 'success', joined: names.slice(5, 7), left: names.slice(0, 1), by },
      { status: 'success', joined: [], left: names.slice(1, 2), by },
    ])
    expect(await table.Choir.get({ id }, consistent)).toMatchObject({ version: 4 })
  })

  test('that are there already are not added again, and targets that are gone are left out', async () => {
    const id = await choirOf(names.slice(0, 3))
    await change(id, [...names.slice(0, 3), 'nobody'], [names[7] ?? ''])
    expect(await singersOf(id)).toEqual(names.slice(0, 3))
    expect(await told(id)).toEqual([])
    expect(await table.Choir.get({ id }, consistent)).toMatchObject({ version: 1 })
  })

  test('are changed again where somebody else was faster with the end', async () => {
    const id = await choirOf([])
    const late = await interrupted(2, () => table.Choir.update({ id }, { is_closed: false }))
    await change(id, names, [], late)
    expect(await singersOf(id)).toEqual(names)
    expect(await told(id)).toHaveLength(Math.ceil(names.length / atOnceMax))
  })

  test('stay as others changed them after their piece, and the record tells what does not hold', async () => {
    const id = await choirOf([])
    const late = await interrupted(2, () => table.ChoirSinger.remove({ choir_id: id, name: names[0] ?? '' }))
    await change(id, names, [], late)
    expect(await singersOf(id)).toEqual(names.slice(1))
    const more = { reason: 'OthersChanged', left: 1, not_joined: names.slice(0, 1), not_left: [] }
    expect((await told(id)).at(-1)).toEqual({ status: 'failure', ...more })
  })

  test('stay as they are once the end is closed, and the record tells the rest', async () => {
    const id = await choirOf([])
    const late = await interrupted(2, () => table.Choir.update({ id }, { is_closed: true }))
    await change(id, names, [], late)
    expect(await singersOf(id)).toEqual(names.slice(0, atOnceMax))
    expect((await told(id)).at(-1)).toMatchObject({ status: 'failure', reason: 'OthersChanged', not_left: [] })
  })

  test('are nobody’s once the end is gone: the job ends and records nothing', async () => {
    const id = await choirOf([])
    const late = await interrupted(2, () => table.Choir.remove({ id }))
    await change(id, names, [], late)
    expect(await singersOf(id)).toEqual([])
    expect(await told(id)).toHaveLength(1)
    expect(await table.jobs.list()).toEqual([])
  })
})
