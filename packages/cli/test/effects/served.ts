import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { issuer } from '../../../../test/callers/tokens.ts'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { freePort } from '../../../../test/free-port.ts'
import { folder } from '../recorded-shell.ts'
import { bundleCommand, type Spawned, spawnCommand } from '../spawned.ts'

/** A server that obeys a file of settings. */
export interface ServedBy extends Spawned {
  readonly address: string
  /** What it has told of itself. */
  readonly told: Readonly<Record<string, unknown>>
  /** Calls with a key; an object becomes a JSON body. */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** The lines of its log, as they stand. */
  lines(): readonly Record<string, unknown>[]
  /** A connection to it. */
  socket(): Promise<Socket>
}

let module: Promise<string> | undefined

/** The command, as a module. */
export function commandModule(): Promise<string> {
  module ??= bundleCommand()
  return module
}

/** Starts a server of rebac on any free port, in a folder with this file of settings. */
export async function served(settings: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}): Promise<ServedBy> {
  const file = JSON.stringify({ designs: ['rebac'], port: 0, ...settings })
  const cwd = folder({ 'freehold.config.json': file })
  const spawning = { module: await commandModule(), cwd, env: { DYNAMODB_ENDPOINT: endpoint, ...env } }
  const spawned = spawnCommand(['serve', '--json', '--new-key', '--config', 'freehold.config.json'], spawning)
  await spawned.says('\n')
  const told = JSON.parse(spawned.written.out.split('\n')[0] ?? '')
  const { address, key, keyFile } = told
  const text: string = key ?? readFileSync(keyFile, 'utf8').trim()
  const { hostname, port } = new URL(address)
  const call: ServedBy['call'] = (method, path, body, headers = {}) =>
    fetch(`${address}${path}`, {
      method,
      headers: { Authorization: `Bearer ${text}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const lines = () =>
    spawned.written.err
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line))
  const socket = async () => {
    const opened = connect(Number(port), hostname).on('error', () => undefined)
    await once(opened, 'connect')
    return opened
  }
  return { ...spawned, address, told, call, lines, socket }
}

let shared: Promise<ServedBy & typeof settings> | undefined

const settings = {
  designs: ['rebac', 'authorization'],
  port: await freePort(),
  host: 'localhost',
  trustedProxies: 1,
  publicUrl: 'https://decide.example',
  authzenTenant: 'Acme Property',
  bodyBytesMax: 256,
  runningMax: 1,
  definitionAgeMs: 0,
  issuers: join(folder({ 'issuers.json': JSON.stringify([{ ...issuer, user: { claim: 'sub' } }]) }), 'issuers.json'),
}

/** The server of most cases, with the settings by which it was started. */
export function narrow(): Promise<ServedBy & typeof settings> {
  shared ??= served(settings).then((server) => ({ ...server, ...settings }))
  return shared
}
