import type { Entity } from '../../design/entity.ts'
import { type Dependant, ownerOf } from '../../design/relations.ts'
import { FreeholdError } from '../../errors.ts'
import { type Action, mergeActions, transactionActionsMax } from '../../plan/action.ts'
import { tableKey } from '../../plan/keys.ts'
import { deleteWhole, markWhole, unmarkWhole } from '../../plan/remove.ts'
import type { Stored } from '../../plan/stored.ts'
import { sideBySide } from '../meter.ts'
import { readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { applyActions, sendActions } from '../write.ts'
import { dependantItems, ownerKey } from './enumerate.ts'
import { jobKey } from './job.ts'
import { advance, entityNamed, finishJob, type Progress } from './progress.ts'

const step = 'remove'
const consistent = { consistent: true }

function cascades(runtime: Runtime, entity: Entity): readonly Dependant[] {
  return runtime.design.form.dependantsOf(entity).filter(({ onRemove }) => onRemove === 'cascade')
}

/** Nothing hangs on these: they go many at a time. */
function isLeaf(runtime: Runtime, { edge }: Dependant): boolean {
  return edge?.sides.every((side) => cascades(runtime, side).length === 0) === true
}

async function removeLeaves(runtime: Runtime, side: Entity, items: readonly Stored[], progress: Progress): Promise<void> {
  const part = side.form.part
  const each = part.kind === 'edge' ? part.edge.sides.length : 1
  const size = Math.max(1, Math.floor(transactionActionsMax / each))
  const groups = Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
  await sideBySide(groups, async (group) => {
    // Their end is marked, so nobody makes them anew: they go without conditions, and twice is the same as once.
    await sendActions(
      runtime,
      mergeActions(group.flatMap((item) => deleteWhole(side, item, runtime.design.form, [], { step, now: runtime.now() }))),
    )
    await advance(runtime, progress, group.length)
  })
}

/** Marks an item whatever its version is now; gives it as it lies there marked, or undefined where it is gone. */
async function mark(runtime: Runtime, entity: Entity, found: Stored, job: string): Promise<Stored | undefined> {
  let item: Stored | undefined = found
  while (item !== undefined && item.deleting === undefined) {
    const actions = markWhole(entity, item, runtime.design.form, job, { step, now: runtime.now() })
    await sendActions(runtime, mergeActions(actions))
    item = await readItem(runtime, tableKey(entity, item), consistent)
  }
  return item
}

/** Removes an item on which something may hang: it is marked first, so that nothing new can. */
async function removeNested(runtime: Runtime, entity: Entity, found: Stored, progress: Progress): Promise<void> {
  const item = await mark(runtime, entity, found, progress.job.id)
  if (item === undefined) return
  await removeDependants(runtime, entity, item, progress)
  await applyActions(runtime, mergeActions(deleteWhole(entity, item, runtime.design.form, [], { step, now: runtime.now() })))
  await advance(runtime, progress, 1)
}

async function removeFound(runtime: Runtime, side: Entity, found: Stored, progress: Progress): Promise<void> {
  const owner = ownerOf(side)
  if (owner === side) return removeNested(runtime, side, found, progress)
  const item = await readItem(runtime, ownerKey(owner, found), consistent)
  if (item !== undefined) return removeNested(runtime, owner, item, progress)
  // A mirror without its owner was written by other means; it goes by itself.
  await sendActions(runtime, [
    { kind: 'delete', key: tableKey(side, found), conditions: [], origin: { step, role: 'mirror', entity: side.name } },
  ])
}

async function removeDependants(runtime: Runtime, entity: Entity, item: Stored, progress: Progress): Promise<void> {
  for (const dependant of cascades(runtime, entity)) {
    const side = dependant.enumeration?.side
    for await (const page of dependantItems(runtime, entity, item, dependant)) {
      if (side === undefined) break
      if (isLeaf(runtime, dependant)) await removeLeaves(runtime, side, page, progress)
      else for (const found of page) await removeFound(runtime, side, found, progress)
    }
  }
}

/** What is kept from being removed by something that refers to it: named, or undefined. */
async function userOf(runtime: Runtime, entity: Entity, item: Stored): Promise<Entity | undefined> {
  for (const dependant of runtime.design.form.dependantsOf(entity)) {
    if (dependant.onRemove !== 'refuse') continue
    for await (const page of dependantItems(runtime, entity, item, dependant, 1)) if (page.length > 0) return dependant.entity
  }
  return undefined
}

/**
 * Removes a marked item: its edges and dependants, then itself, in the transaction that ends the job (spec rule 12). Throws `InUse`, with
 * the mark taken off again, where the design refuses that.
 */
export async function runRemoveJob(runtime: Runtime, progress: Progress): Promise<void> {
  const { job } = progress
  const entity = entityNamed(runtime, job.entity)
  const item = await readItem(runtime, job.key, consistent)
  if (item === undefined || item.deleting !== job.id) return finishJob(runtime, job)
  const when = { step, now: runtime.now() }
  const record: Action = { kind: 'delete', key: jobKey(job.id), conditions: [], origin: { step: 'job', role: 'job', entity: 'Job' } }
  const user = await userOf(runtime, entity, item)
  if (user !== undefined) {
    await applyActions(runtime, mergeActions([...unmarkWhole(entity, item, runtime.design.form, job.id, when), record]))
    throw new FreeholdError('InUse', `This ${entity.name} is in use by a ${user.name}.`, { entity: entity.name, user: user.name })
  }
  await removeDependants(runtime, entity, item, progress)
  const mine = [{ is: 'equal', attribute: 'deleting', value: job.id }] as const
  await applyActions(runtime, mergeActions([...deleteWhole(entity, item, runtime.design.form, mine, when), record]))
  await advance(runtime, { ...progress, leaseUntil: Number.POSITIVE_INFINITY }, 1)
}
