import type { Sender } from '@freehold/table/runtime'
import type { Execute } from './json-protocol.ts'

/** The port of `@freehold/table`, whose input and output are those of the engine. */
export function senderFor(execute: Execute): Sender {
  return {
    keepsTokens: true,
    async send(operation, input, { signal } = {}) {
      signal?.throwIfAborted()
      const output = await execute(operation, input)
      signal?.throwIfAborted()
      // Each operation answers with its own output, as DynamoDB does.
      return output as Awaited<ReturnType<Sender['send']>> as never
    },
    close() {},
  }
}
