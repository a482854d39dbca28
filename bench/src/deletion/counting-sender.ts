import { setTimeout } from 'node:timers/promises'
import type { Sender } from '@freehold/table/runtime'

export interface Traffic {
  requests: number
  writeUnits: number
}

export interface CountingSender extends Sender {
  /** All that was sent since the sender was made. */
  readonly traffic: Readonly<Traffic>
}

interface Capacity {
  readonly CapacityUnits?: number
}

const isWrite = (operation: string) => /^(Put|Update|Delete|BatchWrite|TransactWrite)/.test(operation)

/** The request units that an answer says it took. */
function unitsOf(output: object): number {
  // Of one table, or of each table of a batch or transaction.
  const { ConsumedCapacity: capacity = [] } = output as { readonly ConsumedCapacity?: Capacity | readonly Capacity[] }
  return [capacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)
}

/**
 * Counts what goes through a sender; `meter` would count it too, but slows down what it counts. With a budget, each write waits until the write units
 * of those before it are paid for.
 */
export function countingSender(sender: Sender, budget: number | undefined): CountingSender {
  const traffic: Traffic = { requests: 0, writeUnits: 0 }
  let paid_ms = performance.now()
  /** What a write took when last seen: it is paid for before its answer says what it took. */
  let expected = 1
  const cost_ms = (units: number) => (budget === undefined ? 0 : (units / budget) * 1000)

  const send: Sender['send'] = async (operation, input, options) => {
    const writes = isWrite(operation)
    const reserved = writes ? expected : 0
    if (writes && budget !== undefined) {
      const now = performance.now()
      const turn_ms = Math.max(now, paid_ms)
      paid_ms = turn_ms + cost_ms(reserved)
      if (turn_ms > now) await setTimeout(turn_ms - now)
    }
    traffic.requests++
    const output = await sender.send(operation, input, options)
    if (writes) {
      expected = unitsOf(output)
      traffic.writeUnits += expected
      paid_ms += cost_ms(expected - reserved)
    }
    return output
  }
  return { send, close: () => sender.close(), traffic }
}
