import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { refusal } from '../campaign/fault-answer.ts'
import { bodyOf, forwarder } from '../campaign/forward.ts'

/** What befalls requests to the table. Of those that are cut off, half have been done by the engine. */
export type Weather = 'fair' | 'throttled' | 'slow' | 'cut off'

/** A proxy in front of an engine, whose address changes when it is started again. */
export interface SwitchedProxy {
  readonly endpoint: string
  weather: Weather
  /** True while each second request passes as in fair weather, so that some writes are acknowledged. By default none does. */
  hasBreaks: boolean
  close(): Promise<void>
}

/** How long a request takes in slow weather, in milliseconds. */
const slow_ms = 2_000

/** @param engine gives the endpoint of the engine, as soon as it has one */
export async function startSwitchedProxy(engine: () => Promise<string>): Promise<SwitchedProxy> {
  const { send, close } = forwarder()
  let count = 0
  const serve = async (message: IncomingMessage, response: ServerResponse, weather: Weather): Promise<void> => {
    const body = await bodyOf(message)
    if (weather === 'cut off') {
      if (proxy.hasBreaks && count % 4 > 1) await send(await engine(), { headers: message.headers, body })
      return void response.destroy()
    }
    if (weather === 'slow') await setTimeout(slow_ms)
    const answer =
      weather === 'throttled'
        ? refusal(400, 'ProvisionedThroughputExceededException')
        : await send(await engine(), { headers: message.headers, body })
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(answer.body)
  }
  const server = createServer((message, response) => {
    const isSpared = proxy.hasBreaks && proxy.weather !== 'slow' && count++ % 2 === 0
    serve(message, response, isSpared ? 'fair' : proxy.weather).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: SwitchedProxy = {
    // A server that listens on TCP has an AddressInfo.
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    weather: 'fair',
    hasBreaks: false,
    close: async () => {
      close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
