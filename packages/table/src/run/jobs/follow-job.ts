import { isDeepStrictEqual } from 'node:util'
import type { Entity } from '../../design/form.ts'
import { type Follower, ownerOf } from '../../design/relations.ts'
import { type ErrorCode, FreeholdError, isFreeholdError } from '../../errors.ts'
import { type Action, mergeActions, transactionActionsMax } from '../../plan/action.ts'
import { unchanged } from '../../plan/condition.ts'
import { copiedValues } from '../../plan/copies.ts'
import type { Values } from '../../plan/input.ts'
import { type TableKey, tableKey } from '../../plan/keys.ts'
import type { Prepared } from '../../plan/step.ts'
import { type Stored, versionOf } from '../../plan/stored.ts'
import { readItem, readItems } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { sendActions } from '../send-actions.ts'
import { StepFailures, writeSteps } from '../write.ts'
import { dependantItems, ownerKey } from './enumerate.ts'
import type { Job } from './job.ts'
import { advance, deleteJobRecord, entityNamed, jobActionsMax, LeaseLost, type Progress, releaseLease, WaitEnded } from './progress.ts'

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
    conditions: [{ is: 'live' }, unchanged(source)],
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
  return {
    kind: 'update',
    key: tableKey(side, item),
    set: { ...values, version: versionOf(item) + 1 },
    remove: absent,
    conditions: [{ is: 'present' }, unchanged(item)],
    origin: { step, role: 'side', entity: side.name },
  }
}

