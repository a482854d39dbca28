import { fileURLToPath } from 'node:url'
import { keepOn } from '../keep-on.js'
import { startOwn } from '../own-process.js'
import type { Listening, ServerInput } from '../serving/server.js'

/** A server of one design in a process of its own, on the first core. */
export interface LoadedServer extends Listening {
  readonly port: number
  readonly path: string
  /** A question that is allowed. */
  readonly question: object
  /** The path of its health, which needs no table. */
  readonly health: string
  /** Microseconds of CPU since its start. */
  cpu(): Promise<number>
  stop(): Promise<void>
}

/** Starts the service of a design, whose table is filled. */
export async function startLoaded(input: ServerInput, question: object): Promise<LoadedServer> {
  const own = startOwn<string, Listening & NodeJS.CpuUsage>(fileURLToPath(new URL('../serving/server.js', import.meta.url)), input)
  const listening = await own.reply()
  keepOn(0, listening.pid)
  const { status } = await fetch(`${listening.address}/health/live`)
  return {
    ...listening,
    port: Number(new URL(listening.address).port),
    path: `/v1/${input.design}/can`,
    question,
    health: status === 200 ? '/health/live' : '/health',
    cpu: async () => {
      const { user, system } = await own.ask('cpu')
      return user + system
    },
    stop: () => own.stop(),
  }
}
