import type { Entity } from '../../design/entity.ts'
import { type Dependant, knownValue, ownerOf } from '../../design/relations.ts'
import { FreeholdError } from '../../errors.ts'
import { type Action, mergeActions, transactionActionsMax } from '../../plan/action.ts'
import { holds, unchanged } from '../../plan/condition.ts'
import { keyText, type TableKey, tableKey } from '../../plan/keys.ts'
import { deleteWhole, markWhole, unmarkWhole } from '../../plan/remove.ts'
import { type Sibling, siblingsOf } from '../../plan/siblings.ts'
import type { Stored } from '../../plan/stored.ts'
import { isOver } from '../../plan/view.ts'
import { damaged } from '../outcome.ts'
import { readItem, readItems } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { sendActions } from '../send-actions.ts'
import { dependantItems, ownerKey } from './enumerate.ts'
import { type Job, jobKey } from './job.ts'
import { advance, entityNamed, finishJob, LeaseLost, type Progress } from './progress.ts'

const step = 'remove'
const consistent = { consistent: true }

/** What goes with an item: where that was asked for, also what would keep it from going, and so on below that. */
function cascades(runtime: Runtime, entity: Entity, { inUse }: Job): readonly Dependant[] {
  return runtime.design.form
    .dependantsOf(entity)
    .filter(({ onRemove }) => onRemove === 'cascade' || (inUse !== undefined && onRemove === 'refuse'))
}

/** Nothing hangs on these: they go many at a time. */
function isLeaf(runtime: Runtime, { edge }: Dependant, job: Job): boolean {
  return edge?.sides.every((side) => cascades(runtime, side, job).length === 0) === true
}

/** Thrown where an item is not marked as it was: another worker has removed it, and what lies there now is not for this job to touch. */
class Gone extends Error {}

/**
 * That an item is still marked as it was read. Every removal of what hangs on it carries this: a worker that was silent for longer than its
 * lease may wake up when its job is long done, and the same edges are there again.
 */
function stillMarked(entity: Entity, item: Stored): Action {
  return {
    kind: 'check',
    key: tableKey(entity, item),
    conditions: [{ is: 'equal', attribute: 'deleting', value: item.deleting }],
    origin: { step, role: 'end', entity: entity.name },
  }
}

/** One transaction after the other: each checks the same mark, and would only keep the others from being applied. */
async function removeLeaves(runtime: Runtime, marked: Action, side: Entity, items: readonly Stored[], progress: Progress): Promise<void> {
  const part = side.form.part
  const each = part.kind === 'edge' ? part.edge.sides.length : 1
  const size = Math.max(1, Math.floor((transactionActionsMax - 1) / each))
  for (let at = 0; at < items.length; at += size) {
    let group = items.slice(at, at + size)
    const count = group.length
    while (group.length > 0) {
      const when = { step, now: runtime.now() }
      const deletions = group.flatMap((item) => deleteWhole(side, item, runtime.design.form, [unchanged(item)], when))
      const { failed } = await sendActions(runtime, mergeActions([marked, ...deletions]))
      if (failed.length === 0) break
      if (failed.some(({ action: { origin } }) => origin.role === 'end'))
        throw new Gone(`the ${marked.origin.entity} whose dependants were being removed is gone`)
      // Some were changed since they were read, or are gone.
      const keys = group.map((item) => tableKey(side, item))
      const found = await readItems(runtime, keys, consistent)
      group = [...found.values()].filter((item) => item !== undefined)
    }
    await advance(runtime, progress, count)
  }
}

/** The other sides of an edge that are there: damage may have taken one. */
async function siblingsThere(runtime: Runtime, entity: Entity, item: Stored): Promise<readonly Sibling[]> {
  const siblings = siblingsOf(entity, item)
  if (siblings.length === 0) return siblings
  const keys = siblings.map(({ key }) => key)
  const found = await readItems(runtime, keys, consistent)
  return siblings.filter(({ key }) => found.get(keyText(key)) !== undefined)
}

/** What makes an item go: the mark of what it hangs on, and the attributes by which it still hangs on that. */
interface Above {
  readonly marked: Action
  readonly hanging: Readonly<Record<string, unknown>>
  /** What makes that go in its turn. */
  readonly above: Above | undefined
}

/** True for an item that goes already, and is found again beneath itself: two items may refer to each other. */
function isGoing(above: Above | undefined, key: TableKey): boolean {
  return above !== undefined && (keyText(above.marked.key) === keyText(key) || isGoing(above.above, key))
}

function hangsOn(item: Stored, { hanging }: Above): boolean {
  return Object.entries(hanging).every(([name, value]) => item[name] === value)
}

/** The key of a guard or mirror is free once the life of its owner is over: what another has taken since is left alone (spec rule 7). */
async function stillOwn(runtime: Runtime, entity: Entity, item: Stored, actions: readonly Action[]): Promise<readonly Action[]> {
  if (!isOver(entity, item, runtime.now())) return actions
  const furthers = actions.filter(({ origin: { role } }) => role === 'guard' || role === 'mirror')
  const keys = furthers.map(({ key }) => key)
  const found = await readItems(runtime, keys, consistent)
  const isTaken = ({ key, conditions }: Action) => !conditions.every((condition) => holds(condition, found.get(keyText(key))))
  return actions.filter((action) => !furthers.includes(action) || !isTaken(action))
}

/**
 * Marks an item whatever its version is now; gives it as it lies there marked, or undefined where it is gone, or hangs elsewhere since it
 * was found.
 */
