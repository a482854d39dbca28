import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { checkedPort } from './checked-port.ts'

/** Ends the engine when standard input closes, which it does however the test worker ends. */
const untilInputEnds = '"$@" & read -r _; kill $!; wait'
const binary = join(dirname(createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json')), 'dynoxide')
const port = await freePort()
const engineEndpoint = `http://127.0.0.1:${port}`
let engine: ChildProcess | undefined

/** Address of this worker's embedded engine. Each test file finds an empty one there. Requests are held against the rules of AWS on the way. */
export const endpoint = `http://127.0.0.1:${await checkedPort(port)}`

/**
 * Starts an empty engine, in memory. Each test file has its own: an engine looks through the tokens of the last ten minutes with each
 * transaction, so that an old one takes three times the CPU.
 */
export async function startEngine(): Promise<void> {
  const command = [binary, 'serve', '--host', '127.0.0.1', '--port', String(port)]
  engine = spawn('sh', ['-c', untilInputEnds, 'engine', ...command], { stdio: ['pipe', 'ignore', 'ignore'] })
  await answers(engine)
}

/** Waits for the end of the engine, so that its CPU time counts as the worker's. */
export async function endEngine(): Promise<void> {
  if (engine === undefined) return
  const ended = once(engine, 'exit')
  engine.stdin?.end()
  await ended
}

/** Ports below 32,768 are not given out by the system, so that the port stays free between two engines. */
async function freePort(): Promise<number> {
  for (;;) {
    const candidate = 10_000 + Math.floor(Math.random() * 20_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(candidate, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return candidate
  }
}

async function answers(started: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 2_000 && started.exitCode === null; attempt += 1) {
    const response = await fetch(engineEndpoint).catch(() => undefined)
    if (response !== undefined) return
    await setTimeout(5)
  }
  throw new Error(`The embedded engine does not answer at ${engineEndpoint}.`)
}
