import { offers, rebac } from '@freehold/designs'
import { createService, jsonLog, openKeys, type Served, type Service, serviceDesign } from '@freehold/service'
import { type ConnectOptions, checkTable, connect, ensureTable, type Runtime } from '@freehold/table'
import { loadOrganisation } from '../sample/load-organisation.ts'
import type { Shell } from '../shell.ts'
import type { Closing } from './closing.ts'
import { watchJobs } from './watch-jobs.ts'

export interface OpeningService {
  /** What every table is connected with: one sender for all of them. */
  readonly connecting: ConnectOptions
  /** Name of the designs' table, if it is not their own. */
  readonly table: string | undefined
  /** Tables at AWS are made by whoever deploys, and hold no sample. */
  readonly isAtAws: boolean
  /** Makes another API key. */
  readonly wantsKey: boolean
}

export interface OpenedService {
  readonly service: Service
  /** Gives the text of the key that is made at the first start, or because it is wanted. */
  readonly key: () => Promise<string | undefined>
  readonly hasSample: boolean
}

/** Makes a table that is not there; at AWS it must be, with the design's keys: else an error says how to make it. */
async function prepareTable({ runtime }: { readonly runtime: Runtime }, isAtAws: boolean): Promise<void> {
  if (isAtAws) await checkTable(runtime)
  else await ensureTable(runtime)
}

/** Opens the tables of all designs, and the service over them. */
export async function openService(shell: Shell, opened: Closing, options: OpeningService): Promise<OpenedService> {
  const { connecting, isAtAws, table: name, wantsKey } = options
  const named: ConnectOptions = name === undefined ? connecting : { ...connecting, table: name }
  const tables = new Map<string, Served>()
  for (const offer of offers.values()) {
    const table = connect(offer.design, named)
    await prepareTable(table, isAtAws)
    opened.add(watchJobs(table.jobs, (sentence) => shell.err(`${sentence}\n`)))
    tables.set(offer.design.name, { offer, table })
  }
  const hasSample = !isAtAws && (await loadOrganisation(connect(rebac, named)))
  await prepareTable(connect(serviceDesign, connecting), isAtAws)
  const keys = await openKeys(connecting)
  return {
    service: createService({ tables, keys, log: jsonLog(shell.err) }),
    key: async () => (await keys.firstKey())?.text ?? (wantsKey ? (await keys.newKey()).text : undefined),
    hasSample,
  }
}
