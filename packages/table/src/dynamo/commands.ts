import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import type { Operation } from './operation.ts'

/** `Inputs` relates each class to its input. */
type CommandClass = new (input: never) => object

export const commands: Readonly<Record<Operation, CommandClass>> = {
  GetItem: GetItemCommand,
  PutItem: PutItemCommand,
  UpdateItem: UpdateItemCommand,
  DeleteItem: DeleteItemCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  BatchGetItem: BatchGetItemCommand,
  BatchWriteItem: BatchWriteItemCommand,
  TransactWriteItems: TransactWriteItemsCommand,
  CreateTable: CreateTableCommand,
  UpdateTable: UpdateTableCommand,
  DescribeTable: DescribeTableCommand,
  UpdateTimeToLive: UpdateTimeToLiveCommand,
  DescribeTimeToLive: DescribeTimeToLiveCommand,
}
