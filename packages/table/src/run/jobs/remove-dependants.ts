import { ownerOf } from '../../design/relations.ts'
import { unchanged } from '../../plan/condition.ts'
import { isOfTarget } from '../../plan/dependants.ts'
import { keyText, tableKey } from '../../plan/keys.ts'
import { deleteWhole, markWhole } from '../../plan/remove.ts'
import { siblingsOf } from '../../plan/siblings.ts'
import { type Stored, versionOf, writeIdName } from '../../plan/stored.ts'
import { readRange } from '../collection.ts'
import { consistent, readItem, readItems } from '../read.ts'
import { type DependantRange, dependantRanges, type Found, foundIn, type Marked } from './dependant-ranges.ts'
import { ownerKey } from './enumerate.ts'
import { advance } from './progress.ts'
import { cascades, checkNotStopped, hangsOn, keyOf, pieces, type Removable, type Removal, stillMarked, write } from './removal.ts'
import { removalRecord } from './removal-record.ts'
import { deleteOne, markOne } from './remove-one.ts'
import { pack, type Unit, writeUnits } from './write-units.ts'

const step = 'remove'

/** Items of a page: DynamoDB's largest page, or fewer if many ranges are read in parallel, so that memory is bounded. */
const pageItemsMax = 1000
const pageItemsOfMany = 100

/** True if the design gives the item no dependants: it needs no mark, and is deleted together with many others. */
function isLeaf({ runtime }: Removal, { entity, dependant: { edge } }: Removable): boolean {
  const isBare = (side: typeof entity) => runtime.design.form.dependantsOf(side).every(({ onRemove }) => onRemove === 'keep')
  return (edge?.sides ?? [entity]).every(isBare)
}

/** Removes the dependants of marked items, at all levels. Dependants that are gone or refer elsewhere by now are skipped. */
export async function removeDependants(removal: Removal, marked: readonly Marked[]): Promise<void> {
  const { runtime } = removal
  const ranges = dependantRanges(runtime.design.form, marked, (entity) => cascades(removal, entity))
  const limit = ranges.length > 1 ? pageItemsOfMany : pageItemsMax
  const first = await pieces(removal, ranges, (range) => readFound(removal, range, limit))
  await removeFound(
    removal,
    first.flatMap(({ found }) => found),
  )
  await pieces(
    removal,
    first.filter(({ last }) => last !== undefined),
    async ({ range, last }) => {
      for (let after = last; after !== undefined; ) {
        const page = await readFound(removal, range, pageItemsMax, after)
        await removeFound(removal, page.found)
        after = page.last
      }
    },
  )
}

interface FoundPage {
  readonly range: DependantRange
  readonly found: readonly Found[]
  /** The sort key after which more items may follow. */
  readonly last?: string | undefined
}

async function readFound(removal: Removal, range: DependantRange, limit: number, after?: string): Promise<FoundPage> {
  await checkNotStopped(removal)
  const { items, isLast } = await readRange(removal.runtime, range.partition, range.range, { limit, after })
  const last = items.at(-1)?.SK
  return { range, found: foundIn(range, items), last: isLast || last === undefined ? undefined : String(last) }
}

/** Removes the dependants that one round of reading found, one kind after the other: two kinds may share dependants of their own. */
async function removeFound(removal: Removal, found: readonly Found[]): Promise<void> {
  const { removable, strays } = await removablesOf(removal, found)
  for (const dependant of new Set(found.map((each) => each.dependant))) {
    const ofKind = removable.filter((each) => each.dependant === dependant)
    const [first] = ofKind
    if (first !== undefined) await (isLeaf(removal, first) ? removeLeaves(removal, ofKind) : removeNested(removal, ofKind))
  }
  await pieces(removal, strays, (stray) => removeStray(removal, stray))
}

/**
 * The found dependants, as they are now, whose items are still marked. The marks are read last: a worker that was silent for longer than
 * its lease may find reused keys long after its job was done, and then the mark is gone.
 */
async function removablesOf(removal: Removal, found: readonly Found[]): Promise<{ removable: Removable[]; strays: Found[] }> {
  const known = found.map((each) => {
    const owner = ownerOf(each.side)
    return { ...each, owner, key: owner === each.side ? tableKey(owner, each.item) : ownerKey(owner, each.item) }
  })
  const rest = known.filter(({ key }) => !removal.going.has(keyText(key)))
  const hidden = rest.filter(({ owner, side }) => owner !== side)
  const owners = await readItems(
    removal.runtime,
    hidden.map(({ key }) => key),
    consistent,
  )
  const marked = await stillMarked(
    removal,
    rest.map(({ above }) => above),
  )
  const removable: Removable[] = []
  const strays: Found[] = []
  for (const { above, dependant, side, item, owner, key } of rest) {
    if (!marked.has(above)) continue
    const own = owner === side ? item : owners.get(keyText(key))
    if (own !== undefined) {
      const each: Removable = { entity: owner, item: own, above, dependant }
      if (hangsOn(removal, each)) removable.push(each)
    } else if (isOfTarget(removal.runtime.design.form, side, item, dependant, above)) strays.push({ above, dependant, side, item })
  }
  return { removable, strays }
}

