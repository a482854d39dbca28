import type { Sender } from '@freehold/table/runtime'

const writes: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'])

/** A process that ends: so many of its writes are applied, of the last of which it does not hear; then nothing is sent. */
export function dyingSender(sender: Sender, writesMax: number): { readonly sender: Sender; readonly isDead: () => boolean } {
  let count = 0
  let isDead = false
  const die = (): never => {
    isDead = true
    throw new Error('this process has ended')
  }
  return {
    isDead: () => isDead,
    sender: {
      send: async (operation, input, options) => {
        const isWrite = writes.has(operation)
        if (isDead || (isWrite && writesMax === 0)) die()
        const output = await sender.send(operation, input, options)
        if (isWrite && ++count === writesMax) die()
        return output
      },
      close: () => {},
    },
  }
}
