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
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import type { Inputs, Operation, Outputs } from './operation.ts'
import type { Sender, SendOptions } from './sender.ts'

/** What is used of a caller's client: a DynamoDBClient of the AWS SDK has it. */
export interface CommandClient {
  send(command: never, options?: { abortSignal?: AbortSignal }): Promise<unknown>
}

/** Which input goes with which class is held by `Inputs`. */
type CommandClass = new (input: never) => object

const commands: Readonly<Record<Operation, CommandClass>> = {
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
  DescribeTable: DescribeTableCommand,
  UpdateTimeToLive: UpdateTimeToLiveCommand,
  DescribeTimeToLive: DescribeTimeToLiveCommand,
}

/** Sends through a client's commands: a caller's own client, with the middleware that it was given. */
export class CommandSender implements Sender {
  readonly #client: CommandClient

  constructor(client: CommandClient) {
    this.#client = client
  }

  async send<O extends Operation>(operation: O, input: Inputs[O], options: SendOptions = {}): Promise<Outputs[O]> {
    const { signal, timeoutMs } = options
    // The SDK's types say the same as ours, with mutable lists and with optional members that may be undefined.
    const command = new commands[operation](input as never) as never
    // Options, even empty ones, make the SDK build the command's middleware anew.
    const sent = signal === undefined ? this.#client.send(command) : this.#client.send(command, { abortSignal: signal })
    const output = await (timeoutMs === undefined ? sent : within(timeoutMs, sent))
    // Which output goes with which operation is DynamoDB's to keep.
    return output as Outputs[O]
  }

  /** The client is the caller's. */
  close(): void {}
}

/** Waits no longer than this; the request goes on, as one does whose answer was lost. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error(`No answer within ${ms} ms.`), { name: 'TimeoutError' })), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
