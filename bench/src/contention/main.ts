import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type AccountFlows, type AccountTable, accountManagement, offeredAccountFlows } from '@freehold/designs/account-management'
import { operator } from '@freehold/frame/flow'
import { connect, isFreeholdError } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import type { Proxied } from '../conflict-proxy.js'
import { startBenchEngine } from '../engine.js'
import { startOwn } from '../own-process.js'

// Flows of many callers at once, where transactions that name the same item cancel each other, as they do at AWS. Each caller that is a user checks its
// client, itself, its assignment and its role: the checks of one client's users meet in the client and in a role that they share.

const callers = 50
const flowsEach = 10
/** A round trip of a transaction at AWS, as its own measurements in one region tell. */
const latency_ms = 8

const permission = { module: 'account-management', action: 'create', resource: 'device' }

interface Caller {
  readonly flows: AccountFlows
  readonly building_id: string
}

interface Sharing {
  readonly name: string
  readonly clients: number
  /** True if the users of a client have one role, false if each has its own. */
  readonly isRoleShared: boolean
  readonly isBuildingShared: boolean
  readonly asOperators?: boolean
}

const scenarios: readonly Sharing[] = [
  {
    name: 'operators, who check nothing, each in its building',
    clients: 1,
    isRoleShared: true,
    isBuildingShared: false,
    asOperators: true,
  },
  { name: 'users of 50 clients', clients: callers, isRoleShared: false, isBuildingShared: false },
  { name: 'users of one client, each with its role and building', clients: 1, isRoleShared: false, isBuildingShared: false },
  { name: 'users of one client with one role, each in its building', clients: 1, isRoleShared: true, isBuildingShared: false },
  { name: 'users of one client with one role, in one building', clients: 1, isRoleShared: true, isBuildingShared: true },
]

/** Makes the clients, roles, users and buildings of a scenario, without the proxy. */
async function prepare(filling: AccountTable, table: AccountTable, sharing: Sharing): Promise<readonly Caller[]> {
  const own = offeredAccountFlows.of(filling, { actor: operator })
  const all: Caller[] = []
  let shared: { client_id: string; project_id: string; role_id: string; building_id: string } | undefined
  for (let index = 0; index < callers; index++) {
    const isFirst = index % Math.ceil(callers / sharing.clients) === 0
    const client_id = isFirst || shared === undefined ? (await own.createClient({ name: `Client ${randomUUID()}` })).id : shared.client_id
    const project_id = isFirst || shared === undefined ? (await own.createProject({ client_id, name: 'p' })).id : shared.project_id
    const role_id =
      isFirst || shared === undefined || !sharing.isRoleShared
        ? (await own.createRole({ client_id, name: `Role ${randomUUID()}`, permissions: [permission] })).id
        : shared.role_id
    const building_id =
      isFirst || shared === undefined || !sharing.isBuildingShared
        ? (await own.createBuilding({ project_id, name: 'b' })).id
        : shared.building_id
    shared = { client_id, project_id, role_id, building_id }
    const { id: user_id } = await filling.User.create({ client_id, email: `${randomUUID()}@example.org`, user_type: 'client_admin' })
    await filling.User.update({ id: user_id }, { status: 'active' })
    await own.assignRole({ user_id, role_id, scope_type: 'client', scope_id: client_id })
    const actor = sharing.asOperators ? operator : ({ kind: 'user', user_id } as const)
    all.push({ flows: offeredAccountFlows.of(table, { actor }), building_id })
  }
  return all
}

const percentile = (sorted: readonly number[], part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0)

async function measured(filling: AccountTable, table: AccountTable, sharing: Sharing, conflictsOf: () => Promise<number>): Promise<string> {
  const all = await prepare(filling, table, sharing)
  const before = await conflictsOf()
  const took: number[] = []
  let failed = 0
  const begun = performance.now()
  await Promise.all(
    all.map(async ({ flows, building_id }) => {
      for (let each = 0; each < flowsEach; each++) {
        const start = performance.now()
        try {
          await flows.createDevice({ building_id, name: `Device ${each}`, type: 'hvac' })
          took.push(performance.now() - start)
        } catch (error) {
          if (!isFreeholdError(error)) throw error
          failed++
        }
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1000
  const sorted = took.sort((a, b) => a - b)
  const cells = [
    Math.round(took.length / seconds),
    ((await conflictsOf()) - before) / (callers * flowsEach),
    percentile(sorted, 0.5),
    percentile(sorted, 0.99),
    failed,
  ]
  return `${sharing.name.padEnd(58)}${cells.map((cell) => String(Math.round(cell * 100) / 100).padStart(12)).join('')}`
}

const engine = await startBenchEngine()
const proxy = startOwn<'state', Proxied>(join(import.meta.dirname, '../conflict-proxy.js'), { endpoint: engine.endpoint, latency_ms })
try {
  const { endpoint } = await proxy.ask('state')
  const how = { jobHandlers: offeredAccountFlows.jobHandlers }
  const filling = connect(accountManagement, { dynamo: { endpoint: engine.endpoint }, ...how })
  await ensureTable(filling.runtime)
  const table = connect(accountManagement, { dynamo: { endpoint }, ...how })
  console.log(`${callers} callers at once create ${flowsEach} devices each; a request takes ${latency_ms} ms more than here`)
  console.log(`${''.padEnd(58)}${['flows/s', 'conflicts', 'p50 ms', 'p99 ms', 'failed'].map((head) => head.padStart(12)).join('')}`)
  for (const sharing of scenarios) console.log(await measured(filling, table, sharing, async () => (await proxy.ask('state')).cancelled))
  filling.close()
  table.close()
} finally {
  await proxy.stop()
  await engine.stop()
}
