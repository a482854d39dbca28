import { randomUUID } from 'node:crypto'
import { isFreeholdError } from '@freehold/table'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../../frame/src/flow/actor.ts'
import type { FlowDescription } from '../../../frame/src/flow/describe-flow.ts'
import type { FlowSamples } from '../../../frame/src/flow/flow-costs.ts'
import type { FlowRow, FlowScene, OpenFlowScene, ToldChange, Values } from './flow-scene.ts'
import { type ChangedItem, changedItems, type Lying, lyingIn, secretsIn } from './table-changes.ts'

// What holds for each flow that writes, of each design with flows (spec rule 24): it leaves a record with who, what, before and after, and no
// secret; and under an idempotency key it has one effect. The suite calls each flow once, as its real caller, and compares its records with the items
// that came, changed or went.
//
// A design joins with a file `flows/records.test.ts`, which calls `testFlows` with its scene: a user, a table of rows, one for each flow that writes, and
// a function that reads its records. A flow without a row fails the suite.

/** The caller that a flow's needs ask for. */
function callerOf({ needs }: FlowDescription, { user }: OpenFlowScene, by: FlowRow['by']): Caller {
  if (needs === 'identity-provider') return { actor: { kind: 'identity-provider', name: 'google' } }
  return needs === 'operator' || needs === 'person' || by === 'operator'
    ? { actor: { kind: 'operator', name: 'clerk' } }
    : { actor: { kind: 'user', user_id: user }, via: 'key 1' }
}

const actorOf = ({ actor }: Caller) => (actor.kind === 'user' ? actor.user_id : `${actor.kind} ${actor.name}`)

/** True if the text names the item: by its id, or else by all attributes of its key. */
function mentions(text: string, { id, before, after }: ChangedItem): boolean {
  const { id: own } = after ?? before ?? {}
  return (own === undefined ? Object.values(id) : [own]).every((value) => text.includes(JSON.stringify(value).slice(1, -1)))
}

/** The records that lie in a table and did not before. */
function newRecords({ told }: OpenFlowScene, before: Lying, after: Lying) {
  return [...after].flatMap(([key, item]) => {
    const record = before.has(key) ? undefined : told(item)
    return record === undefined ? [] : [{ record, item }]
  })
}

/** A record of an item tells all that its writer changed of it, and nothing that is not so. */
function checkChanges(item: ChangedItem, records: readonly ToldChange[], told: Partial<ToldChange> | undefined, tenant: unknown): void {
  const { entity, id, before, after, changes } = item
  const ofItem = records.filter((each) => each.entity === entity.name && (id.id === undefined || each.id === id.id))
  expect(ofItem).toContainEqual(expect.objectContaining({ changes: expect.objectContaining(changes) }))
  // A flow may change an item in several steps: then another record tells the value in between.
  const said = (name: string, side: 'before' | 'after') => ofItem.map((each) => (each.changes as typeof changes)[name]?.[side])
  for (const each of ofItem) {
    for (const [name, { before: was, after: is }] of Object.entries(each.changes as typeof changes)) {
      if (was !== undefined) expect([before?.[name], ...said(name, 'after')]).toContainEqual(was)
      if (is !== undefined) expect([after?.[name], ...said(name, 'before')]).toContainEqual(is)
    }
  }
  if (tenant !== undefined) expect(ofItem.map(({ scope }) => scope)).toContain(tenant)
  if (told !== undefined) expect(ofItem).toContainEqual(expect.objectContaining(told))
}

/** The samples of a design as rows. `records`: what more the records of a flow tell, by its name; of one with several samples, its second is `name 2`. */
export function rowsOf(samples: FlowSamples['samples'], records: Readonly<Record<string, Partial<FlowRow>>>): readonly FlowRow[] {
  const counts = new Map<string, number>()
  return samples.map((sample) => {
    const count = (counts.get(sample.flow) ?? 0) + 1
    counts.set(sample.flow, count)
    return { ...sample, ...(records[`${sample.flow} ${count}`] ?? records[sample.flow]) }
  })
}

/** Opens a table of a design with its scene and the rows of its flows. */
export async function openRows<W extends Pick<OpenFlowScene, 'table' | 'offered' | 'lines'>, S extends { readonly lead: string }>(
  work: () => Promise<W>,
  scene: (work: W) => Promise<S>,
  rows: (work: W, scene: S) => readonly FlowRow[],
  told: OpenFlowScene['told'],
): Promise<OpenFlowScene> {
  const own = await work()
  const made = await scene(own)
  return { ...own, user: made.lead, rows: rows(own, made), told }
}

