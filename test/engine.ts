import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the one embedded engine of this run; each test file makes its own table on it. */
    endpoint: string
  }
}

/** Starts one engine, in memory, for the whole run, and ends it with the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const port = await freePort()
  const binary = join(dirname(createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json')), 'dynoxide')
  const engine = spawn(binary, ['serve', '--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' })
  const endpoint = `http://127.0.0.1:${port}`
  await answers(endpoint, engine)
  project.provide('endpoint', endpoint)
  return async () => {
    const ended = once(engine, 'exit')
    if (engine.kill()) await ended
  }
}

/** The engine does not report the port it chose, so that one is chosen for it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo; the other types of address() are for pipes and closed servers.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function answers(endpoint: string, engine: ChildProcess): Promise<void> {
  let failure: unknown
  engine.once('error', (error) => {
    failure = error
  })
  for (let attempt = 0; attempt < 500 && failure === undefined && engine.exitCode === null; attempt += 1) {
    const response = await fetch(endpoint).catch(() => undefined)
    if (response !== undefined) return
    await setTimeout(20)
  }
  engine.kill()
  throw new Error(`The embedded engine does not answer at ${endpoint}.`, { cause: failure })
}
