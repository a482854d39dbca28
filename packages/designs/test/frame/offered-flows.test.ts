import { design, entity, map, oneOf, text, uuid, without } from '@freehold/table'
import { expect, test } from 'vitest'
import { nothing, valuesOf } from '../../../frame/src/decision/returns.ts'
import { operator } from '../../../frame/src/flow/actor.ts'
import type { Flow } from '../../../frame/src/flow/flow.ts'
import type { FlowContext, FlowHost } from '../../../frame/src/flow/flow-host.ts'
import { offerFlows } from '../../../frame/src/flow/offered-flows.ts'
import { ownTableOf } from '../own-table.ts'

const Note = entity('Note', { attributes: { id: uuid().made(), title: text() }, key: ['NOTE#{id}', 'METADATA'] })
const Bell = entity('Bell', { attributes: { id: uuid().made() }, key: ['BELL#{id}', 'METADATA'] })
const notes = design({ name: 'notes', table: 'notes', entities: { Note, Bell }, patterns: {}, features: { bells: [Bell] } })

const write: Flow<FlowContext> = {
  name: 'write',
  summary: 'Writes a note.',
  input: { title: text(), colour: oneOf('red', 'blue').optional(), kind: text().made('plain') },
  needs: { module: 'notes', action: 'write', resource: 'note', at: 'desk' },
  effect: 'write',
  returns: valuesOf({ context: text(), input: map() }),
  errors: ['NotFound'],
  writes: { create: Note },
  run: async ({ caller, flow }, input) => ({ context: `${caller.actor.kind} ${flow}`, input }),
}
const ring: Flow<FlowContext> = {
  name: 'ring',
  summary: 'Rings.',
  input: {},
  needs: 'operator',
  effect: 'write',
  returns: nothing,
  feature: 'bells',
  run: async () => undefined,
}
// Nothing else of a host is asked for where operators act.
const host = { design: notes } as unknown as FlowHost
const offered = offerFlows<FlowContext, { write: typeof write; ring: typeof ring }>(
  host,
  { write, ring },
  { governed: [Note, Bell], actorNamed: async () => operator },
)

test('flows are described with what they take and what they need, in the order of their names', () => {
  expect(offered.describe(notes)).toEqual([
    { name: 'ring', summary: 'Rings.', needs: 'operator', effect: 'write', input: [], returns: 'nothing', errors: [] },
    {
      name: 'write',
      summary: 'Writes a note.',
      needs: { module: 'notes', action: 'write', resource: 'note', at: 'desk' },
      effect: 'write',
      returns: 'values',
      errors: ['NotFound'],
      writes: { create: 'Note' },
      input: [
        { name: 'title', kind: 'text', required: true },
        { name: 'colour', kind: 'enum', required: false, values: ['red', 'blue'] },
        { name: 'kind', kind: 'text', required: false, otherwise: 'plain' },
      ],
    },
  ])
})

test('a flow is run by its name, in what the design makes of the caller', async () => {
  const table = await ownTableOf(notes)
  expect(await offered.run(table, 'write', { title: 'a' }, { actor: operator })).toEqual({
    context: 'operator write',
    input: { title: 'a' },
  })
  for (const name of ['read', 'toString', '__proto__', ''])
    await expect(offered.run(table, name, {}, { actor: operator })).rejects.toMatchObject({ code: 'UnknownName', details: { name } })
})

test('a flow of a feature that was left out is neither described nor run', async () => {
  const silent = without(notes, 'bells')
  const table = await ownTableOf(silent)
  expect(offered.describe(silent).map(({ name }) => name)).toEqual(['write'])
  await expect(offered.run(table, 'ring', {}, { actor: operator })).rejects.toMatchObject({ code: 'UnknownName' })
})

test('each entity that flows alone write is told with its flows, by verb', () => {
  expect(offered.byFlows).toEqual({
    Note: { create: ['write'], update: [], remove: [] },
    Bell: { create: [], update: [], remove: [] },
  })
})
