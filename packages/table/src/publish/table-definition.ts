import { keyNames } from '../design/compiled-pattern.ts'
import type { AnyDesign } from '../design/design.ts'
import { storedIndex, storedName } from '../design/names.ts'
import { invalidInput } from '../errors.ts'

/** The definition of a table, common to all ways of creating it, with the table's own names. */
export interface TableDefinition {
  readonly table: string
  /** All key attributes are text. */
  readonly keyAttributes: readonly string[]
  readonly key: readonly [partition: string, sort: string]
  /** Each index projects all attributes. */
  readonly indexes: readonly { readonly name: string; readonly key: readonly [partition: string, sort: string] }[]
  /** The attribute of DynamoDB's TTL, if items expire. */
  readonly ttl?: string
  /** Another program fills the table, too, so that an index without a use here may be that program's. */
  readonly isShared?: true
}

/** What a deployer may add to the table that a design describes. */
export interface TableOptions {
  /** DynamoDB's TTL, also where no item of the design expires: the records of calls under idempotency keys do. */
  readonly ttl?: boolean | undefined
}

/** DynamoDB's rule of names. */
const tableName = /^[A-Za-z0-9_.-]{3,255}$/

/**
 * The one definition of a design's table, for the embedded engine, for tests and for templates.
 * @throws InvalidInput if DynamoDB allows no table of this name
 */
export function tableDefinition(design: AnyDesign, table = design.table, { ttl = false }: TableOptions = {}): TableDefinition {
  if (!tableName.test(table)) {
    const message = 'its name has from 3 to 255 letters, digits, underscores, hyphens and dots'
    throw invalidInput(`The table '${table}'`, [{ path: [], message }], { table })
  }
  const { names, indexes, expires } = design.form
  const keyOf = (index?: string) => {
    const [partition, sort] = keyNames(index)
    return [storedName(names, partition), storedName(names, sort)] as const
  }
  const keys = indexes.map((index) => ({ name: storedIndex(names, index), key: keyOf(index) }))
  return {
    table,
    keyAttributes: [...keyOf(), ...keys.flatMap(({ key }) => key)],
    key: keyOf(),
    indexes: keys,
    ...(names === undefined ? {} : { isShared: true as const }),
    ...(expires || ttl ? { ttl: storedName(names, 'ttl') } : {}),
  }
}
