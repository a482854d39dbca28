import type { Range, Reading } from '../store/store.ts'
import { isFilling } from './catalog.ts'
import type { IndexDefinition, TableDefinition, Throughput } from './definition.ts'
import { scattered } from './key-bytes.ts'
import { storedItem } from './rows.ts'
import type { Keyed, Table } from './table.ts'

/** Where the tables of an engine are, for AWS: an ARN needs a region and an account. This account is that of AWS's own examples. */
const arnPrefix = 'arn:aws:dynamodb:us-east-1:123456789012:table/'

export function arnOf(name: string): string {
  return arnPrefix + name
}

/** The table's name in an ARN of one; undefined for others. */
export function tableInArn(arn: string): string | undefined {
  return arn.startsWith(arnPrefix) ? arn.slice(arnPrefix.length) : undefined
}

/**
 * A table as DescribeTable tells of it (API Reference, TableDescription). Items are counted or estimated when it is asked for, and their bytes are
 * estimated by the first of them: AWS's own figures are up to six hours old.
 */
export function descriptionOf(table: Table, reading?: Reading): object {
  const { definition, indexes } = table
  const { name, id, created_ms, attributes, keySchema, throughput, isProtected = false, tableClass } = definition
  const indexesOf = (isGlobal: boolean): object[] =>
    indexes.flatMap((index) =>
      index.isGlobal === isGlobal ? [indexDescription(definition, index.definition, countOf(index, reading))] : [],
    )
  const [local, global] = [indexesOf(false), indexesOf(true)]
  const { ItemCount, bytes } = countOf(table, reading)
  return {
    TableName: name,
    TableStatus: isFilling(table) ? 'UPDATING' : 'ACTIVE',
    TableArn: arnOf(name),
    TableId: id,
    CreationDateTime: created_ms / 1000,
    AttributeDefinitions: attributes,
    KeySchema: keySchema,
    ItemCount,
    TableSizeBytes: bytes,
    ProvisionedThroughput: throughputDescription(throughput),
    ...(throughput === undefined
      ? { BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST', LastUpdateToPayPerRequestDateTime: created_ms / 1000 } }
      : {}),
    ...(tableClass === undefined ? {} : { TableClassSummary: { TableClass: tableClass } }),
    ...(local.length === 0 ? {} : { LocalSecondaryIndexes: local }),
    ...(global.length === 0 ? {} : { GlobalSecondaryIndexes: global }),
    DeletionProtectionEnabled: isProtected,
  }
}

/** The rows by which the size of a table is estimated. */
const sample_max = 100
/** A larger table is counted in some of so many parts of its hashes, since reading each of its keys would keep others waiting. */
const counted_max = 20_000
const parts = 2_048
const counted_parts = 16

function countOf({ space, end }: Keyed, reading: Reading | undefined): { readonly ItemCount: number; readonly bytes: number } {
  if (reading === undefined) return { ItemCount: 0, bytes: 0 }
  const range = { start: space, end }
  let [sampled, bytes] = [0, 0]
  for (const { value } of reading.range(range)) {
    if (sampled === sample_max) break
    sampled += 1
    bytes += storedItem(value)?.[0] ?? 0
  }
  const ItemCount = numberOf(space, range, reading)
  return { ItemCount, bytes: sampled === 0 ? 0 : Math.round((bytes / sampled) * ItemCount) }
}

function numberOf(space: string, range: Range, reading: Reading): number {
  const count = reading.count(range, counted_max)
  if (count < counted_max) return count
  let found = 0
  for (let part = 0; part < parts; part += parts / counted_parts)
    found += reading.count({ start: space + scattered(part, parts), end: space + scattered(part + 1, parts) })
  return Math.max(counted_max, (found * parts) / counted_parts)
}

function indexDescription(
  { name: table }: TableDefinition,
  index: IndexDefinition,
  { ItemCount, bytes }: ReturnType<typeof countOf>,
): object {
  const { name, keySchema, projection, isGlobal, throughput } = index
  const status = index.isFilling === true ? { IndexStatus: 'CREATING', Backfilling: true } : { IndexStatus: 'ACTIVE' }
  return {
    IndexName: name,
    KeySchema: keySchema,
    Projection: projection,
    ...(isGlobal ? { ...status, ProvisionedThroughput: throughputDescription(throughput) } : {}),
    IndexArn: `${arnOf(table)}/index/${name}`,
    ItemCount,
    IndexSizeBytes: bytes,
  }
}

function throughputDescription(
  { ReadCapacityUnits, WriteCapacityUnits }: Throughput = { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
): object {
  return { NumberOfDecreasesToday: 0, ReadCapacityUnits, WriteCapacityUnits }
}
