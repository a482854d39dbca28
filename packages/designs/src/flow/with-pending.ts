import { collectPending, type Pendable } from '@freehold/table/runtime'

/**
 * What a flow gives, with the durable jobs that it left: they stand beside the attributes that it gives, or alone where it gives nothing. A list has no
 * place for them; flows that give one only read.
 */
export async function withPending<R>(run: () => Promise<R>): Promise<R> {
  const { result, pending } = await collectPending(run)
  const hasPlace = result === undefined || (typeof result === 'object' && !Array.isArray(result))
  if (pending.length === 0 || !hasPlace) return result
  // A flow that gives nothing gives a `Pendable` instead, which its callers may leave alone.
  return { ...result, pending } satisfies Pendable as R
}
