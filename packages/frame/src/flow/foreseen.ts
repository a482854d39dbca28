import { isFreeholdError } from '@freehold/table'
import { shared, type TableKey, tableKeyIfPresent } from '@freehold/table/runtime'
import type { Flow, Foreseen } from './flow.ts'
import type { FlowContext, FlowHost } from './flow-host.ts'
import { readInput } from './input/input-attributes.ts'

type Values = Readonly<Record<string, unknown>>

/** The keys of items; none for those whose keys these values do not make. */
function keysOf(items: () => Foreseen): readonly TableKey[] {
  try {
    return items().flatMap(([entity, id]) => tableKeyIfPresent(entity, id as never) ?? [])
  } catch (error) {
    // The call itself refuses such an input.
    if (isFreeholdError(error)) return []
    throw error
  }
}

/**
 * The keys of the items that a call reads in any case, as far as its input alone tells them: they are read together, with the calling user. None for an input
 * that the flow refuses. The function that gives them takes what counts where the input does not say it: the user's own tenant.
 * @param named gives the flow, if there is one
 * @param read the input, which may be known in part
 */
export function foreseenBy(
  { reads: readsOfDesign }: Pick<FlowHost, 'reads'>,
  named: () => Flow<never>,
  raw: unknown,
  read = (of: Flow<never>, given: unknown): Values => readInput(of.name, of.input, given),
): (known?: Values) => readonly TableKey[] {
  let given: Values | undefined
  return (known = {}) =>
    keysOf(() => {
      const flow = named()
      given ??= read(flow, raw)
      const input = { ...known, ...given }
      const isWhole = Object.entries(flow.input).every(([name, { presence }]) => presence !== 'given' || Object.hasOwn(input, name))
      // A flow reads its own input.
      return [...(isWhole ? (flow.reads?.(input as never) ?? []) : []), ...(readsOfDesign?.(input) ?? [])]
    })
}

/** Notes items that a flow is going to read: they come along with the next one. */
export function foresee({ table }: Pick<FlowContext, 'table'>, items: Foreseen): void {
  table.runtime.reads?.foresee(keysOf(() => items))
}

const begun = new WeakMap<object, Map<string, () => Promise<unknown>>>()

/** Work that one attempt of a flow does once, whichever part of it wants that first: it rests on what the attempt read. */
export function onceFor<T>({ basis }: Pick<FlowContext, 'basis'>, name: string, work: () => Promise<T>): Promise<T> {
  if (basis === undefined) return work()
  const known = begun.get(basis) ?? new Map<string, () => Promise<unknown>>()
  begun.set(basis, known)
  const wait = known.get(name) ?? shared(work)
  known.set(name, wait)
  // A name stands for work of one kind.
  return wait() as Promise<T>
}
