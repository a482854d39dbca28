import { type Engine, openEngine } from '@freehold/engine'
import type { Sender } from '../../packages/table/src/dynamo/sender.ts'
import { tracedSender } from '../../packages/table/src/dynamo/traced-sender.ts'
import { checkedSender } from './checked-sender.ts'
import { serveSender } from './serve-sender.ts'

let engine: Engine | undefined

const checked = checkedSender({
  send: (operation, input, options) => {
    if (engine === undefined) throw new Error('No test file runs.')
    return engine.sender.send(operation, input, options)
  },
})

/** A sender to the engine of the test file that runs. Each is a connection of its own: the runtime remembers some things by sender. */
export const engineSender = (): Sender => tracedSender(checked)

/** The same engine over a socket, for tests of what goes over one: commands, other processes, the AWS SDK. */
export const { endpoint } = await serveSender(checked)

/** Opens an empty engine in memory. Each test file has its own. */
export async function startEngine(): Promise<void> {
  engine = await openEngine({ memory: true })
}

export async function endEngine(): Promise<void> {
  await engine?.close()
  engine = undefined
}