async function copyToSides(runtime: Runtime, side: Entity, items: readonly Stored[], copying: Copying): Promise<void> {
  let stale = items.filter((item) => !isCopied(item, copying))
  while (stale.length > 0) {
    const actions = stale.map((item) => copyAction(side, item, copying))
    const { failed } = await sendActions(runtime, mergeActions([copying.check, ...actions]))
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
  return 2 + 2 * runtime.design.form.derivedItemsOf(entity).length
}

/** Copies of these elsewhere follow in turn. A job that another worker has taken over goes on there, and is left to it. */
async function followOn(runtime: Runtime, jobs: readonly Job[], { until_ms, left }: Progress): Promise<void> {
  for (const [index, job] of jobs.entries()) {
    const progress: Progress = { job, done: 0, leaseUntil: Date.parse(job.leaseUntil), until_ms, left }
    try {
      await runFollowJob(runtime, progress)
    } catch (error) {
      const isTakenOver = error instanceof LeaseLost
      left?.push(...(isTakenOver ? [job] : jobs.slice(index)))
      if (error instanceof WaitEnded) await releaseLease(runtime, progress)
      if (!isTakenOver) throw error
    }
  }
}

/** What no copy reaches, since it is not as it should be. It is told once all others have theirs; the job stays, and reaches it once it is repaired. */
function notReached({ name }: Entity, { PK, SK }: Readonly<Record<keyof TableKey, unknown>>): FreeholdError {
  const message = `The change was made. The ${name} at '${PK}' / '${SK}' is not as it should be, so what it copies of that did not reach it.`
  return new FreeholdError('MalformedItem', message, { entity: name, key: { PK: String(PK), SK: String(SK) } })
}

/** Undefined where what was found does not lead to its owner. */
function ownerKeyIfWhole(owner: Entity, found: Stored): TableKey | undefined {
  try {
    return ownerKey(owner, found)
  } catch (error) {
    if (isFreeholdError(error, 'InvalidKey')) return undefined
    throw error
  }
}

type Copied = Extract<Prepared, { readonly verb: 'update' | 'move' }>

/** Writes them in one transaction, but for what went, or refers to what is going. Gives the step of one that cannot be written. */
async function writeCopies(runtime: Runtime, all: readonly Copied[], progress: Progress): Promise<Copied | undefined> {
  let steps = all
  let damaged: Copied | undefined
  while (steps.length > 0) {
    try {
      const { jobs } = await writeSteps(runtime, steps)
      await followOn(runtime, jobs, progress)
      return damaged
    } catch (error) {
      if (!(error instanceof StepFailures)) throw error
      const { failures } = error
      const blocked = [...failures.values()].find(({ code }) => !isGoing.has(code) && code !== 'MalformedItem')
      if (blocked !== undefined) throw blocked
      damaged ??= steps.find((each) => failures.get(each.step)?.code === 'MalformedItem')
      steps = steps.filter((each) => !failures.has(each.step))
    }
  }
  return damaged
}

/** The same where one of them has no keys by what is stored of it: each by itself. */
async function writeEach(runtime: Runtime, steps: readonly Copied[], progress: Progress): Promise<Copied | undefined> {
  let damaged: Copied | undefined
  for (const one of steps) {
    try {
      const met = await writeCopies(runtime, [one], progress)
      damaged ??= met
    } catch (error) {
      if (!isFreeholdError(error, 'InvalidKey')) throw error
      damaged ??= one
    }
  }
  return damaged
}

/**
 * An entity may have index keys, guards and followers of its own, so it is updated as by a caller: what it copies through `reference` is
 * read again, wherever that leads by now. Gives the error of what could not be reached.
 */
async function copyToEntities(
  runtime: Runtime,
  { side, dependant }: Follower,
  items: readonly Stored[],
  progress: Progress,
): Promise<FreeholdError | undefined> {
  const entity = ownerOf(side)
  const refreshed = dependant.reference?.attribute ?? ''
  const change = { set: {}, remove: [] }
  const keys = items.map((found) => ownerKeyIfWhole(entity, found))
  const lost = items.find((_, index) => keys[index] === undefined)
  const steps = keys.flatMap((key, index): Copied[] =>
    key === undefined ? [] : [{ step: `${step} ${index}`, verb: 'update', entity, key, change, stamps: {}, refreshed }],
  )
  const damaged = await writeCopies(runtime, steps, progress).catch((error: unknown) => {
    if (!isFreeholdError(error, 'InvalidKey')) throw error
    return writeEach(runtime, steps, progress)
  })
  if (lost !== undefined) return notReached(side, { PK: lost.PK, SK: lost.SK })
  return damaged === undefined ? undefined : notReached(entity, damaged.key)
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

/**
 * Gives the error of the first that could not be reached. One transaction after the other: each checks the source, so that a worker that wakes up late
 * never writes an old copy last, and transactions that check one item keep each other from being applied (ADR 20).
 */
async function copyTo(
  runtime: Runtime,
  follower: Follower,
  page: readonly Stored[],
  values: Copying,
  progress: Progress,
): Promise<FreeholdError | undefined> {
  const { side, dependant } = follower
  const each = dependant.edge === undefined ? actionsEach(runtime, ownerOf(side)) : 1
  const size = Math.max(1, Math.floor((jobActionsMax(runtime, transactionActionsMax) - 1) / each))
  const carriers = dependant.edge === undefined ? page : await carriersOf(runtime, follower, page)
  let damage: FreeholdError | undefined
  for (let at = 0; at < carriers.length; at += size) {
    const group = carriers.slice(at, at + size)
    if (dependant.edge === undefined) {
      const met = await copyToEntities(runtime, follower, group, progress)
      damage ??= met
    } else await copyToSides(runtime, side, group, values)
    await advance(runtime, progress, group.length)
  }
  return damage
}

/**
 * Brings every copy of an item's attributes up to date, however many there are (spec rule 11). Safe to run twice. Throws `MalformedItem`, all others
 * having theirs, where one of the items that copy is not as it should be.
 */
export async function runFollowJob(runtime: Runtime, progress: Progress): Promise<void> {
  const { job } = progress
  const entity = entityNamed(runtime, job.entity)
  for (;;) {
    const source = await readItem(runtime, job.key, { consistent: true })
    // What goes takes its copies with it.
    if (source === undefined || source.deleting !== undefined) return deleteJobRecord(runtime, job)
    let damage: FreeholdError | undefined
    try {
      for (const follower of runtime.design.form.followersOf(entity)) {
        const values = copying(entity, source, follower)
        for await (const page of dependantItems(runtime, entity, source, follower.dependant))
          damage = (await copyTo(runtime, follower, page, values, progress)) ?? damage
      }
      if (damage === undefined) return await deleteJobRecord(runtime, job)
    } catch (error) {
      if (!(error instanceof SourceChanged)) throw error
      continue
    }
    throw damage
  }
}
