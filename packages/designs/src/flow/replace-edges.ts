import type { Attributes, Entity, ErrorCode, Id, Item } from '@freehold/table'
import { idOfItem } from './change-item.ts'
import type { WrittenJob } from './durable-job.ts'
import { type EdgeChange, type EdgeStates, type Edges, outstanding, writeEdges } from './edges.ts'
import type { ChangeEntry, FlowContext } from './flow-host.ts'
import { entryOf } from './item-entry.ts'
import { viewOf } from './new-item.ts'
import type { InputOf } from './read-input.ts'
import { recordAlone } from './recorded-write.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

/** Errors by which a target, an edge or the end came or went meanwhile. */
const overtaken: readonly ErrorCode[] = ['AlreadyExists', 'MissingEnd', 'NotFound', 'BeingDeleted']

/** Looks at the whole end: two if nobody else changes it. More than these mean that somebody keeps the job from ending. */
const looksMax = 20

/** The record names no more targets of a change that ended early. It says how many there are. */
const toldMax = 100

/** The end of a job, if it is there and stays. */
async function endNow<N extends Entity>({ table }: FlowContext, entity: N, id: Id<N>): Promise<Item<N> | undefined> {
  const found = await table.repositoryNamed(entity.name).get(id, { consistent: true })
  return found === undefined || found.deleting !== undefined ? undefined : viewOf<N>(found)
}

/** The part of a change that does not hold. `taken`: of the targets to be added, those that another end of this id has. */
export async function edgesLeft<C extends FlowContext, N extends Entity, T, F extends T>(
  context: C,
  edges: Edges<C, N, T, F>,
  end: Item<N>,
  { add, remove }: EdgeChange<T>,
): Promise<EdgeChange<T> & Pick<EdgeStates<T>, 'taken'>> {
  if (edges.isOpen(end)) {
    const left = await outstanding(context, edges, idOfItem(edges.end, end), { add, remove })
    return { ...left, add: [...left.add, ...left.taken] }
  }
  const has = edges.otherwise?.(end) ?? (() => false)
  return { add: add.filter((target) => !has(target)), remove: remove.filter(has), taken: [] }
}

/** Records the part of a change that was not done, and why: nobody must believe that it was. */
async function recordLeft<C extends FlowContext, N extends Entity, T, F extends T>(
  context: C,
  edges: Edges<C, N, T, F>,
  id: Id<N>,
  change: EdgeChange<T>,
  reason?: string,
): Promise<void> {
  const end = await endNow(context, edges.end, id)
  if (end === undefined) return
  const { add, remove, taken } = await edgesLeft(context, edges, end, change)
  const left = add.length + remove.length
  if (left === 0) return
  const words = (targets: readonly T[]) => targets.slice(0, toldMax).map(edges.words)
  const { added, removed } = edges.told
  const because = reason ?? (taken.length > 0 ? 'LinkedToAnother' : 'OthersChanged')
  const more = { reason: because, left, [`not_${added}`]: words(add), [`not_${removed}`]: words(remove) }
  await recordAlone(context, { ...entryOf(context, edges.end, end), status: 'failure', more })
}

/** A part of a change that one transaction holds. */
interface Piece<T> extends EdgeChange<T> {
  /** Shared by all pieces of a change: true once the end is gone, or not open any more. */
  readonly all: { isOver: boolean }
}

/** First all that is added, then all that is removed. */
function* piecesOf<T>({ add, remove }: EdgeChange<T>, atOnceMax: number): Generator<Piece<T>, void, void> {
  const removedBefore = (index: number) => Math.max(0, index - add.length)
  const all = { isOver: false }
  for (let start = 0; start < add.length + remove.length && !all.isOver; start += atOnceMax) {
    const end = start + atOnceMax
    yield { add: add.slice(start, end), remove: remove.slice(removedBefore(start), removedBefore(end)), all }
  }
}

/** A durable job that changes the edges of one end. */
export interface ReplacingEdges<C extends FlowContext, I extends Attributes, N extends Entity, T, F extends T>
  extends Pick<WrittenJob<C, I, Piece<T>>, 'name' | 'flow' | 'input' | 'subject' | 'within' | 'needs' | 'whenDenied'> {
  endOf(input: InputOf<I>): Id<N>
  /** The change that was asked for: at the end, the job records what is left of it. Absent for a job that finds out by looking. */
  asked?(input: InputOf<I>): EdgeChange<T>
  /**
   * Looks at the end and gives the next change, until there is none. `looks`: how many came before this one. Absent: the change that was asked for,
   * once.
   */
  next?(context: C, input: InputOf<I>, looks: number): Promise<EdgeChange<T> | undefined>
  /** Throws `Denied` for targets that the caller may not add. */
  check?(context: C, input: InputOf<I>, add: readonly F[]): Promise<void>
  /** More for the record of each piece. */
  entry?(input: InputOf<I>): Partial<ChangeEntry>
}

/**
 * Brings the edges of an end to a content, in pieces as large as a transaction holds. The caller's permission is decided again for each piece, and
 * each is recorded. Idempotent: an edge that is there is not added again, and others' changes after a piece stay, unless the job is run again. At
 * the end the job records what it did not do, also where it stops because the caller may not go on.
 */
export function replaceEdges<C extends FlowContext, I extends Attributes, N extends Entity, T, F extends T>(
  edges: Edges<C, N, T, F>,
  { endOf, asked, next, check, entry, ...job }: ReplacingEdges<C, I, N, T, F>,
): WrittenJob<C, I, Piece<T>> {
  const look = async (context: C, input: InputOf<I>, looks: number) => {
    if (next !== undefined) return retryOnConflict(context.table.runtime, () => next(context, input, looks), overtaken)
    return looks === 0 ? asked?.(input) : undefined
  }
  const change = async (acting: C, { add, remove, all }: Piece<T>, input: InputOf<I>) => {
    const end = await endNow(acting, edges.end, endOf(input))
    all.isOver = end === undefined || !edges.isOpen(end)
    if (end === undefined || all.isOver) return
    const left = await outstanding(acting, edges, endOf(input), { add, remove })
    await check?.(acting, input, left.add)
    if (left.add.length + left.remove.length > 0) await writeEdges(acting, edges, end, left, entry?.(input))
  }
  const tell = async (context: C, input: InputOf<I>, reason?: string) => {
    if (asked !== undefined) await recordLeft(context, edges, endOf(input), asked(input), reason)
  }
  return {
    ...job,
    each: async function* (context, input, { advance }) {
      for (let looks = 0; looks < looksMax; looks++) {
        const found = await look(context, input, looks)
        if (next !== undefined) await advance(1)
        if (found === undefined) return
        yield* piecesOf(found, edges.atOnceMax)
      }
    },
    does: (acting, piece, input) => retryOnConflict(acting.table.runtime, () => change(acting, piece, input), overtaken),
    size: ({ add, remove }) => add.length + remove.length,
    stopped: (context, input, reason) => tell(context, input, reason),
    done: (context, input) => tell(context, input),
  }
}
