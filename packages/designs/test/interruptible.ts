import type { ConnectOptions } from '@freehold/table'
import { engineSender } from '../../../test/engine/endpoint.ts'
import { senderAfter } from '../../../test/engine/sender-after.ts'

/** What is done once, before the next transaction goes out. */
export interface Interruption {
  meanwhile: (() => Promise<unknown>) | undefined
}

/** These options, by whose sender a transaction goes out after what `interruption` has. */
export function interruptible(options: ConnectOptions, interruption: Interruption): ConnectOptions {
  const direct = options.sender ?? engineSender()
  return {
    ...options,
    sender: senderAfter(async (operation) => {
      const before = operation === 'TransactWriteItems' ? interruption.meanwhile : undefined
      if (before !== undefined) {
        interruption.meanwhile = undefined
        await before()
      }
    }, direct),
  }
}
