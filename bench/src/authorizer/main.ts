import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packFunction } from './bundle.js'
import { coldStart } from './cold-start.js'
import { withScene } from './scene.js'
import { warmRequest } from './warm-request.js'

// What a deployed authorizer weighs, how long it takes to start, and what a request costs.

const targets = { kilobytes: 600, start_ms: 150, roundTrips: 1 }
const line = (...cells: readonly string[]) =>
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(44) : cell.padStart(14))).join(''))

const packed = await packFunction()
const cedar = join(createRequire(import.meta.url).resolve('@cedar-policy/cedar-wasm/nodejs'), '..', 'cedar_wasm_bg.wasm')
const { start, warm } = await withScene(async (scene) => ({
  start: await coldStart(packed, scene),
  warm: await warmRequest(packed, scene),
}))
const { roundTrips, median_us } = warm

line('', 'measured', 'target')
line('bundle, minified and gzipped', `${(packed.bytes / 1000).toFixed(0)} kB`, `${targets.kilobytes} kB`)
line('Cedar, which is beside it', `${(statSync(cedar).size / 1000).toFixed(0)} kB`)
line('ready, median of 15 starts', `${start.ready_ms.toFixed(0)} ms`, `${targets.start_ms} ms`)
line('ready, the fastest start', `${start.readyLeast_ms.toFixed(0)} ms`)
line('CPU until it is ready, all threads', `${start.cpu_ms.toFixed(0)} ms`)
line('first event answered, median', `${start.answered_ms.toFixed(0)} ms`)
line('first event answered, the fastest', `${start.answeredLeast_ms.toFixed(0)} ms`)
line('round trips of a warm request', String(roundTrips), String(targets.roundTrips))
line('a warm request, median', `${median_us.toFixed(0)} us`)
process.exit(packed.bytes < targets.kilobytes * 1000 && start.ready_ms < targets.start_ms && roundTrips === targets.roundTrips ? 0 : 1)
