import { invalid, missing, ServiceError } from '../errors.ts'
import { shapes } from '../request/shapes.ts'
import type { Reading } from '../store/store.ts'
import { isFilling } from '../table/catalog.ts'
import type { TableDefinition } from '../table/definition.ts'
import { arnOf, descriptionOf, tableInArn } from '../table/description.ts'
import type { Table } from '../table/table.ts'
import { type Context, operation } from './operation.ts'
import { checkUnprotected, inUse } from './update-table.ts'
import { advanceSome, clearLater } from './upkeep.ts'

interface OfTable {
  readonly TableName: string
}

function noTable(name: string): ServiceError {
  return missing(`Requested resource not found: Table: ${name} not found`)
}

/** The table that a request about tables names. Its message names the table, which that of a request about items does not. */
function found({ catalog }: Context, reading: Reading, name: string): Table {
  const table = catalog.find(reading, name)
  if (table === undefined) throw noTable(name)
  return table
}

export const describeTable = operation<OfTable>(shapes.DescribeTable, (context, { TableName: name }) =>
  context.read(true, (reading) => ({ Table: descriptionOf(found(context, reading, name), reading) })),
)

/** The name is free at once. Rows are removed by and by. */
export const deleteTable = operation<OfTable>(shapes.DeleteTable, async (context, { TableName: name }) => {
  const output = await context.write((writing) => {
    const table = found(context, writing, name)
    checkUnprotected(table)
    if (isFilling(table)) throw inUse(name)
    for (const keyed of [table, ...table.indexes]) clearLater(writing, keyed)
    context.catalog.remove(writing, name)
    advanceSome(writing, context.catalog)
    return { TableDescription: { ...descriptionOf(table), TableStatus: 'DELETING' } }
  })
  context.goOn()
  return output
})

interface Listing {
  readonly ExclusiveStartTableName?: string
  readonly Limit?: number
}

export const listTables = operation<Listing>(
  shapes.ListTables,
  ({ catalog, read }, { ExclusiveStartTableName: start, Limit: limit = 100 }) =>
    read(true, (reading) => {
      const names: string[] = []
      for (const name of catalog.names(reading, start)) {
        if (names.length === limit) return { TableNames: names, LastEvaluatedTableName: names.at(-1) }
        names.push(name)
      }
      return { TableNames: names }
    }),
)

interface TimeToLive extends OfTable {
  readonly TimeToLiveSpecification: { readonly Enabled: boolean; readonly AttributeName: string }
}

export const updateTimeToLive = operation<TimeToLive>(shapes.UpdateTimeToLive, (context, { TableName: name, TimeToLiveSpecification }) =>
  context.write((writing) => {
    const { definition } = found(context, writing, name)
    const { Enabled: isEnabled, AttributeName: attribute } = TimeToLiveSpecification
    const { timeToLive, ...rest } = definition
    if (isEnabled === (timeToLive !== undefined)) throw invalid(`TimeToLive is already ${isEnabled ? 'enabled' : 'disabled'}`)
    if (!isEnabled && timeToLive !== attribute)
      throw invalid(`TimeToLive is active on a different AttributeName: current AttributeName is ${timeToLive}`)
    context.catalog.put(writing, isEnabled ? { ...rest, timeToLive: attribute } : rest)
    return { TimeToLiveSpecification }
  }),
)

export const describeTimeToLive = operation<OfTable>(shapes.DescribeTimeToLive, (context, { TableName: name }) =>
  context.read(true, (reading) => {
    const { timeToLive } = found(context, reading, name).definition
    const description =
      timeToLive === undefined ? { TimeToLiveStatus: 'DISABLED' } : { TimeToLiveStatus: 'ENABLED', AttributeName: timeToLive }
    return { TimeToLiveDescription: description }
  }),
)

interface OfResource {
  readonly ResourceArn: string
}

interface Tags extends OfResource {
  readonly Tags: readonly { readonly Key: string; readonly Value: string }[]
}

export const tagResource = operation<Tags>(shapes.TagResource, (context, { ResourceArn, Tags: tags }) =>
  changeTags(context, ResourceArn, (present) => ({ ...present, ...Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])) })),
)

export const untagResource = operation<OfResource & { readonly TagKeys: readonly string[] }>(
  shapes.UntagResource,
  (context, { ResourceArn, TagKeys }) =>
    changeTags(context, ResourceArn, (present) => Object.fromEntries(Object.entries(present).filter(([key]) => !TagKeys.includes(key)))),
)

export const listTagsOfResource = operation<OfResource>(shapes.ListTagsOfResource, (context, { ResourceArn }) =>
  context.read(true, (reading) => {
    const { tags = {} } = ofArn(context, reading, ResourceArn)
    return { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }
  }),
)

type TagMap = Readonly<Record<string, string>>

function changeTags(context: Context, arn: string, change: (tags: TagMap) => TagMap): Promise<object> {
  return context.write((writing) => {
    const definition = ofArn(context, writing, arn)
    context.catalog.put(writing, { ...definition, tags: change(definition.tags ?? {}) })
    return {}
  })
}

function ofArn({ catalog }: Context, reading: Reading, arn: string): TableDefinition {
  const name = tableInArn(arn)
  if (name === undefined) {
    if (!arn.startsWith('arn:aws:dynamodb:')) throw invalid(`Invalid TableArn: Invalid ResourceArn provided as input ${arn}`)
    // It is one of another account or region.
    throw new ServiceError('AccessDeniedException', `The caller is not authorized to perform this on resource: ${arn}`)
  }
  const table = catalog.find(reading, name)
  if (table === undefined) throw missing(`Requested resource not found: ResourcArn: ${arnOf(name)} not found`)
  return table.definition
}
