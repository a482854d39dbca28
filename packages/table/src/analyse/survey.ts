import type { CompiledPattern } from '../design/compiled-pattern.ts'
import type { AnyDesign } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { type EntityKey, entityKeys } from './entity-keys.ts'
import type { Finding } from './finding.ts'

/** A design with every form of every key, computed once for all checks. */
export interface Survey {
  readonly design: AnyDesign
  readonly entities: readonly Entity[]
  readonly patterns: readonly CompiledPattern[]
  readonly keys: readonly EntityKey[]
  /** Those of entities that were dropped: their items are still there. */
  readonly droppedKeys: readonly EntityKey[]
  readonly indexes: readonly string[]
}

/** Proves one property of a design, and reports every exception. */
export type Check = (survey: Survey) => readonly Finding[]

export function surveyOf(design: AnyDesign): Survey {
  const entities = [...design.form.entities.values()]
  const indexes = [...new Set(entities.flatMap(({ form }) => Object.keys(form.indexes)))].sort()
  return {
    design,
    entities,
    patterns: [...design.form.patterns.values()],
    keys: entities.flatMap(entityKeys),
    droppedKeys: [...design.form.dropped.values()].flatMap(entityKeys),
    indexes,
  }
}
