import type { Copy, Edge, Entity } from '../../design/form.ts'
import { type Follower, ownerOf } from '../../design/relations.ts'
import { type ErrorCode, FreeholdError, isFreeholdError } from '../../errors.ts'
import { mergeActions, transactionActionsMax } from '../../plan/action.ts'
import { copiesOf } from '../../plan/create.ts'
import { findable } from '../../plan/dependants.ts'
import { keyText, type TableKey, tableKey } from '../../plan/keys.ts'
import type { Prepared } from '../../plan/step.ts'
import type { Stored } from '../../plan/stored.ts'
import { tenantOfItem } from '../../plan/tenant-scope.ts'
import { readItem, readItems } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { sendActions } from '../send-actions.ts'
import { StepFailures, writeSteps } from '../write.ts'
import { bringsTenant, type Copying, copyAction, copyingOf, copyingThere, followStep, isCopied } from './copying.ts'
import { dependantItems, ownerKey } from './enumerate.ts'
import { type Job, lease_ms, putJob } from './job.ts'
import { advance, deleteJobRecord, entityNamed, jobActionsMax, LeaseLost, type Progress, releaseLease, WaitEnded } from './progress.ts'

/** Thrown when the source of copies has changed: the copied values are old, so the job begins again. */
class SourceChanged extends Error {}

/** True if others copy these copies from the items of an edge. Then each item that gets them has a job of its own. */
function isCopiedOn(runtime: Runtime, { side, copies }: Follower): boolean {
  const { part } = side.form
  const isOfAllEnds = part.kind === 'edge' && bringsTenant(runtime, side, copies)
  const copied: readonly Copy[] = isOfAllEnds ? (part.edge.copies[side.name] ?? []) : copies
  const others = runtime.design.form.followersOf(side)
  return others.some((other) => other.copies.some(({ from }) => copied.some(({ attribute }) => attribute === from)))
}

function jobOf(runtime: Runtime, side: Entity, item: Stored): Job {
  const { design, worker } = runtime
  const now = runtime.now()
  const tenant = tenantOfItem(design.form, side, item)
  return {
    id: runtime.making().ulid(),
    kind: 'follow',
    entity: side.name,
    key: tableKey(side, item),
    createdAt: now.toISOString(),
    done: 0,
    holder: worker,
    leaseUntil: new Date(now.getTime() + lease_ms).toISOString(),
    ...(tenant === undefined ? {} : { tenant }),
  }
}

async function copyToSides(
  runtime: Runtime,
  follower: Follower,
  items: readonly Stored[],
  copying: Copying,
  progress: Progress,
): Promise<void> {
  const { side } = follower
  const isSource = isCopiedOn(runtime, follower)
  let stale = items.filter((item) => !isCopied(item, copying))
  while (stale.length > 0) {
    const copies = await Promise.all(stale.map(async (item) => [copying, ...(await copyingThere(runtime, side, item, copying))]))
    const checks = new Map(copies.flat().map(({ check }) => [keyText(check.key), check]))
    const actions = stale.map((item, index) => copyAction(side, item, copies[index] ?? []))
    const jobs = isSource ? stale.map((item) => jobOf(runtime, side, item)) : []
    const { failed } = await sendActions(runtime, mergeActions([...checks.values(), ...actions, ...jobs.map(putJob)]))
    if (failed.length === 0) return followOn(runtime, jobs, progress)
    if (failed.some(({ action }) => action.origin.role === 'end')) throw new SourceChanged('the source of copies has changed')
    // Edges were written or removed meanwhile. Those that exist now and have an old copy are tried again.
    const keys = stale.map((item) => tableKey(side, item))
    const found = await readItems(runtime, keys, { consistent: true })
    stale = [...found.values()].filter((item) => item !== undefined).filter((item) => !isCopied(item, copying))
  }
}

/** The largest number of actions for one item: the item, its moved derived items, and a job for copies of its own. */
function actionsEach(runtime: Runtime, entity: Entity): number {
  return 2 + 2 * runtime.design.form.derivedItemsOf(entity).length
}

/** The same for an item of an edge: the item, a job for copies of its own, and checks of its other ends if it comes to another tenant. */
function actionsOfSide(runtime: Runtime, follower: Follower, { ends }: Edge): number {
  const { side, copies } = follower
  return 1 + (isCopiedOn(runtime, follower) ? 1 : 0) + (bringsTenant(runtime, side, copies) ? ends.length - 1 : 0)
}

/** Runs the jobs for copies of copies. A job that another worker has taken over is left to that worker. */
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

/**
 * The error for a damaged item that cannot get its copy. It is thrown after all others have theirs. The job stays, and a repaired item gets
 * the copy.
 */
function notReached({ name }: Entity, { PK, SK }: Readonly<Record<keyof TableKey, unknown>>): FreeholdError {
  const message = `The change was made. The ${name} at '${PK}' / '${SK}' is damaged, so it did not get its copy.`
  return new FreeholdError('MalformedItem', message, { entity: name, key: { PK: String(PK), SK: String(SK) } })
}

/** Undefined if the found item does not lead to its owner. */
function ownerKeyIfWhole(owner: Entity, found: Stored): TableKey | undefined {
  try {
    return ownerKey(owner, found)
  } catch (error) {
    if (isFreeholdError(error, 'InvalidKey')) return undefined
    throw error
  }
}

