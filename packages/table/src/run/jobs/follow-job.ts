import { isDeepStrictEqual } from 'node:util'
import type { Entity } from '../../design/entity.ts'
import { type Follower, ownerOf } from '../../design/relations.ts'
import type { ErrorCode } from '../../errors.ts'
import { type Action, mergeActions, transactionActionsMax } from '../../plan/action.ts'
import { copiedValues } from '../../plan/copies.ts'
import type { Values } from '../../plan/input.ts'
import { tableKey } from '../../plan/keys.ts'
import type { Prepared } from '../../plan/step.ts'
import { type Stored, versionOf } from '../../plan/stored.ts'
import { readItem, readItems } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { StepFailures, sendActions, writeSteps } from '../write.ts'
import { dependantItems, ownerKey } from './enumerate.ts'
import type { Job } from './job.ts'
import { advance, entityNamed, finishJob, LeaseLost, type Progress } from './progress.ts'

const step = 'follow'

/** Thrown where what is copied from has changed meanwhile: what was copied is old, and all begins anew. */
class SourceChanged extends Error {}

interface Copying {
  /** Holds every write only while the source has the version that is copied (spec rule 11). */
  readonly check: Action
  readonly values: Values
  readonly absent: readonly string[]
}

function copying(entity: Entity, source: Stored, { copies }: Follower): Copying {
  const through = copies[0]?.through ?? ''
  const values = copiedValues(copies, new Map([[through, source]]))
  const check: Action = {
    kind: 'check',
    key: tableKey(entity, source),
    conditions: [{ is: 'live' }, { is: 'version', version: versionOf(source) }],
    origin: { step, role: 'end', entity: entity.name },
  }
  return { check, values, absent: copies.map(({ attribute }) => attribute).filter((name) => values[name] === undefined) }
}

function isCopied(item: Stored, { values, absent }: Copying): boolean {
  return (
    Object.entries(values).every(([name, value]) => isDeepStrictEqual(item[name], value)) &&
    absent.every((name) => item[name] === undefined)
  )
}

function copyAction(side: Entity, item: Stored, { values, absent }: Copying): Action {
  const version = versionOf(item)
  return {
    kind: 'update',
    key: tableKey(side, item),
    set: { ...values, version: version + 1 },
    remove: absent,
    // The version that was read, so that the write is recognised if its answer is lost.
    conditions: [{ is: 'present' }, { is: 'version', version }],
    origin: { step, role: 'side', entity: side.name },
  }
}

async function copyToSides(runtime: Runtime, side: Entity, items: readonly Stored[], copying: Copying): Promise<void> {
  let stale = items.filter((item) => !isCopied(item, copying))
  while (stale.length > 0) {
    const actions = stale.map((item) => copyAction(side, item, copying))
    const failed = await sendActions(runtime, mergeActions([copying.check, ...actions]))
    if (failed.length === 0) return
    if (failed.some(({ action }) => action.origin.role === 'end')) throw new SourceChanged('the source of copies has changed')
    // Edges were written or removed meanwhile: what is there now, and has no such copy yet, is tried again.
    const keys = stale.map((item) => tableKey(side, item))
    const found = await readItems(runtime, keys, { consistent: true })
    stale = [...found.values()].filter((item) => item !== undefined).filter((item) => !isCopied(item, copying))
  }
}

/** The most actions that one item can take: it, its guards and mirrors moved, and a job for copies of its own. */
function actionsEach(runtime: Runtime, entity: Entity): number {
  return 2 + 2 * runtime.design.form.furthersOf(entity).length
}

/** Copies of these elsewhere follow in turn. A job that another worker has taken over goes on there. */
async function followOn(runtime: Runtime, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) {
    try {
      await runFollowJob(runtime, { job, done: 0, leaseUntil: Date.parse(job.leaseUntil) })
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error
    }
  }
}

/**
 * An entity may have index keys, guards and followers of its own, so it is updated as by a caller: what it copies through `reference` is
 * read again, wherever that leads by now. What went, or refers to what is going, is left alone.
 */
async function copyToEntities(runtime: Runtime, owner: Entity, items: readonly Stored[], reference: string): Promise<void> {
  const change = { set: {}, remove: [] }
  let steps = items.map((found, index): Prepared => {
    return {
      step: `${step} ${index}`,
      verb: 'update',
      entity: owner,
      key: ownerKey(owner, found),
      change,
      stamps: {},
      refreshed: reference,
    }
  })
  while (steps.length > 0) {
    try {
      const { jobs } = await writeSteps(runtime, steps)
      return await followOn(runtime, jobs)
    } catch (error) {
      if (!(error instanceof StepFailures)) throw error
      const blocked = [...error.failures.values()].find(({ code }) => !isGoing.has(code))
      if (blocked !== undefined) throw blocked
      steps = steps.filter((each) => !error.failures.has(each.step))
    }
  }
}

/** Errors of what is gone or going: it needs no copies any more. */
const isGoing: ReadonlySet<ErrorCode> = new Set(['NotFound', 'BeingDeleted', 'MissingEnd'])

/** The items that carry the copies; edges may have been found by their other side. */
async function carriersOf(runtime: Runtime, { side, dependant }: Follower, page: readonly Stored[]): Promise<readonly Stored[]> {
  if (dependant.enumeration?.side === side) return page
  const keys = page.map((item) => tableKey(side, item))
  const found = await readItems(runtime, keys, { consistent: true })
  return [...found.values()].filter((item) => item !== undefined)
}

async function copyTo(runtime: Runtime, follower: Follower, page: readonly Stored[], values: Copying, progress: Progress): Promise<void> {
  const { side, dependant } = follower
  const owner = ownerOf(side)
  const each = dependant.edge === undefined ? actionsEach(runtime, owner) : 1
  const size = Math.max(1, Math.floor((transactionActionsMax - 1) / each))
  const carriers = dependant.edge === undefined ? page : await carriersOf(runtime, follower, page)
  for (let at = 0; at < carriers.length; at += size) {
    const group = carriers.slice(at, at + size)
    if (dependant.edge === undefined) await copyToEntities(runtime, owner, group, dependant.reference?.attribute ?? '')
    else await copyToSides(runtime, side, group, values)
    await advance(runtime, progress, group.length)
  }
}

/** Brings every copy of an item's attributes up to date, however many there are (spec rule 11). Safe to run twice. */
export async function runFollowJob(runtime: Runtime, progress: Progress): Promise<void> {
  const { job } = progress
  const entity = entityNamed(runtime, job.entity)
  for (;;) {
    const source = await readItem(runtime, job.key, { consistent: true })
    // What goes takes its copies with it.
    if (source === undefined || source.deleting !== undefined) return finishJob(runtime, job)
    try {
      for (const follower of runtime.design.form.followersOf(entity)) {
        const values = copying(entity, source, follower)
        for await (const page of dependantItems(runtime, entity, source, follower.dependant))
          await copyTo(runtime, follower, page, values, progress)
      }
      return await finishJob(runtime, job)
    } catch (error) {
      if (!(error instanceof SourceChanged)) throw error
    }
  }
}
