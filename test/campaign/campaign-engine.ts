import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findEngine } from '../../packages/cli/src/engine/binary.ts'
import { type EngineRun, runEngine } from '../../packages/cli/src/engine/engine-run.ts'
import { freePort } from '../../packages/cli/src/engine/port.ts'
import { endpointOf, isKeptOut, untilReady } from '../../packages/cli/src/engine/ready.ts'
import { checkedPort } from '../engine/checked-port.ts'

/** An engine of the campaign's own, with its data in a file, so that it can be killed and started again. */
export interface CampaignEngine {
  /** Its endpoint now; another port after each restart. Waits while it is being restarted. */
  endpoint(): Promise<string>
  /** How often it was started anew: what it remembers besides its data is forgotten with each. */
  readonly restarts: number
  /** SIGKILL, and a new process on the same data: what was acknowledged is there again, transaction tokens are not. */
  restart(): Promise<void>
  /** Ends it and removes its data. */
  close(): Promise<void>
}

const grace_ms = 2000
const attempts_max = 40
const pause_ms = 25

export async function startCampaignEngine(): Promise<CampaignEngine> {
  const directory = mkdtempSync(join(tmpdir(), 'freehold-campaign-'))
  const binary = findEngine({})
  const start = async (): Promise<{ readonly run: EngineRun; readonly port: number }> => {
    for (let attempt = 1; ; attempt++) {
      const run = runEngine({ binary, data: join(directory, 'data.db'), port: (await freePort(0)) ?? 0 })
      try {
        await untilReady(run)
        return { run, port: await checkedPort(run.port) }
      } catch (error) {
        // The system releases the lock of the folder a moment after the process that it has ended.
        if (!isKeptOut(error) || attempt === attempts_max) throw error
        await setTimeout(pause_ms)
      }
    }
  }
  let running = start()
  let restarts = 0
  await running
  return {
    endpoint: async () => endpointOf((await running).port),
    get restarts() {
      return restarts
    },
    restart: async () => {
      // One after the other: two that start at once would want the same data.
      const last = running
      restarts += 1
      running = (async () => {
        const { run: before } = await last
        before.kill()
        await before.ended
        return start()
      })()
      await running
    },
    close: async () => {
      await (await running).run.end(grace_ms)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