type Copied = Extract<Prepared, { readonly verb: 'update' | 'move' }>

/**
 * Writes copies in one transaction, without items that are removed or refer to a removed item. Returns the step of one that cannot be
 * written.
 */
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

/** Writes copies one by one, if the stored values of one of them give no key. */
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
 * Updates entities as a caller would, since they may have index keys, guards and followers of their own. Copies through `reference` are
 * read again, even if it leads elsewhere by now. Returns the error of an item that could not get its copy.
 */
async function copyToEntities(
  runtime: Runtime,
  { side, dependant }: Follower,
  items: readonly Stored[],
  progress: Progress,
): Promise<FreeholdError | undefined> {
  const entity = ownerOf(side)
  const refreshed = dependant.reference?.attribute ?? ''
  const keys = items.map((found) => ownerKeyIfWhole(entity, found))
  const lost = items.find((_, index) => keys[index] === undefined)
  const steps = keys.flatMap((key, index): Copied[] =>
    key === undefined ? [] : [refreshing(entity, key, refreshed, `${followStep} ${index}`)],
  )
  const damaged = await writeCopies(runtime, steps, progress).catch((error: unknown) => {
    if (!isFreeholdError(error, 'InvalidKey')) throw error
    return writeEach(runtime, steps, progress)
  })
  if (lost !== undefined) return notReached(side, { PK: lost.PK, SK: lost.SK })
  return damaged === undefined ? undefined : notReached(entity, damaged.key)
}

/** The update that copies through one reference of an item again. */
function refreshing(entity: Entity, key: TableKey, refreshed: string, name: string): Copied {
  const change = { set: {}, remove: [], atomic: [] }
  return { step: name, verb: 'update', entity, key, id: {}, change, stamps: {}, refreshed }
}

/** Copies again through each reference of the item itself. */
async function refreshOwn(runtime: Runtime, entity: Entity, progress: Progress): Promise<void> {
  if (entity.form.part.kind === 'edge') return // Its copies are written while it is marked, too.
  for (const through of new Set(copiesOf(entity).map((copy) => copy.through)))
    await writeEach(runtime, [refreshing(entity, progress.job.key, through, followStep)], progress)
}

/**
 * Errors of an item that is removed or being removed: it needs no copies. If its removal is refused, the job of that removal goes on with them
 * (`isSpared`).
 */
const isGoing: ReadonlySet<ErrorCode> = new Set(['NotFound', 'BeingDeleted', 'MissingEnd'])

/** The items that have the copies. Edges may have been found by their other side. */
async function carriersOf(runtime: Runtime, { side, dependant }: Follower, page: readonly Stored[]): Promise<readonly Stored[]> {
  if (dependant.enumeration?.side === side) return page
  const keys = page.map((item) => tableKey(side, item))
  const found = await readItems(runtime, keys, { consistent: true })
  return [...found.values()].filter((item) => item !== undefined)
}

/**
 * Writes copies to one kind of items. Returns the error of the first that could not get its copy. Transactions follow each other: each
 * checks the source, so that a late worker never writes an old copy last, and parallel checks of one item would cancel each other (ADR 7).
 */
async function copyTo(
  runtime: Runtime,
  follower: Follower,
  page: readonly Stored[],
  values: Copying,
  progress: Progress,
): Promise<FreeholdError | undefined> {
  const { side, dependant } = follower
  const each = dependant.edge === undefined ? actionsEach(runtime, ownerOf(side)) : actionsOfSide(runtime, follower, dependant.edge)
  const size = Math.max(1, Math.floor((jobActionsMax(runtime, transactionActionsMax) - 1) / each))
  const carriers = dependant.edge === undefined ? page : await carriersOf(runtime, follower, page)
  let damage: FreeholdError | undefined
  for (let at = 0; at < carriers.length; at += size) {
    const group = carriers.slice(at, at + size)
    if (dependant.edge === undefined) {
      const met = await copyToEntities(runtime, follower, group, progress)
      damage ??= met
    } else await copyToSides(runtime, follower, group, values, progress)
    await advance(runtime, progress, group.length)
  }
  return damage
}

/**
 * Updates every copy of an item's attributes, however many there are (spec rule 11). Safe to run twice. Throws `MalformedItem` if an item
 * with a copy is damaged, after all others have theirs.
 */
export async function runFollowJob(caller: Runtime, progress: Progress): Promise<void> {
  const { job } = progress
  // Items without a tenant may have copies of a tenant's, which the tenant itself could not write.
  const runtime: Runtime = { ...caller, tenant: undefined, tenantScope: undefined }
  const entity = entityNamed(runtime, job.entity)
  if (job.isSpared === true) await refreshOwn(runtime, entity, progress)
  for (;;) {
    const source = await readItem(runtime, job.key, { consistent: true })
    // A removed item needs no copies: its dependants are removed with it, or keep theirs. One that is spared has a job of its own.
    if (source === undefined || source.deleting !== undefined) return deleteJobRecord(runtime, job)
    let damage: FreeholdError | undefined
    try {
      for (const follower of findable(runtime.design.form.followersOf(entity))) {
        const values = await copyingOf(runtime, entity, source, follower)
        if (values === undefined) continue
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
