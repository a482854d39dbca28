import type { Entity } from '../../design/entity.ts'
import { type Follower, ownerOf } from '../../design/relations.ts'
import { type Action, mergeActions, transactionActionsMax } from '../../plan/action.ts'
import { copiedValues } from '../../plan/copies.ts'
import type { Values } from '../../plan/input.ts'
import { tableKey } from '../../plan/keys.ts'
import type { Prepared } from '../../plan/step.ts'
import { type Stored, versionOf } from '../../plan/stored.ts'
import { sideBySide } from '../meter.ts'
import { readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { StepFailures, sendActions, writeSteps } from '../write.ts'
import { dependantItems, ownerKey } from './enumerate.ts'
import { advance, entityNamed, finishJob, type Progress } from './progress.ts'

const step = 'follow'

/** Thrown where what is copied from has changed meanwhile: what was copied is old, and all begins anew. */
class SourceChanged extends Error {}

interface Copying {
  readonly source: Stored
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
  return { source, check, values, absent: copies.map(({ attribute }) => attribute).filter((name) => values[name] === undefined) }
}

async function copyToSides(runtime: Runtime, side: Entity, items: readonly Stored[], { check, values, absent }: Copying): Promise<void> {
  let actions = items.map(
    (item): Action => ({
      kind: 'update',
      key: tableKey(side, item),
      set: values,
      remove: absent,
      add: { version: 1 },
      conditions: [{ is: 'present' }],
      origin: { step, role: 'side', entity: side.name },
    }),
  )
  while (actions.length > 0) {
    const failed = await sendActions(runtime, mergeActions([check, ...actions]))
    if (failed.some(({ action }) => action.origin.role === 'end')) throw new SourceChanged('the source of copies has changed')
    // An edge that was removed meanwhile has no copies to follow.
    const gone = new Set(failed.map(({ action }) => action.key.PK + action.key.SK))
    if (gone.size === 0) return
    actions = actions.filter(({ key }) => !gone.has(key.PK + key.SK))
  }
}

/** An entity may have index keys, guards and followers of its own, so it is updated as by a caller. */
async function copyToEntity(runtime: Runtime, entity: Entity, found: Stored, { check, values, absent }: Copying): Promise<void> {
  const owner = ownerOf(entity)
  const key = ownerKey(owner, found)
  const prepared: Prepared = { step, verb: 'update', entity: owner, key, change: { set: values, remove: absent }, stamps: {} }
  try {
    await writeSteps(runtime, [prepared], [check])
  } catch (error) {
    if (!(error instanceof StepFailures)) throw error
    const failure = error.failures.get(step)
    if (failure?.code === 'NotFound' || failure?.code === 'BeingDeleted') return
    throw new SourceChanged('the source of copies has changed', { cause: failure })
  }
}

async function copyTo(runtime: Runtime, follower: Follower, page: readonly Stored[], values: Copying, progress: Progress): Promise<void> {
  const { side, dependant } = follower
  if (dependant.edge === undefined) {
    await sideBySide(page, (found) => copyToEntity(runtime, dependant.enumeration?.side ?? side, found, values))
    return advance(runtime, progress, page.length)
  }
  const size = transactionActionsMax - 1
  const groups = Array.from({ length: Math.ceil(page.length / size) }, (_, index) => page.slice(index * size, (index + 1) * size))
  for (const group of groups) {
    await copyToSides(runtime, side, group, values)
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
