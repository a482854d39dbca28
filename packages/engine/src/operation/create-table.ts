import { randomUUID } from 'node:crypto'
import { invalid, invalidValues, ServiceError } from '../errors.ts'
import { shapes } from '../request/shapes.ts'
import type { Writing } from '../store/store.ts'
import type { Catalog } from '../table/catalog.ts'
import { checkDefinition, type DefinitionInput, type IndexInput } from '../table/check-definition.ts'
import type { IndexDefinition, Projection, TableDefinition, Throughput } from '../table/definition.ts'
import { descriptionOf } from '../table/description.ts'
import { tableOf } from '../table/table.ts'
import { operation } from './operation.ts'

export interface TableSettings {
  readonly BillingMode?: 'PROVISIONED' | 'PAY_PER_REQUEST'
  readonly ProvisionedThroughput?: Throughput
  readonly DeletionProtectionEnabled?: boolean
  readonly TableClass?: string
}

interface Input extends DefinitionInput, TableSettings {
  readonly TableName?: string
  readonly Tags?: readonly { readonly Key: string; readonly Value: string }[]
}

/** Tables are there at once. Until AWS has made one, its status is CREATING. */
export const createTable = operation<Input>(shapes.CreateTable, ({ catalog, write, now_ms }, input) => {
  const { TableName: name, Tags: tags = [] } = input
  if (name === undefined) throw invalid("The parameter 'TableName' is required but was not present in the request")
  checkBilling(input)
  checkDefinition(input)
  return write((writing) => {
    if (catalog.find(writing, name) !== undefined) throw new ServiceError('ResourceInUseException', `Table already exists: ${name}`)
    const indexes = [
      ...(input.LocalSecondaryIndexes ?? []).map((index) => indexDefinition(catalog, writing, index, false)),
      ...(input.GlobalSecondaryIndexes ?? []).map((index) => indexDefinition(catalog, writing, index, true)),
    ]
    const definition: TableDefinition = {
      name,
      id: randomUUID(),
      space: catalog.newSpace(writing),
      created_ms: now_ms(),
      attributes: input.AttributeDefinitions,
      keySchema: input.KeySchema,
      indexes,
      ...settingsOf(input),
      ...(tags.length === 0 ? {} : { tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])) }),
    }
    catalog.put(writing, definition)
    return { TableDescription: descriptionOf(tableOf(definition)) }
  })
})

export function indexDefinition(catalog: Catalog, writing: Writing, index: IndexInput, isGlobal: boolean): IndexDefinition {
  const { IndexName: name, KeySchema: keySchema, ProvisionedThroughput: throughput } = index
  // `checkDefinition` has seen that it has a type.
  const projection = index.Projection as Projection
  return { name, isGlobal, space: catalog.newSpace(writing), keySchema, projection, ...(throughput === undefined ? {} : { throughput }) }
}

function settingsOf({ ProvisionedThroughput, DeletionProtectionEnabled, TableClass }: TableSettings): Partial<TableDefinition> {
  return {
    ...(ProvisionedThroughput === undefined ? {} : { throughput: ProvisionedThroughput }),
    ...(DeletionProtectionEnabled === undefined ? {} : { isProtected: DeletionProtectionEnabled }),
    ...(TableClass === undefined ? {} : { tableClass: TableClass }),
  }
}

/** "If you set BillingMode as PROVISIONED, you must specify this property. If you set BillingMode as PAY_PER_REQUEST, you cannot" (API Reference, CreateTable). */
function checkBilling({
  BillingMode: mode = 'PROVISIONED',
  ProvisionedThroughput: throughput,
  GlobalSecondaryIndexes: global = [],
}: Input): void {
  if (mode === 'PROVISIONED' && throughput === undefined) {
    throw invalidValues('ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED')
  }
  if (mode === 'PAY_PER_REQUEST' && throughput !== undefined) throw bothUnits()
  const [index] = global.filter((each) => (each.ProvisionedThroughput === undefined) === (mode === 'PROVISIONED'))
  if (index !== undefined) {
    throw mode === 'PROVISIONED'
      ? invalidValues(`ProvisionedThroughput must be specified for index: ${index.IndexName}`)
      : invalidValues(`ProvisionedThroughput should not be specified for index: ${index.IndexName} when BillingMode is PAY_PER_REQUEST`)
  }
}

export function bothUnits(): Error {
  return invalidValues('Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST')
}
