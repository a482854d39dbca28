import { type ChildProcess, type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { temporaryFolder } from '../../../test/folders/temporary-folder.ts'
import { findEngine } from '../src/engine/binary.ts'
import { freePort } from '../src/engine/port.ts'
import type { Opened, OpenerOptions } from './opener.ts'

export const binary = findEngine({})

/** A data folder of its own for one test. */
export function freshFolder(): string {
  const parent = temporaryFolder()
  folders.push(parent)
  return join(parent, '.freehold')
}

/** A port that was free just now. */
export async function portToUse(): Promise<number> {
  const port = await freePort(0)
  if (port === undefined) throw new Error('This machine has no free port.')
  return port
}

/** A process that runs test/opener.ts. */
export interface Opener {
  readonly process: ChildProcess
  readonly opened: Promise<Opened>
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** Lines of stderr, as they come. */
  readonly said: readonly string[]
  tell(order: 'stop' | 'throw' | 'exit'): void
}

const openers: ChildProcess[] = []
const folders: string[] = []

type Wanted = Partial<OpenerOptions> & { readonly directory: string }

export function open(module: string, wanted: Wanted): Opener {
  return follow(spawn(process.execPath, [module, JSON.stringify(optionsOf(wanted))], { stdio: 'pipe' }))
}

/** Like `open`, but npm runs it, as it does `npm start`. */
export function openByNpm(module: string, wanted: Wanted): Opener {
  const cwd = dirname(wanted.directory)
  const start = `exec "${process.execPath}" "${module}" '${JSON.stringify(optionsOf(wanted))}'`
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts: { start } }))
  return follow(spawn('npm', ['start', '--silent'], { cwd, stdio: 'pipe' }))
}

function optionsOf(wanted: Wanted): OpenerOptions {
  return { binary, role: 'owner', name: 'freehold local', handlesSignals: true, ...wanted }
}

function follow(child: ChildProcessWithoutNullStreams): Opener {
  openers.push(child)
  const said: string[] = []
  lines(child.stderr, (line) => said.push(line))
  const opened = new Promise<Opened>((resolve, reject) => {
    lines(child.stdout, (line) => resolve(JSON.parse(line)))
    child.once('close', () => reject(new Error(`The opener ended without a word: ${said.join('\n')}`)))
  })
  opened.catch(() => {})
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return { process: child, opened, ended, said, tell: (order) => child.stdin.write(`${order}\n`) }
}

/** Ends the openers and the engines that still run, a failed test's among them. */
export async function cleanUp(): Promise<void> {
  for (const child of openers.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  for (const folder of folders.splice(0)) {
    for (const pid of childrenOn(join(folder, '.freehold'))) process.kill(pid, 'SIGKILL')
  }
}

/** The engines on the data of a folder, by pid. */
export function enginesOn(directory: string): number[] {
  return commandsOn(directory).flatMap(({ pid, command }) => (command.startsWith('/bin/sh') ? [] : [pid]))
}

/** The engines on the data of a folder, and the subshells that watch over them. */
export function childrenOn(directory: string): number[] {
  return commandsOn(directory).map(({ pid }) => pid)
}

function commandsOn(directory: string): { pid: number; command: string }[] {
  return execFileSync('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, stat, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
      if (command === undefined || stat?.startsWith('Z') || !command.includes(`--db-path ${join(directory, 'freehold.db')}`)) return []
      return [{ pid: Number(pid), command }]
    })
}

/** Sends one request to an engine, below any client. */
export async function send(endpoint: string, operation: string, body: object): Promise<unknown> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      authorization: 'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      'x-amz-date': '20260101T000000Z',
    },
    body: JSON.stringify(body),
  })
  return response.json()
}

const table = 'kept'

/** Makes a table with one item. */
export async function keepWord(endpoint: string, word: string): Promise<void> {
  await send(endpoint, 'CreateTable', {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  })
  await send(endpoint, 'PutItem', { TableName: table, Item: { PK: { S: 'word' }, word: { S: word } } })
}

/** The answer to the word's request: `{ Item }`, or an error's type and message. */
export function keptWord(endpoint: string): Promise<unknown> {
  return send(endpoint, 'GetItem', { TableName: table, Key: { PK: { S: 'word' } } })
}

export const itemOf = (word: string): object => ({ Item: { PK: { S: 'word' }, word: { S: word } } })

function lines(stream: Readable, each: (line: string) => void): void {
  createInterface({ input: stream }).on('line', each)
}
