import { storedIndex } from '../design/names.ts'
import { toItem } from '../dynamo/attribute-value.ts'
import type { PageOutput, QueryInput } from '../dynamo/operation.ts'
import { FreeholdError, isFreeholdError } from '../errors.ts'
import type { QueryPlan } from '../plan/query.ts'
import { lacksIndex } from './ensure-table.ts'
import type { Runtime } from './runtime.ts'
import { send } from './send.ts'

/** One Query request, without its start key. */
export function queryInput(runtime: Runtime, plan: QueryPlan, limit: number, descending: boolean, consistent: boolean): QueryInput {
  return {
    TableName: runtime.table,
    ...(plan.pattern.index === undefined ? {} : { IndexName: plan.pattern.index }),
    KeyConditionExpression: plan.expression,
    ...(plan.filterExpression === undefined ? {} : { FilterExpression: plan.filterExpression }),
    ExpressionAttributeNames: plan.names,
    ExpressionAttributeValues: toItem(plan.values),
    ScanIndexForward: !descending,
    Limit: limit,
    ...(consistent ? { ConsistentRead: true } : {}),
    ReturnConsumedCapacity: 'TOTAL',
  }
}

/**
 * The error of a query that DynamoDB refused. An index that is not there, or is still being filled, cannot be read: the table's description says so, or
 * DynamoDB's own sentence where that may not be read.
 */
async function refusedQuery(runtime: Runtime, named: string | undefined, error: unknown): Promise<unknown> {
  if (named === undefined || !isFreeholdError(error) || error.details.failure !== 'invalid') return error
  const index = storedIndex(runtime.design.form.names, named)
  const { cause, details } = error
  const words = cause instanceof Error ? cause.message : ''
  if (words.startsWith('The table does not have the specified index')) return lacksIndex(runtime, index)
  const usual = /backfilling/i.test(words) ? 'CREATING' : 'ACTIVE'
  const state = await send(runtime, 'DescribeTable', { TableName: runtime.table }).catch(() => undefined)
  const { IndexStatus = usual } = state?.Table?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index) ?? {}
  if (IndexStatus === 'ACTIVE') return error
  const message = `The index ${index} of the table ${runtime.table} is ${IndexStatus}: it is read once it is ACTIVE.`
  return new FreeholdError('Unavailable', message, details, { cause })
}

/** Sends a Query. Throws `Unavailable` for an index that cannot be read, with what to do. */
export async function sendQuery(runtime: Runtime, { pattern }: QueryPlan, input: QueryInput): Promise<PageOutput> {
  try {
    return await send(runtime, 'Query', input)
  } catch (error) {
    throw await refusedQuery(runtime, pattern.index, error)
  }
}
