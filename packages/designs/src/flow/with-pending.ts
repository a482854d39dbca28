import { collectPending, type Pendable } from '@freehold/table'

/** What a flow gives, with the durable jobs that it left: they stand beside what it gives, or alone where it gives nothing. */
export async function withPending<R>(run: () => Promise<R>): Promise<R> {
  const { result, pending } = await collectPending(run)
  if (pending.length === 0) return result
  // A flow that gives nothing gives a `Pendable` instead, which its callers may leave alone.
  return { ...result, pending } satisfies Pendable as R
}
