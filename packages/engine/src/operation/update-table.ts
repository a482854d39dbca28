import { invalid, invalidValues, missing, ServiceError } from '../errors.ts'
import { shapes } from '../request/shapes.ts'
import type { Writing } from '../store/store.ts'
import { isFilling } from '../table/catalog.ts'
import { checkDefinition, type IndexInput } from '../table/check-definition.ts'
import type { AttributeDefinition, IndexDefinition, TableDefinition, Throughput } from '../table/definition.ts'
import { descriptionOf } from '../table/description.ts'
import { type Table, tableOf } from '../table/table.ts'
import { bothUnits, indexDefinition, type TableSettings } from './create-table.ts'
import { type Context, operation } from './operation.ts'
import { advanceSome, clearLater, fillLater } from './upkeep.ts'

interface IndexUpdate {
  readonly Create?: IndexInput
  readonly Update?: { readonly IndexName: string; readonly ProvisionedThroughput: Throughput }
  readonly Delete?: { readonly IndexName: string }
}

interface Input extends TableSettings {
  readonly TableName: string
  readonly AttributeDefinitions?: readonly AttributeDefinition[]
  readonly GlobalSecondaryIndexUpdates?: readonly IndexUpdate[]
}

/** What UpdateTable changes at all: without one of these it has nothing to do. */
const changes = ['BillingMode', 'ProvisionedThroughput', 'DeletionProtectionEnabled', 'TableClass', 'GlobalSecondaryIndexUpdates'] as const

export const updateTable = operation<Input>(shapes.UpdateTable, async (context, input) => {
  if (changes.every((name) => input[name] === undefined)) {
    throw invalid(
      'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required',
    )
  }
  const output = await context.write((writing) => {
    const table = context.catalog.table(writing, input.TableName)
    const isRemoval = input.GlobalSecondaryIndexUpdates?.every(({ Delete: remove }) => remove !== undefined) === true
    if (isFilling(table) && !isRemoval) throw inUse(input.TableName)
    const settled = withSettings(table.definition, input)
    const definition = (input.GlobalSecondaryIndexUpdates ?? []).reduce(
      (sofar, update) => withIndex(context, writing, sofar, { update, attributes: input.AttributeDefinitions }),
      settled,
    )
    context.catalog.put(writing, definition)
    const next = tableOf(definition)
    for (const index of without(table, next)) clearLater(writing, index)
    for (const index of without(next, table)) fillLater(writing, next, index)
    advanceSome(writing, context.catalog)
    return { TableDescription: descriptionOf(context.catalog.table(writing, next.name), writing) }
  })
  context.goOn()
  return output
})

/** The indexes of one table that another does not have. */
function without(table: Table, { indexes }: Table): Table['indexes'] {
  return table.indexes.filter(({ space }) => indexes.every((each) => each.space !== space))
}

/** "The operation conflicts with the resource's availability. For example … you tried to update a table that is being updated" (API Reference, ResourceInUseException). */
export function inUse(name: string): ServiceError {
  return new ServiceError('ResourceInUseException', `Attempt to change a resource which is still in use: Table is being updated: ${name}`)
}

function withSettings(definition: TableDefinition, input: Input): TableDefinition {
  const { BillingMode: mode, ProvisionedThroughput: units, DeletionProtectionEnabled: isProtected, TableClass: tableClass } = input
  const { throughput, ...rest } = definition
  if (mode === 'PAY_PER_REQUEST' && units !== undefined) throw bothUnits()
  if (mode === undefined && throughput === undefined && units !== undefined) throw bothUnits()
  if (mode === 'PROVISIONED' && units === undefined && throughput === undefined) {
    throw invalidValues('ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED')
  }
  if (
    units !== undefined &&
    units.ReadCapacityUnits === throughput?.ReadCapacityUnits &&
    units.WriteCapacityUnits === throughput.WriteCapacityUnits
  ) {
    throw invalid(
      `The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: ${units.ReadCapacityUnits}. Requested ReadCapacityUnits: ${units.ReadCapacityUnits}. Current WriteCapacityUnits provisioned for the table: ${units.WriteCapacityUnits}. Requested WriteCapacityUnits: ${units.WriteCapacityUnits}.`,
    )
  }
  const next = units ?? throughput
  return {
    ...rest,
    ...(mode === 'PAY_PER_REQUEST' || next === undefined ? {} : { throughput: next }),
    ...(isProtected === undefined ? {} : { isProtected }),
    ...(tableClass === undefined ? {} : { tableClass }),
  }
}

