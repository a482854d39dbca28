import { rebac, rebacModule } from '@freehold/designs/rebac'
import { createService, openKeys, type Serving, serveOnNode } from '@freehold/service'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { loadOrganisation } from '../../packages/cli/src/sample/load-organisation.ts'
import type { CampaignEngine } from '../campaign/campaign-engine.ts'
import { pausingClock } from '../faults/pausing-clock.ts'
import { type SwitchedProxy, startSwitchedProxy } from './switched-proxy.ts'

export interface Called {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Calls a service with the text of a key. */
export type Call = (method: string, path: string, body?: object, key?: string) => Promise<Called>

/** A service over HTTP, whose tables are behind a proxy of its own. */
export interface FaultyService {
  readonly proxy: SwitchedProxy
  readonly serving: Serving
  /** With an operator's key. */
  readonly call: Call
  close(): Promise<void>
}

export function callsTo(address: string, ownKey: string): Call {
  return async (method, path, body, key = ownKey) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    // Another connection each time, which may be another worker's.
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Connection: 'close' }
    const answer = await fetch(`${address}/v1/${path}`, { method, headers, ...json })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
  }
}

/**
 * @param name of its tables
 */
export async function startFaultyService(engine: CampaignEngine, name: string): Promise<FaultyService> {
  const proxy = await startSwitchedProxy(engine.endpoint)
  const dynamo = { endpoint: proxy.endpoint }
  const clock = pausingClock(() => performance.now())
  const table = connect(rebac, { dynamo, wait_ms: 500, table: name, ...clock })
  await ensureTable(table.runtime)
  await loadOrganisation(table)
  const keys = await openKeys({ dynamo, ...clock, table: `${name}-keys` })
  const { text } = await keys.newKey('load')
  // Without flows, entities are written as they are. Definitions are kept for a moment, which is waited for.
  const { flows: _, ...module } = rebacModule
  const decider = rebacModule.decider(table.runtime, { maxStalenessMs: 300 })
  const service = createService({ tables: new Map([[rebac.name, { module, table, decider }]]), keys, log: () => undefined })
  // All services of a file, and their clients, have one thread: its delay says nothing of a service, so that none makes its limit less.
  const serving = await serveOnNode(service, { port: 0, grace_ms: 0 })
  return {
    proxy,
    serving,
    call: callsTo(serving.address, text),
    close: async () => {
      await serving.close()
      table.close()
      keys.close()
      await proxy.close()
    },
  }
}
