import type { Execute } from './json-protocol.ts'

/** The port of `@freehold/table`, by its form alone: that package names the input and the output of each operation. */
export interface Sender {
  readonly keepsTokens: true
  send(operation: string, input: object, options?: { readonly signal?: AbortSignal }): Promise<never>
  close(): void
}

async function heeding(signal: AbortSignal, request: () => Promise<object>): Promise<object> {
  signal.throwIfAborted()
  const output = await request()
  signal.throwIfAborted()
  return output
}

/** Input and output are those of the engine. */
export function senderFor(execute: Execute): Sender {
  return {
    keepsTokens: true,
    send(operation, input, { signal } = {}) {
      // Each operation answers with its own output, as DynamoDB does. `never` is assignable to every one of them.
      return (signal === undefined ? execute(operation, input) : heeding(signal, () => execute(operation, input))) as Promise<never>
    },
    close() {},
  }
}
