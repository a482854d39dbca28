import type { Item } from './attribute-value.ts'

/** Expressions with their names and values, which they refer to as `#n0` and `:v0`. */
interface Expressions {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Item
}

interface Measured {
  /** With `TOTAL` the answer gives its request units. */
  readonly ReturnConsumedCapacity?: 'TOTAL' | 'INDEXES' | 'NONE'
}

/** A condition, and whether its failure returns the item. */
interface Conditional extends Expressions {
  readonly ConditionExpression?: string
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE'
}

interface OfTable {
  readonly TableName: string
}

interface OfKey extends OfTable {
  readonly Key: Item
}

interface Projected extends Expressions {
  readonly ProjectionExpression?: string
}

interface GetInput extends OfKey, Projected, Measured {
  readonly ConsistentRead?: boolean
}

interface PutInput extends OfTable, Conditional, Measured {
  readonly Item: Item
  readonly ReturnValues?: 'NONE' | 'ALL_OLD'
}

interface UpdateInput extends OfKey, Conditional, Measured {
  readonly UpdateExpression?: string
  readonly ReturnValues?: 'NONE' | 'ALL_OLD' | 'UPDATED_OLD' | 'ALL_NEW' | 'UPDATED_NEW'
}

interface DeleteInput extends OfKey, Conditional, Measured {
  readonly ReturnValues?: 'NONE' | 'ALL_OLD'
}

export interface ScanInput extends OfTable, Projected, Measured {
  readonly IndexName?: string
  readonly FilterExpression?: string | undefined
  readonly ConsistentRead?: boolean
  /** The number of items read before the filter. Without it the embedded engine reads a whole partition. */
  readonly Limit?: number
  readonly ExclusiveStartKey?: Item
  readonly Select?: 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | 'COUNT'
  readonly Segment?: number
  readonly TotalSegments?: number
}

export interface QueryInput extends Omit<ScanInput, 'Segment' | 'TotalSegments'> {
  readonly KeyConditionExpression: string
  readonly ScanIndexForward?: boolean
}

export interface KeysToGet extends Projected {
  readonly Keys: readonly Item[]
  readonly ConsistentRead?: boolean
}

/** One step of BatchWriteItem: it has one of the two members. */
export interface BatchWrite {
  readonly PutRequest?: { readonly Item: Item }
  readonly DeleteRequest?: { readonly Key: Item }
}

/** One action of TransactWriteItems: it has one of the four members. */
export interface TransactWrite {
  readonly Put?: OfTable & Conditional & { readonly Item: Item }
  readonly Update?: OfKey & Conditional & { readonly UpdateExpression: string }
  readonly Delete?: OfKey & Conditional
  readonly ConditionCheck?: OfKey & Conditional & { readonly ConditionExpression: string }
}

interface TransactWriteInput extends Measured {
  readonly TransactItems: readonly TransactWrite[]
  /** At most 36 characters. For ten minutes DynamoDB applies the same request with the same token once. */
  readonly ClientRequestToken?: string
}

export interface KeySchemaElement {
  readonly AttributeName: string
  readonly KeyType: 'HASH' | 'RANGE'
}

export interface IndexInput {
  readonly IndexName: string
  readonly KeySchema: readonly KeySchemaElement[]
  readonly Projection: { readonly ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'; readonly NonKeyAttributes?: readonly string[] }
}

export interface CreateTableInput extends OfTable {
  readonly AttributeDefinitions: readonly { readonly AttributeName: string; readonly AttributeType: 'S' | 'N' | 'B' }[]
  readonly KeySchema: readonly KeySchemaElement[]
  readonly GlobalSecondaryIndexes?: readonly IndexInput[]
  readonly BillingMode?: 'PAY_PER_REQUEST'
  readonly DeletionProtectionEnabled?: boolean
}

interface UpdateTableInput extends OfTable {
  readonly AttributeDefinitions?: CreateTableInput['AttributeDefinitions']
  /** DynamoDB takes one at a time. */
  readonly GlobalSecondaryIndexUpdates: readonly [{ readonly Create: IndexInput } | { readonly Delete: { readonly IndexName: string } }]
}

export interface IndexDescription {
  readonly IndexName?: string
  readonly KeySchema?: readonly KeySchemaElement[]
  /** An index that is being filled cannot be read. */
  readonly IndexStatus?: string
}

export interface ConsumedCapacity {
  readonly TableName?: string
  readonly CapacityUnits?: number
}

export interface TableDescription {
  readonly TableName?: string
  readonly TableStatus?: string
  readonly ItemCount?: number
  readonly KeySchema?: readonly KeySchemaElement[]
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[]
}

interface Cost {
  readonly ConsumedCapacity?: ConsumedCapacity
}

interface Costs {
  readonly ConsumedCapacity?: readonly ConsumedCapacity[]
}

interface Attributes extends Cost {
  readonly Attributes?: Item
}

export interface PageOutput extends Cost {
  readonly Items?: readonly Item[]
  readonly Count?: number
  readonly ScannedCount?: number
  /** There may be more items after this key. It can be given even if there are none. */
  readonly LastEvaluatedKey?: Item
}

interface TimeToLive {
  readonly AttributeName?: string
}

/** The input of each operation in DynamoDB's JSON protocol (version 2012-08-10). */
export interface Inputs {
  readonly GetItem: GetInput
  readonly PutItem: PutInput
  readonly UpdateItem: UpdateInput
  readonly DeleteItem: DeleteInput
  readonly Query: QueryInput
  readonly Scan: ScanInput
  readonly BatchGetItem: Measured & { readonly RequestItems: Readonly<Record<string, KeysToGet>> }
  readonly BatchWriteItem: Measured & { readonly RequestItems: Readonly<Record<string, readonly BatchWrite[]>> }
  readonly TransactWriteItems: TransactWriteInput
  readonly CreateTable: CreateTableInput
  readonly UpdateTable: UpdateTableInput
  readonly DescribeTable: OfTable
  readonly UpdateTimeToLive: OfTable & { readonly TimeToLiveSpecification: Required<TimeToLive> & { readonly Enabled: boolean } }
  readonly DescribeTimeToLive: OfTable
}

/** The output of each operation. */
export interface Outputs {
  readonly GetItem: Cost & { readonly Item?: Item }
  readonly PutItem: Attributes
  readonly UpdateItem: Attributes
  readonly DeleteItem: Attributes
  readonly Query: PageOutput
  readonly Scan: PageOutput
  readonly BatchGetItem: Costs & {
    readonly Responses?: Readonly<Record<string, readonly Item[]>>
    readonly UnprocessedKeys?: Readonly<Record<string, KeysToGet>>
  }
  readonly BatchWriteItem: Costs & { readonly UnprocessedItems?: Readonly<Record<string, readonly BatchWrite[]>> }
  readonly TransactWriteItems: Costs
  readonly CreateTable: { readonly TableDescription?: TableDescription }
  readonly UpdateTable: { readonly TableDescription?: TableDescription }
  readonly DescribeTable: { readonly Table?: TableDescription }
  readonly UpdateTimeToLive: { readonly TimeToLiveSpecification?: TimeToLive & { readonly Enabled?: boolean } }
  readonly DescribeTimeToLive: { readonly TimeToLiveDescription?: TimeToLive & { readonly TimeToLiveStatus?: string } }
}

/** The operations that this project uses. */
export type Operation = keyof Inputs

export type { Item }
