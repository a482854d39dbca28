import type { Inputs, Operation, Outputs } from './operation.ts'
import type { Sender, SendOptions } from './sender.ts'

/** The part of a caller's client that is used. A DynamoDBClient of the AWS SDK has it. */
export interface CommandClient {
  send(command: never, options?: { abortSignal?: AbortSignal }): Promise<unknown>
}

/** Sends through the commands of a caller's own client, with its middleware. */
export class CommandSender implements Sender {
  readonly mayResend = true
  readonly #client: CommandClient

  constructor(client: CommandClient) {
    this.#client = client
  }

  async send<O extends Operation>(operation: O, input: Inputs[O], options: SendOptions = {}): Promise<Outputs[O]> {
    // Loaded with the first request: no sender of our own needs it, and it brings the SDK.
    const { commands } = await import('./commands.ts')
    const { signal, timeoutMs } = options
    // The SDK's types are the same as ours, but with mutable lists and with optional members that may be undefined.
    const command = new commands[operation](input as never) as never
    // With options, even empty ones, the SDK builds the command's middleware again.
    const sent = signal === undefined ? this.#client.send(command) : this.#client.send(command, { abortSignal: signal })
    const output = await (timeoutMs === undefined ? sent : within(timeoutMs, sent))
    // DynamoDB answers each operation with its own output.
    return output as Outputs[O]
  }

  /** Does nothing, since the client belongs to the caller. */
  close(): void {}
}

/** Limits the wait. The request itself continues, so its answer counts as lost. */
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
