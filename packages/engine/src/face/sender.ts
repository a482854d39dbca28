import type { Execute } from './json-protocol.ts'

/** The port of `@freehold/table`, by its form alone: that package names the input and the output of each operation. */
export interface Sender {
  readonly keepsTokens: true
  send(operation: string, input: object, options?: { readonly signal?: AbortSignal }): Promise<never>
  close(): void
}

/** Input and output are those of the engine. */
export function senderFor(execute: Execute): Sender {
  return {
    keepsTokens: true,
    async send(operation, input, { signal } = {}) {
      signal?.throwIfAborted()
      const output = await execute(operation, input)
      signal?.throwIfAborted()
      // Each operation answers with its own output, as DynamoDB does. `never` is assignable to every one of them.
      return output as never
    },
    close() {},
  }
}
