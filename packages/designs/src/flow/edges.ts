import { creating, type Entity, type Id, type Item, removing, type Steps, updating } from '@freehold/table'
import { idOfItem } from './change-item.ts'
import type { ChangeEntry, FlowContext } from './flow-host.ts'
import { entryOf, tenantOfItem } from './item-entry.ts'
import { basisMin } from './permission-basis.ts'
import type { View } from './recorded-changes.ts'
import { actionsMax, writeRecorded } from './recorded-write.ts'

/** Targets that an end gets edges to, and targets that it loses its edges to. */
export interface EdgeChange<T> {
  readonly add: readonly T[]
  readonly remove: readonly T[]
}

/**
 * The edges of one end: the links of a role, say, or the members of a group. `T` is a target as a caller names it, `F` a target as it was found: with
 * all that its edge needs.
 */
export interface Edges<C extends FlowContext, N extends Entity, T, F extends T> {
  readonly end: N
  readonly edge: Entity
  /** The most edges that one transaction changes; see `edgesAtOnce`. */
  readonly atOnceMax: number
  /** The names under which the record of a change lists its targets. */
  readonly told: { readonly added: string; readonly removed: string }
  words(target: T): string
  /** The attributes of the edge to a target. */
  edgeOf(context: C, end: Id<N>, target: F): View
  /** Reads the edges to these targets consistently, in their order. */
  read(context: C, end: Id<N>, targets: readonly F[]): Promise<readonly (View | undefined)[]>
  /** The targets as they are now. A target that is gone is left out: nobody has an edge to it any more. */
  find(context: C, change: EdgeChange<T>): Promise<EdgeChange<F>>
  /** False for an end whose edges must not be changed as it is now. */
  isOpen(end: Item<N>): boolean
  /** True for each target that an end which is not open has without an edge. */
  otherwise?(end: Item<N>): (target: T) => boolean
}

/**
 * The most edges that one transaction changes beside the permission basis, whose check of the tenant is counted in `besides`.
 * @param besides actions for the end with its derived items, the tenant and the record
 * @param actionsEach actions for each edge with its derived items and checks
 */
export function edgesAtOnce(besides: number, actionsEach: number): number {
  return Math.floor((actionsMax - besides - (basisMin - 1)) / actionsEach)
}

/** Targets, by the edge that an end has to each. */
export interface EdgeStates<F> {
  readonly linked: readonly F[]
  readonly free: readonly F[]
  /** Another tenant's end of the same id has an edge to these. The key of an edge names no tenant, so there is room for one. */
  readonly taken: readonly F[]
}

/** Reads the edges to these targets and no others, however many the end has. */
export async function edgeStates<C extends FlowContext, N extends Entity, T, F extends T>(
  context: C,
  edges: Edges<C, N, T, F>,
  end: Id<N>,
  targets: readonly F[],
): Promise<EdgeStates<F>> {
  const found = await edges.read(context, end, targets)
  const tenantOf = (edge: View) => tenantOfItem(context, edges.edge, edge)
  const states = targets.map((target, index): keyof EdgeStates<F> => {
    const edge = found[index]
    if (edge === undefined) return 'free'
    return tenantOf(edge) === tenantOf(edges.edgeOf(context, end, target)) ? 'linked' : 'taken'
  })
  const inState = (state: keyof EdgeStates<F>) => targets.filter((_, index) => states[index] === state)
  return { linked: inState('linked'), free: inState('free'), taken: inState('taken') }
}

/** The part of a change that is still to be done. `taken`: targets that are to be added and cannot be. */
export async function outstanding<C extends FlowContext, N extends Entity, T, F extends T>(
  context: C,
  edges: Edges<C, N, T, F>,
  end: Id<N>,
  change: EdgeChange<T>,
): Promise<EdgeChange<F> & Pick<EdgeStates<F>, 'taken'>> {
  const { add, remove } = await edges.find(context, change)
  const states = await edgeStates(context, edges, end, [...add, ...remove])
  const [free, linked, taken] = [new Set(states.free), new Set(states.linked), new Set(states.taken)]
  return {
    add: add.filter((target) => free.has(target)),
    remove: remove.filter((target) => linked.has(target)),
    taken: add.filter((target) => taken.has(target)),
  }
}

/** The steps of a change of at most `atOnceMax` edges. */
export function edgeSteps<C extends FlowContext, N extends Entity, T, F extends T>(
  context: C,
  edges: Edges<C, N, T, F>,
  end: Id<N>,
  { add, remove }: EdgeChange<F>,
): Steps {
  const { edge } = edges
  const edgeOf = (target: F) => edges.edgeOf(context, end, target)
  const added = add.map((target, index) => [`add ${index}`, creating(edge, edgeOf(target) as never)] as const)
  const removed = remove.map((target, index) => [`remove ${index}`, removing(edge, idOfItem(edge, edgeOf(target)))] as const)
  return Object.fromEntries([...added, ...removed])
}

/**
 * Changes edges of an end, at most `atOnceMax`, in one recorded transaction. It counts as a write of the end: decisions that rest on the edges name
 * the version of the end.
 * @param change `add`: targets that are free; `remove`: targets that are linked
 */
export async function writeEdges<C extends FlowContext, N extends Entity, T, F extends T>(
  context: C,
  edges: Edges<C, N, T, F>,
  item: Item<N>,
  { add, remove }: EdgeChange<F>,
  entry: Partial<ChangeEntry> = {},
): Promise<void> {
  const end: View = item
  const id = idOfItem(edges.end, end)
  const plain: Entity = edges.end
  const touched = updating(plain, id as never, {} as never, { version: Number(end.version) })
  const more = { [edges.told.added]: add.map(edges.words), [edges.told.removed]: remove.map(edges.words), ...entry.more }
  const steps = { end: touched, ...edgeSteps(context, edges, id, { add, remove }) }
  await writeRecorded(context, steps, { ...entryOf(context, plain, end), ...entry, more })
}
