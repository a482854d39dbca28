import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccessQuestion, decideRebac, type RebacTable, rebac } from '@freehold/designs/rebac'
import { type EngineOptions, openEngine } from '@freehold/engine'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { Pool } from 'undici'
import { startOwn } from '../own-process.js'
import { measureGrowth } from './growth.js'
import { atOnce, cpuOf, importShape, questionOf, questions, spent_us, wholeShape } from './matrix.js'

// A role matrix on the engine within the process: its import, and `can`, in memory, on disk, and over HTTP. CPU of the process that answers.

const all = Array.from({ length: questions }, (_, index) => questionOf(index, wholeShape))
/** Fewer people than a decider remembers the names of. */
const few = all.map((_, index) => questionOf(index, wholeShape, 500))

async function importing(table: RebacTable): Promise<string> {
  const [began, before] = [performance.now(), process.cpuUsage()]
  const rows = await importShape(table, wholeShape)
  const seconds = (performance.now() - began) / 1000
  return `${rows} rows in ${seconds.toFixed(1)} s, ${(spent_us(before, process.cpuUsage()) / 1e6).toFixed(1)} s of CPU`
}

async function byIds(table: RebacTable, named: readonly AccessQuestion[]): Promise<readonly AccessQuestion[]> {
  const place = await table.LocationCodeLookup.get({ locationCode: named[0]?.location ?? '' })
  return Promise.all(
    named.map(async ({ user, page }) => {
      const identity = await table.EmailIdentity.get({ email: user })
      return { user: identity?.userId ?? '', location: place?.locationId ?? '', page }
    }),
  )
}

async function within(name: string, options: EngineOptions): Promise<void> {
  const engine = await openEngine(options)
  const table = connect(rebac, { engine })
  try {
    await ensureTable(table.runtime)
    console.log(`${name}: import of ${await importing(table)}`)
    const decider = decideRebac(table.runtime)
    const can_us = async (asked: readonly AccessQuestion[]) =>
      (
        await cpuOf(
          asked,
          (question) => decider.can(question),
          async () => process.cpuUsage(),
        )
      ).toFixed(0)
    console.log(
      `${name}: can of 3,477 people in turn ${await can_us(all)} us, of 500 ${await can_us(few)}, by ids ${await can_us(await byIds(table, all))}`,
    )
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
    const ask = async (question: AccessQuestion) => {
      const { statusCode, body } = await pool.request({ method: 'POST', path: '/v1/rebac/can', headers, body: JSON.stringify(question) })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${statusCode}: ${text}`)
    }
    const can_us = async (asked: readonly AccessQuestion[]) => (await cpuOf(asked, ask, () => server.ask('cpu'))).toFixed(0)
    console.log(`over HTTP, on disk: can of 3,477 people in turn ${await can_us(all)} us, of 500 ${await can_us(few)}, client apart`)
  } finally {
    await pool.close()
    await server.stop()
  }
}

const [part, ...sizes] = process.argv.slice(2)
const path = await mkdtemp(join(tmpdir(), 'freehold-bench-'))
try {
  if (part === 'growth') await measureGrowth(path, sizes.length === 0 ? undefined : sizes.map(Number))
  else {
    await within('in memory', { memory: true })
    await within('on disk', { path })
    await overHttp(path)
  }
} finally {
  await rm(path, { recursive: true })
}
