import type { DesignModule } from '@freehold/designs'
import { rebac } from '@freehold/designs/rebac'
import { createService, jsonLog, openKeys, type Service, serviceDesign } from '@freehold/service'
import { connect } from '@freehold/table'
import { loadOrganisation } from '../sample/load-organisation.ts'
import type { Shell } from '../shell.ts'
import type { Closing } from './closing.ts'
import { type OpeningTables, openTable, openTables, startBounds } from './open-tables.ts'
import { watchJobs } from './watch-jobs.ts'

export interface OpeningService extends OpeningTables {
  /** What is to be served. */
  readonly modules: readonly DesignModule[]
  /** True where they were named one by one, so that each must be there. */
  readonly areAsked: boolean
  /** Name of the table of the one design that is served, if it is not its own. */
  readonly table: string | undefined
  /** Makes another API key. */
  readonly wantsKey: boolean
  /** See `ServiceOptions`. */
  readonly trustedProxies?: number
}

export interface OpenedService {
  readonly service: Service
  /** Names of the designs that are served. */
  readonly designs: readonly string[]
  /** Gives the text of the key that is made at the first start, or because it is wanted. */
  readonly key: () => Promise<string | undefined>
  readonly hasSample: boolean
}

/** How long a request waits for the durable jobs that it leaves: proxies give up soon after that. The server goes on with them. */
const wait_ms = 20_000

/** Opens the tables of designs and that of the keys, and the service over them. */
export async function openService(shell: Shell, opened: Closing, options: OpeningService): Promise<OpenedService> {
  const { modules, areAsked, connecting, isAtAws, table: name, wantsKey, trustedProxies = 0 } = options
  const log = (sentence: string) => shell.err(`${sentence}\n`)
  const named = { ...connecting, wait_ms, ...(name === undefined ? {} : { table: name }) }
  const starting = isAtAws ? {} : startBounds
  const found = await openTables(modules, areAsked, { connecting: named, isAtAws }, log)
  for (const { table } of found) opened.add(watchJobs(table.jobs, log))
  const tables = new Map(found.map((served) => [served.module.design.name, served]))
  // Tables at AWS hold no sample.
  const hasSample = !isAtAws && tables.has(rebac.name) && (await loadOrganisation(connect(rebac, { ...named, ...starting })))
  await openTable({ design: serviceDesign }, { connecting, isAtAws })
  const keys = await openKeys({ ...connecting, ...starting })
  return {
    service: createService({ tables, keys, log: jsonLog(shell.err), trustedProxies }),
    designs: [...tables.keys()],
    key: async () => (await keys.firstKey())?.text ?? (wantsKey ? (await keys.newKey()).text : undefined),
    hasSample,
  }
}
