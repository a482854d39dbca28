import { keyNames } from '../design/compiled-pattern.ts'
import type { AnyDesign } from '../design/design.ts'

/** A table as DynamoDB is asked to make it, without anything that only one way of making it knows. */
export interface TableDefinition {
  readonly table: string
  /** All key attributes are text. */
  readonly keyAttributes: readonly string[]
  readonly key: readonly [partition: string, sort: string]
  /** Each index projects all attributes. */
  readonly indexes: readonly { readonly name: string; readonly key: readonly [partition: string, sort: string] }[]
  /** The attribute of DynamoDB's TTL, where items expire. */
  readonly ttl?: 'ttl'
}

/** The one source of a design's table, for the embedded engine, for tests and for templates. */
export function tableDefinition(design: AnyDesign, table = design.table): TableDefinition {
  const indexes = design.form.indexes.map((name) => ({ name, key: keyNames(name) }))
  return {
    table,
    keyAttributes: [...keyNames(undefined), ...indexes.flatMap(({ key }) => key)],
    key: keyNames(undefined),
    indexes,
    ...(design.form.expires ? { ttl: 'ttl' } : {}),
  }
}