function deletion(removal: Removal, removable: Removable): Unit {
  const { entity, item } = removable
  const { runtime } = removal
  const deleted = deleteWhole(entity, item, runtime.design.form, [unchanged(item)], { step, now: runtime.now() })
  return { removable, actions: [...deleted, ...removalRecord(removal, entity, item)] }
}

async function removeLeaves(removal: Removal, leaves: readonly Removable[]): Promise<void> {
  const { groups, late } = pack(
    removal,
    leaves.map((removable) => deletion(removal, removable)),
  )
  await pieces(removal, groups, async (group) => {
    const { done, left } = await writeUnits(removal, group)
    if (done.length > 0) await advance(removal.runtime, removal.progress, done.length)
    for (const { removable } of left) await removeOne(removal, removable)
  })
  for (const { removable } of late) await removeOne(removal, removable)
}

function marking(removal: Removal, removable: Removable): Unit {
  const { runtime, progress } = removal
  const { entity, item } = removable
  if (item.deleting !== undefined) return { removable, actions: [] }
  const siblings = siblingsOf(entity, item)
  return {
    removable,
    actions: markWhole(entity, item, siblings, runtime.design.form, progress.job.id, { step, now: runtime.now(), isBeneath: true }),
  }
}

/** Removes items that may have dependants. They are marked first, so that they get no new ones. */
async function removeNested(removal: Removal, nested: readonly Removable[]): Promise<void> {
  // Deleting an item takes at least as many actions as marking it.
  const { groups, late } = pack(
    removal,
    nested.map((removable) => deletion(removal, removable)),
  )
  await pieces(removal, groups, (group) => {
    const all = group.map(({ removable }) => removable)
    return removeGroup(removal, all)
  })
  for (const { removable } of late) await removeOne(removal, removable)
}

/** Marks a group, removes its dependants, and deletes the group: three steps for many items instead of three for each. */
async function removeGroup(removal: Removal, group: readonly Removable[]): Promise<void> {
  const { runtime, progress } = removal
  const { going } = removal
  const marks = group.map((removable) => marking(removal, removable))
  const { done, writeId, left } = await writeUnits(
    removal,
    marks.filter(({ actions }) => actions.length > 0),
  )
  const asMarked = ({ item }: Removable): Stored => ({
    ...item,
    deleting: progress.job.id,
    version: versionOf(item) + 1,
    [writeIdName]: writeId,
  })
  const before = marks.filter(({ actions }) => actions.length === 0).map(({ removable }) => removable)
  const marked = [...before, ...done.map(({ removable }) => ({ ...removable, item: asMarked(removable) }))].filter(
    (removable) => !going.has(keyText(keyOf(removable))),
  )
  const late = left.map(({ removable }) => removable)
  await whileGoing(removal, marked, async () => {
    await removeDependants(removal, marked)
    const deleted = await writeUnits(
      removal,
      marked.map((removable) => deletion(removal, removable)),
    )
    late.push(...deleted.left.map(({ removable }) => removable))
    if (deleted.done.length > 0) await advance(runtime, progress, deleted.done.length)
  })
  for (const removable of late) await removeOne(removal, removable)
}

async function whileGoing<T>({ going }: Removal, marked: readonly Marked[], work: () => Promise<T>): Promise<T> {
  const places = marked.map((each) => keyText(keyOf(each)))
  for (const place of places) going.add(place)
  try {
    return await work()
  } finally {
    for (const place of places) going.delete(place)
  }
}

/** Removes an item that has changed since it was read. Reads it again until it is removed, or refers elsewhere. */
async function removeOne(removal: Removal, removable: Removable): Promise<void> {
  const { runtime, progress, going } = removal
  const { entity, above } = removable
  for (;;) {
    await checkNotStopped(removal)
    const item = await readItem(runtime, keyOf(removable), consistent)
    if (item === undefined || !hangsOn(removal, { ...removable, item }) || going.has(keyText(keyOf(removable)))) return
    // Checked after the read, since the item above may be a successor under the same key.
    if (!(await stillMarked(removal, [above])).has(above)) return
    if (isLeaf(removal, removable)) {
      if (!(await deleteOne(removal, entity, item))) continue
      return advance(runtime, progress, 1)
    }
    if (item.deleting === undefined && !(await markOne(removal, entity, item))) continue
    const marked = item.deleting === undefined ? await readItem(runtime, keyOf(removable), consistent) : item
    if (marked?.deleting === undefined) continue
    const isDeleted = await whileGoing(removal, [{ entity, item: marked }], async () => {
      await removeDependants(removal, [{ entity, item: marked }])
      return deleteOne(removal, entity, marked)
    })
    if (isDeleted) return advance(runtime, progress, 1)
  }
}

/** Removes a lookup item without an owner, which another program wrote. If another worker has removed both, nothing matches. */
async function removeStray(removal: Removal, { side, item }: Found): Promise<void> {
  const origin = { step, role: 'mirror', entity: side.name } as const
  await write(removal, [{ kind: 'delete', key: tableKey(side, item), conditions: [unchanged(item)], origin }])
}
