import { randomUUID } from 'node:crypto'
import { rebac } from '@freehold/designs/rebac'
import type { DesignModule } from '@freehold/frame'
import type { Decider } from '@freehold/frame/decision'
import { type AnyDesign, connect, type Table } from '@freehold/table'
import { ensureTable, type Sender } from '@freehold/table/runtime'
import { engineSender } from '../../../test/engine/endpoint.ts'
import { pausingClock } from '../../../test/faults/pausing-clock.ts'
import {
  type AccessLine,
  type ApiKeys,
  createService,
  type DecisionLog,
  type Limits,
  openKeys,
  type Service,
  type ServiceMetrics,
} from '../src/index.ts'
import type { Outbox } from '../src/mail/index.ts'

/** A service over a table of a design, rebac unless said otherwise, and a table of keys, both new, on the engine of this run. */
export interface ServiceUnderTest<D extends AnyDesign = typeof rebac> {
  readonly app: Service
  readonly table: Table<D>
  readonly keys: ApiKeys
  /** The text of a key that works. */
  readonly key: string
  readonly lines: AccessLine[]
  /** Calls with a key; an object becomes a JSON body. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Called>
  /** Every item of the table, to see that nothing changed. */
  scan(): Promise<readonly object[]>
}

export interface Called {
  readonly status: number
  readonly headers: Headers
  // Tests reach into answers that they then compare.
  readonly body: Record<string, unknown>
}

export interface Setup {
  readonly decider?: Decider
  readonly module?: Partial<DesignModule>
  readonly limits?: Partial<Limits>
  readonly sender?: Sender
  /** It ends by the pauses between attempts alone. */
  readonly patience_ms?: number
  readonly trustedProxies?: number
  readonly outbox?: Pick<Outbox, 'list'>
  readonly publicUrl?: string
  readonly metrics?: ServiceMetrics
  readonly decisionLog?: DecisionLog
  /** Other designs that are served, each from a new table. */
  readonly beside?: readonly DesignModule[]
}

export async function called(response: Response): Promise<Called> {
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text !== '' && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : {},
  }
}

export function startService(setup: Setup = {}): Promise<ServiceUnderTest> {
  return startServiceOf(rebac, setup)
}

export async function startServiceOf<D extends AnyDesign>(
  design: D,
  {
    decider,
    module = {},
    limits = {},
    sender,
    patience_ms,
    trustedProxies = 0,
    beside = [],
    outbox,
    publicUrl,
    metrics,
    decisionLog,
  }: Setup = {},
): Promise<ServiceUnderTest<D>> {
  const own = engineSender()
  const table = connect(design, {
    sender: sender ?? own,
    ...(patience_ms === undefined ? {} : { patience_ms, ...pausingClock() }),
    jobHandlers: module.flows?.jobHandlers ?? {},
    table: `${design.name}-${randomUUID()}`,
  })
  const keys = await openKeys({ sender: own, table: `keys-${randomUUID()}`, onKey: metrics?.onKey })
  await ensureTable({ ...table.runtime, sender: own })
  const { text: key } = await keys.newKey('test')
  const lines: AccessLine[] = []
  const served = { module: { design, summary: 'For tests.', ...module }, table, ...(decider === undefined ? {} : { decider }) }
  const others = beside.map((other) => ({ module: other, table: connect(other.design, { sender: own, table: `beside-${randomUUID()}` }) }))
  await Promise.all(others.map((other) => ensureTable(other.table.runtime)))
  const tables = new Map([served, ...others].map((each) => [each.module.design.name, each]))
  const app = createService({
    tables,
    keys,
    log: (line) => lines.push(line),
    limits,
    trustedProxies,
    outbox,
    publicUrl,
    metrics,
    decisionLog,
  })
  const call: ServiceUnderTest['call'] = async (method, path, body, headers = {}) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    return called(await app.request(path, { method, ...json, headers: { Authorization: `Bearer ${key}`, ...type, ...headers } }))
  }
  return {
    app,
    table,
    keys,
    key,
    lines,
    call,
    scan: async () => (await own.send('Scan', { TableName: table.runtime.table, ConsistentRead: true })).Items ?? [],
  }
}
