import type { Reading } from '../store/store.ts'
import type { IndexDefinition, TableDefinition, Throughput } from './definition.ts'
import { storedItem } from './rows.ts'
import type { Keyed, Table } from './table.ts'

/** Where the tables of an engine are, for AWS: an ARN needs a region and an account. */
const arnPrefix = 'arn:aws:dynamodb:us-east-1:000000000000:table/'

export function arnOf(name: string): string {
  return arnPrefix + name
}

/** The table's name in an ARN of one; undefined for others. */
export function tableInArn(arn: string): string | undefined {
  return arn.startsWith(arnPrefix) ? arn.slice(arnPrefix.length) : undefined
}

/**
 * A table as DescribeTable tells of it (API Reference, TableDescription). Items are counted when it is asked for, and their bytes are estimated
 * by the first of them: AWS's own figures are up to six hours old.
 */
export function descriptionOf(table: Table, status: string, reading?: Reading): object {
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
    TableStatus: status,
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

function countOf({ space }: Keyed, reading: Reading | undefined): { readonly ItemCount: number; readonly bytes: number } {
  if (reading === undefined) return { ItemCount: 0, bytes: 0 }
  const range = { start: space, end: `${space}\xff\xff\xff\xff` }
  let [sampled, bytes] = [0, 0]
  for (const { value } of reading.range(range)) {
    if (sampled === sample_max) break
    sampled += 1
    bytes += storedItem(value)?.[0] ?? 0
  }
  const ItemCount = sampled < sample_max ? sampled : reading.count(range)
  return { ItemCount, bytes: sampled === 0 ? 0 : Math.round((bytes / sampled) * ItemCount) }
}

function indexDescription(
  { name: table }: TableDefinition,
  index: IndexDefinition,
  { ItemCount, bytes }: ReturnType<typeof countOf>,
): object {
  const { name, keySchema, projection, isGlobal, throughput } = index
  return {
    IndexName: name,
    KeySchema: keySchema,
    Projection: projection,
    ...(isGlobal ? { IndexStatus: 'ACTIVE', ProvisionedThroughput: throughputDescription(throughput) } : {}),
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