/** Runs the suite over a design's flows. */
export function testFlows({ design, offered, withoutKey, open }: FlowScene): void {
  const writing = offered.describe(design).filter(({ effect }) => effect === 'write')
  const names = writing.map(({ name }) => name)

  describe(`the flows of ${design.name} that write`, () => {
    let scene: OpenFlowScene
    beforeAll(async () => {
      scene = await open()
    })

    test('have a row each', () => {
      expect([...new Set(scene.rows.map(({ flow }) => flow))].sort()).toEqual(names)
    })

    test('honour an idempotency key, unless they return a page', () => {
      expect(writing.flatMap(({ name, returns }) => (returns === 'page' ? [name] : []))).toEqual(withoutKey)
    })

    test.each(writing)('$name leaves records of who changed what, and is done once under a key', async (description) => {
      for (const row of scene.rows) if (row.flow === description.name) await play(row, description)
    })

    async function play(row: FlowRow, description: FlowDescription): Promise<void> {
      const { table, lines = () => [] } = scene
      const { flow, entity, also = [], renames, recordedAs, unsaid = [] } = row
      const input = await row.input()
      lines()
      const caller = callerOf(description, scene, row.by)
      const call = (key: string): Promise<unknown> => scene.offered.run(table, flow, input, caller, { idempotencyKey: key })
      const key = randomUUID()
      const before = await lyingIn(table)
      expect(await scene.offered.permitted(table, [{ flow, input }], caller)).toEqual([{ allowed: true }])
      // What is known in part may lack where the permission is needed, and fails nobody.
      const parts = Object.keys(input).map((without) => Object.fromEntries(Object.entries(input).filter(([name]) => name !== without)))
      for (const answer of await scene.offered.permitted(
        table,
        parts.map((part) => ({ flow, input: part })),
        caller,
      ))
        expect(answer.allowed || answer.lacks !== undefined || answer.reason !== undefined).toBe(true)
      expect(await lyingIn(table)).toEqual(before)
      const result = await call(key)
      const after = await lyingIn(table)
      const logged = lines()

      const found = newRecords(scene, before, after)
      const records = found.map(({ record }) => record)
      expect(records.length).toBeGreaterThan(0)
      for (const record of records) {
        expect([flow, ...also]).toContain(record.flow)
        expect(record).toMatchObject({ actor: actorOf(caller), via: caller.via, status: 'success' })
      }

      const isRecord = (each: ChangedItem) => found.some(({ item }) => item.Type === each.entity.name)
      const changed = changedItems(table, before, after).filter((each) => !isRecord(each))
      const own = changed.filter((each) => each.entity === entity)
      expect(own.length).toBeGreaterThan(0)
      const tenantBy = table.design.form.tenantOf?.(entity).attribute ?? ''
      const erases = flow === 'eraseUser'
      if (erases) expect(records).toContainEqual(expect.objectContaining({ entity: entity.name }))
      else if (recordedAs !== undefined)
        expect(records).toContainEqual(expect.objectContaining({ entity: recordedAs.name, ...row.told?.(input) }))
      else if (renames === undefined)
        for (const each of own) checkChanges(each, records, row.told?.(input), (each.after ?? each.before)?.[tenantBy])
      else
        expect(records).toContainEqual(expect.objectContaining({ entity: entity.name, changes: expect.objectContaining(renames(input)) }))
      const text = JSON.stringify([found, logged])
      if (erases) for (const id of Object.values(input)) expect(text).not.toContain(id)
      for (const each of erases ? [] : changed)
        if (!unsaid.includes(each.entity)) expect({ ...each, isSaid: mentions(text, each) }).toMatchObject({ isSaid: true })

      for (const line of logged) {
        const { id, changes = {} } = line
        expect(records).toContainEqual(
          expect.objectContaining({ flow: line.flow, entity: line.entity, id, changes: expect.objectContaining(changes) }),
        )
      }
      for (const secret of [...secretsIn(table, before), ...secretsIn(table, after), ...toldOnce(result)])
        expect(text).not.toContain(secret)

      await checkOnce(() => call(key), description, after)
    }

    /** A flow that returns a page takes no notice of a key; any other has no second effect. */
    async function checkOnce(again: () => Promise<unknown>, { returns }: FlowDescription, after: Lying): Promise<void> {
      if (returns === 'page') return
      const answer = await again().catch((error: unknown) => {
        if (!isFreeholdError(error)) throw error
        return error.details
      })
      expect(answer).toMatchObject({ replayed: true })
      expect(await lyingIn(scene.table)).toEqual(after)
    }
  })
}

/** The secrets that an answer tells once. */
const toldOnce = (result: unknown): readonly string[] => {
  const { text } = (result ?? {}) as Values
  return typeof text === 'string' ? [text] : []
}
