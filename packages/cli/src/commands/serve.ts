import { offers, rebac } from '@freehold/designs'
import { createService, jsonLog, openKeys, type Served, serveOnNode, serviceDesign } from '@freehold/service'
import { type AnyDesign, type ConnectOptions, connect, ensureTable, senderOf, type Table } from '@freehold/table'
import { endOnSignal } from '../engine/end-on-signal.ts'
import { type Endpoint, embeddedEngine, resolveEndpoint } from '../engine/endpoint.ts'
import { readSecret } from '../engine/secret.ts'
import type { TableOptions } from '../opening/open-table.ts'
import { isAtAws, reach } from '../opening/reach.ts'
import { loadOrganisation } from '../sample/load-organisation.ts'
import { watchJobs } from '../serving/watch-jobs.ts'
import { welcomeText } from '../serving/welcome.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

export interface ServeOptions extends TableOptions {
  readonly port: number
  readonly host: string
  readonly memory?: boolean
  readonly newKey?: boolean
}

/** Makes a table that is not there; at AWS it must be, and its absence is an error that says how to make it. */
async function prepareTable({ runtime, jobs }: Pick<Table<AnyDesign>, 'runtime' | 'jobs'>, isAws: boolean): Promise<void> {
  if (isAws) await jobs.list()
  else await ensureTable(runtime)
}

function placeWords(endpoint: Endpoint): string {
  if (endpoint.kind === 'aws') return `from DynamoDB in ${endpoint.region}`
  if (endpoint.kind === 'endpoint') return `from ${endpoint.endpoint}`
  return endpoint.memory ? 'with its data in memory' : `with its data in ${endpoint.directory}`
}

/** What a command in another terminal needs to reach the same data. */
function reachingWords(
  { DYNAMODB_ENDPOINT }: Shell['env'],
  endpoint: Endpoint,
  dynamo: { endpoint?: string },
  data: string | undefined,
): string {
  if (endpoint.kind === 'embedded' && !endpoint.memory) return data === undefined ? '' : `FREEHOLD_DATA=${endpoint.directory} `
  if (endpoint.kind === 'aws' || DYNAMODB_ENDPOINT !== undefined || dynamo.endpoint === undefined) return ''
  return `DYNAMODB_ENDPOINT=${dynamo.endpoint} `
}

/** Closes in the reverse order of opening, once. */
function closing(): { add(close: () => Promise<void> | void): void; all(): Promise<void> } {
  const closers: (() => Promise<void> | void)[] = []
  return {
    add: (close) => closers.push(close),
    all: async () => {
      for (const close of closers.splice(0).reverse()) await close()
    },
  }
}

/** Serves every design over HTTP until it is told to end. */
export async function serve(shell: Shell, _operands: readonly string[], options: ServeOptions): Promise<Exit> {
  const { port, host, data, memory = false } = options
  const endpoint = resolveEndpoint(shell.env, { ...(data === undefined ? {} : { data }), memory }, shell.cwd)
  const isAws = isAtAws(endpoint)
  const reached = await reach(shell, endpoint, { name: 'freehold serve', role: 'owner' })
  const opened = closing()
  opened.add(() => reached.close('now'))
  const release = endOnSignal(async () => {
    await opened.all()
    process.exit(exit.yes)
  })
  try {
    const directory = memory ? undefined : embeddedEngine(shell.env, options, shell.cwd).directory
    const sender = senderOf(reached.dynamo)
    opened.add(() => sender.close())
    const connecting: ConnectOptions = { sender, secret: Buffer.from(readSecret(shell.env, directory)) }
    const named: ConnectOptions = options.table === undefined ? connecting : { ...connecting, table: options.table }
    const log = (sentence: string) => shell.err(`${sentence}\n`)

    const tables = new Map<string, Served>()
    for (const [name, offer] of offers) {
      const table = connect(offer.design, named)
      await prepareTable(table, isAws)
      opened.add(watchJobs(table.jobs, log))
      tables.set(name, { offer, table })
    }
    const hasSample = !isAws && (await loadOrganisation(connect(rebac, named)))

    await prepareTable(connect(serviceDesign, connecting), isAws)
    const keys = await openKeys(connecting)
    const service = createService({ tables, keys, log: jsonLog(shell.err) })
    const serving = await serveOnNode(service, { host, port })
    opened.add(() => serving.close())

    const first = await keys.firstKey()
    const key = first ?? (options.newKey === true ? await keys.newKey() : undefined)
    const { address } = serving
    const reaching = reachingWords(shell.env, endpoint, reached.dynamo, data)
    if (options.json === true) await printJson(shell, { address, ...(key === undefined ? {} : { key: key.text }), hasSample })
    else await shell.out(welcomeText({ address, where: placeWords(endpoint), key: key?.text, hasSample, reaching }))
    const end = await reached.ended
    if (end.reason === 'failed') throw end.error
    return exit.yes
  } finally {
    release()
    await opened.all()
  }
}