async function mark(runtime: Runtime, above: Above, entity: Entity, found: Stored, job: string): Promise<Stored | undefined> {
  let item: Stored | undefined = found
  while (item !== undefined && item.deleting === undefined && hangsOn(item, above)) {
    const siblings = await siblingsThere(runtime, entity, item)
    const actions = markWhole(entity, item, siblings, runtime.design.form, job, { step, now: runtime.now() })
    const { failed } = await sendActions(runtime, mergeActions([above.marked, ...(await stillOwn(runtime, entity, item, actions))]))
    if (failed.some(({ action: { origin } }) => origin.role === 'end')) throw new Gone(`the ${above.marked.origin.entity} above is gone`)
    const isStale = failed.some(({ action: { origin } }) => origin.role === 'item')
    const damage = failed.find(({ action: { origin } }) => origin.role === 'mirror' || origin.role === 'guard')
    if (damage !== undefined && !isStale) throw damaged(damage.action)
    item = await readItem(runtime, tableKey(entity, item), consistent)
  }
  return item !== undefined && hangsOn(item, above) ? item : undefined
}

/** Deletes, or unmarks, an item whose own action holds it to its mark. Throws `Gone` where that is another's by now, `MalformedItem` for damage. */
async function writeMarked(runtime: Runtime, actions: readonly Action[]): Promise<void> {
  const { failed } = await sendActions(runtime, mergeActions(actions))
  if (failed.some(({ action: { origin } }) => origin.role === 'item')) throw new Gone('the item is not marked as it was')
  const [damage] = failed
  if (damage !== undefined) throw damaged(damage.action)
}

/** Removes an item on which something may hang: it is marked first, so that nothing new can. `above`: what makes it go. */
async function removeNested(runtime: Runtime, above: Above, entity: Entity, found: Stored, progress: Progress): Promise<void> {
  if (isGoing(above, tableKey(entity, found))) return
  const item = await mark(runtime, above, entity, found, progress.job.id)
  if (item === undefined) return
  const own = [{ is: 'equal', attribute: 'deleting', value: item.deleting }] as const
  try {
    await removeDependants(runtime, entity, item, progress, above)
    const actions = deleteWhole(entity, item, runtime.design.form, own, { step, now: runtime.now() })
    await writeMarked(runtime, await stillOwn(runtime, entity, item, actions))
  } catch (error) {
    // Another job removed it, too, and was faster.
    if (!(error instanceof Gone)) throw error
  }
  await advance(runtime, progress, 1)
}

async function removeFound(runtime: Runtime, above: Above, side: Entity, found: Stored, progress: Progress): Promise<void> {
  const owner = ownerOf(side)
  if (owner === side) return removeNested(runtime, above, side, found, progress)
  const item = await readItem(runtime, ownerKey(owner, found), consistent)
  if (item !== undefined) return removeNested(runtime, above, owner, item, progress)
  // A mirror without its owner was written by other means, and goes by itself; or another worker has removed both.
  const origin = { step, role: 'mirror', entity: side.name } as const
  const { failed } = await sendActions(runtime, [above.marked, { kind: 'delete', key: tableKey(side, found), conditions: [], origin }])
  if (failed.length > 0) throw new Gone(`the ${above.marked.origin.entity} above is gone`)
}

/** The attributes by which a dependant hangs on an item, as they are on the dependant. The ends of an edge never change. */
function hangingOf({ known, edge }: Dependant, item: Stored): Readonly<Record<string, unknown>> {
  if (edge !== undefined) return {}
  return Object.fromEntries(Object.entries(known).map(([own, each]) => [own, knownValue(item, each)]))
}

async function removeDependants(runtime: Runtime, entity: Entity, item: Stored, progress: Progress, above?: Above): Promise<void> {
  const marked = stillMarked(entity, item)
  for (const dependant of cascades(runtime, entity, progress.job)) {
    const side = dependant.enumeration?.side
    for await (const page of dependantItems(runtime, entity, item, dependant)) {
      if (side === undefined) break
      if (isLeaf(runtime, dependant, progress.job)) await removeLeaves(runtime, marked, side, page, progress)
      else
        for (const found of page) await removeFound(runtime, { marked, hanging: hangingOf(dependant, item), above }, side, found, progress)
    }
  }
}

export function inUse({ name }: Entity, user: Entity): FreeholdError {
  return new FreeholdError('InUse', `This ${name} is in use by a ${user.name}.`, { entity: name, user: user.name })
}

/** The mark is gone: another worker was faster, and finishes the job. */
function takenOver(error: unknown): never {
  throw error instanceof Gone ? new LeaseLost(error.message) : error
}

/** What is kept from being removed by something that refers to it: named, or undefined. */
export async function userOf(runtime: Runtime, entity: Entity, item: Stored): Promise<Entity | undefined> {
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
  const user = job.inUse === undefined ? await userOf(runtime, entity, item) : undefined
  if (user !== undefined) {
    await writeMarked(runtime, [...unmarkWhole(entity, item, runtime.design.form, job.id, when), record]).catch(takenOver)
    throw inUse(entity, user)
  }
  const mine = [{ is: 'equal', attribute: 'deleting', value: job.id }] as const
  try {
    await removeDependants(runtime, entity, item, progress)
    await writeMarked(runtime, [...deleteWhole(entity, item, runtime.design.form, mine, when), record])
  } catch (error) {
    takenOver(error)
  }
  await advance(runtime, { ...progress, leaseUntil: Number.POSITIVE_INFINITY }, 1)
}
