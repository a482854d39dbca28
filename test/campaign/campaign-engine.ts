import { randomUUID } from 'node:crypto'
import { openEngine } from '@freehold/engine'
import type { Sender } from '../../packages/table/src/dynamo/sender.ts'
import { checkedSender } from '../engine/checked-sender.ts'
import { serveSender } from '../engine/serve-sender.ts'

/** An engine of the campaign's own behind a socket, which breaks down as one that is killed, and starts again. */
export interface CampaignEngine {
  /** Its endpoint now; another port after each restart. Waits while it is being restarted. */
  endpoint(): Promise<string>
  /** How often it was started anew: what it remembers besides its data is forgotten with each. */
  readonly restarts: number
  /** Breaks off all connections and listens elsewhere: what was acknowledged is there again, transaction tokens are not. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** The characters of a token that tell it from others. The rest of the 36 that AWS allows names the start of the engine. */
const tokenStart = 18

export async function startCampaignEngine(): Promise<CampaignEngine> {
  const engine = await openEngine({ memory: true })
  const serve = () => {
    const start = randomUUID()
    // Our engine keeps tokens with its data. Others keep them in memory.
    const forgetting: Pick<Sender, 'send'> = {
      send: (operation, input, options) => {
        if (!('ClientRequestToken' in input)) return engine.sender.send(operation, input, options)
        const ClientRequestToken = `${input.ClientRequestToken}`.slice(0, tokenStart) + start.slice(0, tokenStart)
        return engine.sender.send(operation, { ...input, ClientRequestToken }, options)
      },
    }
    return serveSender(checkedSender(forgetting))
  }
  let running = serve()
  let restarts = 0
  await running
  return {
    endpoint: async () => (await running).endpoint,
    get restarts() {
      return restarts
    },
    restart: async () => {
      const last = running
      restarts += 1
      running = last.then(async ({ close }) => {
        await close()
        return serve()
      })
      await running
    },
    close: async () => {
      await (await running).close()
      await engine.close()
    },
  }
}
