import { isFreeholdError } from '@freehold/table'
import { type TableKey, tableKeyIfPresent } from '@freehold/table/runtime'
import type { Flow } from './flow.ts'
import type { FlowHost } from './flow-host.ts'
import { readInput } from './input/input-attributes.ts'

/**
 * The keys of the items that a call reads in any case, as far as its input alone tells them: they are read together, with the calling user. None for an input
 * that the flow refuses.
 */
export function foreseenBy({ reads: readsOfDesign }: Pick<FlowHost, 'reads'>, flow: Flow<never>, raw: unknown): readonly TableKey[] {
  try {
    const input = readInput(flow.name, flow.input, raw)
    // A flow reads its own input.
    const own = flow.reads?.(input as never) ?? []
    return [...own, ...(readsOfDesign?.({ ...input }) ?? [])].flatMap(([entity, id]) => tableKeyIfPresent(entity, id as never) ?? [])
  } catch (error) {
    // The call itself refuses such an input.
    if (isFreeholdError(error)) return []
    throw error
  }
}