interface Updating {
  readonly update: IndexUpdate
  readonly attributes: readonly AttributeDefinition[] | undefined
}

function withIndex(
  context: Context,
  writing: Writing,
  definition: TableDefinition,
  { update, attributes = [] }: Updating,
): TableDefinition {
  const { Create: create, Update: change, Delete: remove } = update
  const given = [create, change, remove].filter((each) => each !== undefined)
  if (given.length !== 1) throw invalidValues('Only one global secondary index update is allowed in each GlobalSecondaryIndexUpdate')
  const { indexes } = definition
  if (create !== undefined) return created(context, writing, definition, { create, attributes })
  const name = change?.IndexName ?? remove?.IndexName
  const found = indexes.find((index) => index.isGlobal && index.name === name)
  if (found === undefined) throw missing('Requested resource not found')
  const kept = indexes.filter((index) => index !== found)
  if (change !== undefined) return { ...definition, indexes: [...kept, { ...found, throughput: change.ProvisionedThroughput }] }
  return { ...definition, attributes: usedOf(definition, kept), indexes: kept }
}

function created(
  { catalog }: Context,
  writing: Writing,
  definition: TableDefinition,
  { create, attributes }: { readonly create: IndexInput; readonly attributes: readonly AttributeDefinition[] },
): TableDefinition {
  if (definition.indexes.some(({ name }) => name === create.IndexName)) {
    throw invalid(`Attempting to create an index which already exists. IndexName: ${create.IndexName}`)
  }
  const own = definition.attributes.filter(({ AttributeName: name }) => attributes.every(({ AttributeName }) => AttributeName !== name))
  const all = [...own, ...attributes]
  const others = definition.indexes.filter(({ isGlobal }) => isGlobal).map(asInput)
  const local = definition.indexes.filter(({ isGlobal }) => !isGlobal).map(asInput)
  const retyped = attributes.find(({ AttributeName: name, AttributeType: type }) => {
    const before = definition.attributes.find(({ AttributeName }) => AttributeName === name)
    return before !== undefined && before.AttributeType !== type
  })
  if (retyped !== undefined) throw invalidValues(`Attribute ${retyped.AttributeName} is already defined with another type`)
  checkDefinition({
    AttributeDefinitions: all,
    KeySchema: definition.keySchema,
    GlobalSecondaryIndexes: [...others, create],
    ...(local.length === 0 ? {} : { LocalSecondaryIndexes: local }),
  })
  if (definition.throughput !== undefined && create.ProvisionedThroughput === undefined) {
    throw invalidValues(`ProvisionedThroughput must be specified for index: ${create.IndexName}`)
  }
  return {
    ...definition,
    attributes: all,
    indexes: [...definition.indexes, { ...indexDefinition(catalog, writing, create, true), isFilling: true }],
  }
}

function asInput({ name, keySchema, projection }: IndexDefinition): IndexInput {
  return { IndexName: name, KeySchema: keySchema, Projection: projection }
}

/** The attributes that the keys of a table and of these indexes use. */
function usedOf({ attributes, keySchema }: TableDefinition, indexes: readonly IndexDefinition[]): readonly AttributeDefinition[] {
  const used = new Set([...keySchema, ...indexes.flatMap((index) => index.keySchema)].map(({ AttributeName }) => AttributeName))
  return attributes.filter(({ AttributeName }) => used.has(AttributeName))
}

/** @throws ServiceError for a table that must not be deleted */
export function checkUnprotected({ definition }: Table): void {
  if (definition.isProtected !== true) return
  throw new ServiceError(
    'ValidationException',
    `Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.`,
  )
}
