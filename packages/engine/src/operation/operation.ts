import { checkShape, type Shape } from '../request/shape.ts'
import type { Reading, Writing } from '../store/store.ts'
import type { Catalog } from '../table/catalog.ts'

/** What operations work with. */
export interface Context {
  readonly catalog: Catalog
  readonly now_ms: () => number
  /** @param isConsistent false if the reader takes what an earlier instant had */
  read<T>(isConsistent: boolean, work: (reading: Reading) => T): T
  write<T>(work: (writing: Writing) => T): Promise<T>
  /** Goes on with what an operation has left to do, while requests do, too. */
  goOn(): void
}

export interface Operation {
  run(context: Context, input: Readonly<Record<string, unknown>>): object | Promise<object>
}

/**
 * @param shape the members of a request that have rules. A request that keeps them has the form of `I`.
 */
export function operation<I extends object>(shape: Shape, run: (context: Context, input: I) => object | Promise<object>): Operation {
  return {
    run(context, input) {
      checkShape(shape, input)
      // The shape was checked; contents whose form depends on more are `unknown` in it.
      return run(context, input as unknown as I)
    },
  }
}
