import { creating, type Entity, type Id, type Item, removing, type Steps, updating } from '@freehold/table'
import type { ChangeEntry, FlowContext } from '../flow-host.ts'
import { returnedItem, viewOf } from '../items/live-item.ts'
import { idOfItem } from '../items/write-item.ts'
import { basisMin } from '../permission/permission-basis.ts'
import type { View } from '../records/recorded-changes.ts'
import { actionsMax, entryOf, tenantOfItem, writeRecorded } from '../records/recorded-write.ts'

/** Targets that an end gets edges to, and targets that it loses its edges to. */
export interface EdgeChange<T> {
  readonly add: readonly T[]
  readonly remove: readonly T[]
}

/**
 * The edges of one end: the links of a role, say, or the members of a group. `T` is a target as a caller names it, `F` a target as it was found: with
 * all that its edge needs.
 */
export interface EdgeKind<C extends FlowContext, N extends Entity, T, F extends T> {
  readonly end: N
  readonly edge: Entity
  /** The most edges that one transaction changes; see `edgesAtOnce`. */
  readonly atOnceMax: number
  /** The names under which the record of a change lists its targets. */
  readonly told: { readonly added: string; readonly removed: string }
  words(target: T): string
  /** The attributes of the edge to a target. */
  edgeOf(context: C, end: Id<N>, target: F): View
  /** True for an edge that does not say what the target asks for. It is changed, if that target is to be added. Left out for edges that say nothing. */
  differs?(there: View, target: F): boolean
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
 * The edge that an end has to a target: its own, its own with other attributes, none, or that of another tenant's end of the same id. The key of an
 * edge names no tenant, so there is room for one.
 */
type EdgeState = 'linked' | 'different' | 'free' | 'taken'

/** The part of a change that is still to be done. */
export interface OpenChange<F> extends EdgeChange<F> {
  /** Targets whose edges are there and differ. */
  readonly change: readonly F[]
}

/**
 * The most edges that one transaction changes beside the permission basis, whose check of the tenant is counted in `others`, and the record of the
 * call.
 * @param others actions for the end with its derived items, the tenant and the record
 * @param actionsEach actions for each edge with its derived items and checks
 */
export function edgesAtOnce(others: number, actionsEach: number): number {
  return Math.floor((actionsMax - others - basisMin) / actionsEach)
}

/** Reads and writes of edges of one kind. */
export function edgesOf<C extends FlowContext, N extends Entity, T, F extends T>(kind: EdgeKind<C, N, T, F>) {
  const { edge, edgeOf, told, words } = kind
  const entity: Entity = kind.end

  /** Reads the edges to these targets and no others, however many the end has. */
  const states = async (context: C, end: Id<N>, targets: readonly F[]) => {
    const found = await kind.read(context, end, targets)
    const tenantOf = (view: View) => tenantOfItem(context, edge, view)
    const { attribute = '' } = context.table.runtime.design.form.tenantOf?.(edge) ?? {}
    // A tenant that is copied is that of the end itself.
    const isCopied = edge.attributes[attribute]?.presence === 'copied'
    const stateOf = (target: F, there: View | undefined): EdgeState => {
      if (there === undefined) return 'free'
      if (!isCopied && tenantOf(there) !== tenantOf(edgeOf(context, end, target))) return 'taken'
      return kind.differs?.(there, target) === true ? 'different' : 'linked'
    }
    const all = new Map(targets.map((target, index) => [target, stateOf(target, found[index])]))
    const inState = (state: EdgeState, some = targets) => some.filter((target) => all.get(target) === state)
    return { linked: inState('linked'), free: inState('free'), taken: inState('taken'), inState }
  }

  /** The part of a change that is still to be done. `taken`: targets that are to be added and cannot be. */
  const outstanding = async (context: C, end: Id<N>, change: EdgeChange<T>) => {
    const { add, remove } = await kind.find(context, change)
    const { inState } = await states(context, end, [...add, ...remove])
    return {
      add: inState('free', add),
      change: inState('different', add),
      remove: [...inState('linked', remove), ...inState('different', remove)],
      taken: inState('taken', add),
    }
  }

  /** The part of a change that does not hold, of an end that may not be open. `taken`: of the targets to be added. */
  const left = async (
    context: C,
    end: Item<N>,
    { add, remove }: EdgeChange<T>,
  ): Promise<EdgeChange<T> & { readonly taken: readonly T[] }> => {
    if (kind.isOpen(end)) {
      const open = await outstanding(context, idOfItem(kind.end, end), { add, remove })
      return { ...open, add: [...open.add, ...open.change, ...open.taken] }
    }
    const has = kind.otherwise?.(end) ?? (() => false)
    return { add: add.filter((target) => !has(target)), remove: remove.filter(has), taken: [] }
  }

  /** The steps of a change of at most `atOnceMax` edges. */
  const steps = (context: C, end: Id<N>, { add, change = [], remove }: EdgeChange<F> & Partial<OpenChange<F>>): Steps => {
    const edgeTo = (target: F) => edgeOf(context, end, target)
    const changed = (view: View) => {
      const key = idOfItem(edge, view)
      const said = Object.fromEntries(Object.entries(view).filter(([name]) => !Object.hasOwn(key, name)))
      // The attributes of the edge that are not its key.
      return updating(edge, key, said as never)
    }
    return Object.fromEntries([
      ...add.map((target, index) => [`add ${index}`, creating(edge, edgeTo(target) as never)] as const),
      ...change.map((target, index) => [`change ${index}`, changed(edgeTo(target))] as const),
      ...remove.map((target, index) => [`remove ${index}`, removing(edge, idOfItem(edge, edgeTo(target)))] as const),
    ])
  }

  /**
   * Changes edges of an end, at most `atOnceMax`, in one recorded transaction. It counts as a write of the end: decisions that rest on the edges name
   * the version of the end.
   * @param change `add`: targets that are free; `change`: targets whose edges differ; `remove`: targets that have edges
   */
  const write = async (
    context: C,
    item: Item<N>,
    change: EdgeChange<F> & Partial<OpenChange<F>>,
    entry: Partial<ChangeEntry> = {},
  ): Promise<Item<N>> => {
    const end: View = item
    const id = idOfItem(kind.end, end)
    const touched = updating(entity, id as never, {} as never, { version: Number(end.version) })
    const more = {
      [told.added]: [...change.add, ...(change.change ?? [])].map(words),
      [told.removed]: change.remove.map(words),
      ...entry.more,
    }
    const record = { ...entryOf(context, entity, end), ...entry, more }
    const written = await writeRecorded(context, { end: touched, ...steps(context, id, change) }, record)
    return viewOf<N>(returnedItem(entity, written.end))
  }

  return Object.freeze({ kind, states, outstanding, left, steps, write })
}

export type EdgesOf<C extends FlowContext, N extends Entity, T, F extends T> = ReturnType<typeof edgesOf<C, N, T, F>>
