import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decideRebac, importMatrix, type RebacTable, rebac } from '@freehold/designs/rebac'
import { type EngineOptions, openEngine } from '@freehold/engine'
import { matrixColumns, matrixEmail, readCsv } from '@freehold/frame/exchange'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { Pool } from 'undici'
import { type MatrixShape, permissionsOf, rolePermissionsCsv, rolesOf, userRolesCsv } from '../generated-matrix.js'
import { inFlight } from '../in-flight.js'
import { median } from '../measure.js'
import { startOwn } from '../own-process.js'

// A role matrix on the engine within the process: its import, and `can` by names, in memory, on disk, and over HTTP. CPU of the process that answers.

/** About 10,000 rows, as many as a well-known matrix of a company with 3,477 people has. */
const shape: MatrixShape = { users: 3_477, roles: 200, permissions: 1_587, rolesOfUser: 2, permissionsOfRole: 15 }
const location = 'HQ'
const questions = 4_000
const rounds = 5
const atOnce = 16

const questionOf = (index: number) => {
  const user = (index * 31) % shape.users
  const [role = 0] = rolesOf(user, shape)
  const isOwn = index % 2 === 0
  const permission = isOwn ? (permissionsOf(role, shape)[index % shape.permissionsOfRole] ?? 0) : (index * 17) % shape.permissions
  return { user: matrixEmail(`u${user}`), location, page: `p${permission}` }
}

const spent = (before: NodeJS.CpuUsage, after: NodeJS.CpuUsage) => after.user + after.system - before.user - before.system

async function cpuOf(ask: (index: number) => Promise<unknown>, cpu: () => Promise<NodeJS.CpuUsage>): Promise<number> {
  const taken: number[] = []
  for (let round = -1; round < rounds; round++) {
    const before = await cpu()
    await inFlight(questions, atOnce, ask)
    if (round >= 0) taken.push(spent(before, await cpu()) / questions)
  }
  return median(taken)
}

const ownCpu = async () => process.cpuUsage()

async function imported(table: RebacTable): Promise<string> {
  const [began, before] = [performance.now(), process.cpuUsage()]
  const { userRoles, rolePermissions } = await importMatrix(table, {
    userRoles: readCsv(userRolesCsv(shape), matrixColumns.userRoles),
    rolePermissions: readCsv(rolePermissionsCsv(shape), matrixColumns.rolePermissions),
    location,
  })
  const seconds = (performance.now() - began) / 1000
  const cpu_s = spent(before, process.cpuUsage()) / 1e6
  return `${userRoles.rows + rolePermissions.rows} rows in ${seconds.toFixed(1)} s, ${cpu_s.toFixed(1)} s of CPU`
}

async function within(name: string, options: EngineOptions): Promise<void> {
  const engine = await openEngine(options)
  const table = connect(rebac, { engine })
  try {
    await ensureTable(table.runtime)
    console.log(`${name}: import of ${await imported(table)}`)
    const decider = decideRebac(table.runtime)
    console.log(`${name}: can ${(await cpuOf((index) => decider.can(questionOf(index)), ownCpu)).toFixed(0)} us`)
  } finally {
    table.close()
    await engine.close()
  }
}

async function overHttp(path: string): Promise<void> {
  const server = startOwn<'cpu', NodeJS.CpuUsage>(join(import.meta.dirname, 'server.js'), { path })
  // The first message of a server is where it listens.
  const { address, key } = (await server.reply()) as unknown as { readonly address: string; readonly key: string }
  const pool = new Pool(address, { connections: atOnce })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  try {
    const ask = async (index: number) => {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/v1/rebac/can',
        headers,
        body: JSON.stringify(questionOf(index)),
      })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${statusCode}: ${text}`)
    }
    console.log(`over HTTP, on disk: can ${(await cpuOf(ask, () => server.ask('cpu'))).toFixed(0)} us, client apart`)
  } finally {
    await pool.close()
    await server.stop()
  }
}

const path = await mkdtemp(join(tmpdir(), 'freehold-bench-'))
try {
  await within('in memory', { memory: true })
  await within('on disk', { path })
  await overHttp(path)
} finally {
  await rm(path, { recursive: true })
}
