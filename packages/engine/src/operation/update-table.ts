import { invalid, invalidValues, missing, ServiceError } from '../errors.ts'
import { shapes } from '../request/shapes.ts'
import type { Writing } from '../store/store.ts'
import { checkDefinition, type IndexInput } from '../table/check-definition.ts'
import type { AttributeDefinition, IndexDefinition, TableDefinition, Throughput } from '../table/definition.ts'
import { descriptionOf } from '../table/description.ts'
import { replaceEntry, storedItem } from '../table/rows.ts'
import { type Keyed, type Table, tableOf } from '../table/table.ts'
import { bothUnits, indexDefinition, type TableSettings } from './create-table.ts'
import { type Context, operation } from './operation.ts'

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

export const updateTable = operation<Input>(shapes.UpdateTable, (context, input) => {
  if (changes.every((name) => input[name] === undefined)) {
    throw invalid(
      'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required',
    )
  }
  return context.write((writing) => {
    const table = context.catalog.table(writing, input.TableName)
    const settled = withSettings(table.definition, input)
    const definition = (input.GlobalSecondaryIndexUpdates ?? []).reduce(
      (sofar, update) => withIndex(context, writing, sofar, { update, attributes: input.AttributeDefinitions }),
      settled,
    )
    context.catalog.put(writing, definition)
    const next = tableOf(definition)
    fillIndexes(writing, table, next)
    return { TableDescription: descriptionOf(next, 'ACTIVE', writing) }
  })
})

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
  return { ...definition, attributes: all, indexes: [...definition.indexes, indexDefinition(catalog, writing, create, true)] }
}

function asInput({ name, keySchema, projection }: IndexDefinition): IndexInput {
  return { IndexName: name, KeySchema: keySchema, Projection: projection }
}

/** The attributes that the keys of a table and of these indexes use. */
function usedOf({ attributes, keySchema }: TableDefinition, indexes: readonly IndexDefinition[]): readonly AttributeDefinition[] {
  const used = new Set([...keySchema, ...indexes.flatMap((index) => index.keySchema)].map(({ AttributeName }) => AttributeName))
  return attributes.filter(({ AttributeName }) => used.has(AttributeName))
}

/** Writes the entries of indexes that came, and removes those of indexes that went. */
function fillIndexes(writing: Writing, before: Table, after: Table): void {
  const [old, next] = [new Set(before.indexes.map(({ space }) => space)), new Set(after.indexes.map(({ space }) => space))]
  for (const index of before.indexes) if (!next.has(index.space)) clear(writing, index)
  for (const index of after.indexes.filter(({ space }) => !old.has(space))) {
    // The rows are read before the first entry is written: a range under which rows appear may see them twice.
    for (const { key, value } of [...rowsOf(writing, after)])
      replaceEntry(writing, index, { key, before: undefined, after: storedItem(value)?.[1] })
  }
}

/** Removes all rows of a table or an index. */
export function clear(writing: Writing, keyed: Keyed): void {
  for (const key of [...rowsOf(writing, keyed)].map((row) => row.key)) writing.remove(key)
}

function rowsOf(writing: Writing, { space }: Keyed): ReturnType<Writing['range']> {
  return writing.range({ start: space, end: `${space}\xff\xff\xff\xff` })
}

/** @throws ServiceError for a table that must not be deleted */
export function checkUnprotected({ definition }: Table): void {
  if (definition.isProtected !== true) return
  throw new ServiceError(
    'ValidationException',
    `Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.`,
  )
}
