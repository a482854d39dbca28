import type { Attributes, Entity, ErrorCode, Id, Item } from '@freehold/table'
import type { WrittenJob } from '../durable-job.ts'
import type { ChangeEntry, FlowContext } from '../flow-host.ts'
import type { InputOf } from '../input/input-attributes.ts'
import { viewOf } from '../items/live-item.ts'
import { entryOf, recordAlone } from '../records/recorded-write.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import type { EdgeChange, EdgesOf } from './edges.ts'

/** Errors by which a target, an edge or the end came or went meanwhile. */
const overtaken: readonly ErrorCode[] = ['AlreadyExists', 'MissingEnd', 'NotFound', 'BeingDeleted']

/** Looks at the whole end: two if nobody else changes it. More than these mean that somebody keeps the job from ending. */
const looksMax = 20

/** The record names no more targets of a change that ended early. It says how many there are. */
const toldMax = 100

/** A part of a change that one transaction holds. */
interface Piece<T> extends EdgeChange<T> {
  /** Shared by all pieces of a change: false once the end is gone, or not open any more. */
  readonly all: { isOpen: boolean }
}

/** First all that is added, then all that is removed. */
function* piecesOf<T>({ add, remove }: EdgeChange<T>, atOnceMax: number): Generator<Piece<T>, void, void> {
  const removedBefore = (index: number) => Math.max(0, index - add.length)
  const all = { isOpen: true }
  for (let start = 0; start < add.length + remove.length && all.isOpen; start += atOnceMax) {
    const end = start + atOnceMax
    yield { add: add.slice(start, end), remove: remove.slice(removedBefore(start), removedBefore(end)), all }
  }
}

/** A durable job that changes the edges of one end. */
export interface ReplacingEdges<C extends FlowContext, I extends Attributes, N extends Entity, T, F extends T>
  extends Pick<WrittenJob<C, I, Piece<T>>, 'name' | 'flow' | 'input' | 'subject' | 'within' | 'needs'> {
  endOf(input: InputOf<I>): Id<N>
  /** The change that was asked for: at the end, the job records the part that was not done. Absent for a job that finds out by looking. */
  asked?(input: InputOf<I>): EdgeChange<T>
  /** Looks at the end and gives the next change, until there is none. `looks`: those before this one. Absent: the change that was asked for, once. */
  next?(context: C, input: InputOf<I>, looks: number): Promise<EdgeChange<T> | undefined>
  /** Throws `Denied` for targets that the caller may not add. */
  check?(context: C, input: InputOf<I>, add: readonly F[]): Promise<void>
  /** More for the record of each piece. */
  entry?(input: InputOf<I>): Partial<ChangeEntry>
}

/**
 * Brings the edges of an end to a content, in pieces as large as a transaction holds. The caller's permission is decided again for each piece, and
 * each is recorded. Idempotent: an edge that is there is not added again, and others' changes after a piece stay, unless the job is run again. At
 * the end the job records the part that it did not do, also if it stops because the caller may not go on.
 */
export function replaceEdges<C extends FlowContext, I extends Attributes, N extends Entity, T, F extends T>(
  { kind, left, outstanding, write }: EdgesOf<C, N, T, F>,
  { endOf, asked, next, check, entry, ...job }: ReplacingEdges<C, I, N, T, F>,
): WrittenJob<C, I, Piece<T>> {
  const { name } = kind.end
  const { added, removed } = kind.told
  /** The end, if it is there and stays. */
  const endNow = async ({ table }: C, input: InputOf<I>): Promise<Item<N> | undefined> => {
    const found = await table.repositoryNamed(name).get(endOf(input), { consistent: true })
    return found === undefined || found.deleting !== undefined ? undefined : viewOf<N>(found)
  }
  const look = async (context: C, input: InputOf<I>, looks: number) => {
    if (next === undefined) return looks === 0 ? asked?.(input) : undefined
    return retryOnConflict(context.table.runtime, () => next(context, input, looks), overtaken)
  }
  const change = async (acting: C, { add, remove, all }: Piece<T>, input: InputOf<I>) => {
    const end = await endNow(acting, input)
    all.isOpen = end !== undefined && kind.isOpen(end)
    if (end === undefined || !all.isOpen) return
    const open = await outstanding(acting, endOf(input), { add, remove })
    await check?.(acting, input, [...open.add, ...open.change])
    if (open.add.length + open.change.length + open.remove.length > 0) await write(acting, end, open, entry?.(input))
  }
  /** Records the part that was not done, and why: nobody must believe that it was. */
  const recordLeft = async (context: C, input: InputOf<I>, reason?: string) => {
    const end = asked === undefined ? undefined : await endNow(context, input)
    if (asked === undefined || end === undefined) return
    const { add, remove, taken } = await left(context, end, asked(input))
    if (add.length + remove.length === 0) return
    const words = (targets: readonly T[]) => targets.slice(0, toldMax).map(kind.words)
    const more = {
      reason: reason ?? (taken.length > 0 ? 'LinkedToAnother' : 'OthersChanged'),
      left: add.length + remove.length,
      [`not_${added}`]: words(add),
      [`not_${removed}`]: words(remove),
    }
    await recordAlone(context, { ...entryOf(context, kind.end, end), status: 'failure', more })
  }
  return {
    ...job,
    about: (input) => ({ entity: kind.end, id: endOf(input) }),
    each: async function* (context, input, { advance }) {
      for (let looks = 0; looks < looksMax; looks++) {
        const found = await look(context, input, looks)
        if (next !== undefined) await advance(1)
        if (found === undefined) return
        yield* piecesOf(found, kind.atOnceMax)
      }
    },
    does: (acting, piece, input) => retryOnConflict(acting.table.runtime, () => change(acting, piece, input), overtaken),
    size: ({ add, remove }) => add.length + remove.length,
    stopped: recordLeft,
    done: (context, input) => recordLeft(context, input),
  }
}
