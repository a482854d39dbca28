import type { Operation } from './operation.ts'

const writes: ReadonlySet<Operation> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'])

/** True for an operation whose units are those of writes. */
export function isWrite(operation: Operation): boolean {
  return writes.has(operation)
}

interface Capacity {
  readonly CapacityUnits?: unknown
}

/** The units of a capacity. A value that is not a number counts as none: a malformed answer must not stop the counting. */
function unitsIn(capacity: unknown): number {
  const { CapacityUnits: units } = (capacity ?? {}) as Capacity
  return typeof units === 'number' && Number.isFinite(units) ? units : 0
}

/** The request units of an output, as far as it tells them. */
export function unitsOf(output: object): number {
  const { ConsumedCapacity: capacity } = output as { readonly ConsumedCapacity?: unknown }
  return Array.isArray(capacity) ? capacity.reduce((sum: number, each: unknown) => sum + unitsIn(each), 0) : unitsIn(capacity)
}
