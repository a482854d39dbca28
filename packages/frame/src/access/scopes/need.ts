import type { Attributes } from '@freehold/table'
import type { Evidence, Reason } from '../../decision/decision.ts'
import type { LoadResult } from '../../decision/record.ts'
import type { Fields } from '../link.ts'
import type { Reads } from '../reads.ts'
import type { Path } from './scope-chain.ts'
import type { ScopeFacts } from './scope-nodes.ts'

/** A question as it was read, by its fields. */
export type ScopedAsked = Readonly<Record<string, unknown>>

/** A need of scopes beside a role, such as a module. A question says whether it needs it. These are functions, since only the design knows. */
export interface ScopeNeed {
  /** How it is called in a sentence: `a module`. */
  readonly called: string
  /** The fields of all questions that say so. */
  readonly fields: Attributes
  /** True if a question needs it. */
  isAsked(asked: ScopedAsked): boolean
  /** Its items at a scope, which every question reads; undefined until they are read. */
  itemsAt(reads: Reads, path: Path, asked: ScopedAsked): readonly LoadResult<Fields>[] | undefined
  /** The item by which the scope has it; undefined if none does. */
  metBy(scope: ScopeFacts, asked: ScopedAsked, now: string): Fields | undefined
  /** Why the scope does not have it. */
  refusal(path: Path): Reason
  /** The item by which it is met. */
  found(item: Fields): Evidence
  /** Why none does. */
  missing(scope: ScopeFacts, asked: ScopedAsked, now: string): readonly Evidence[]
}
