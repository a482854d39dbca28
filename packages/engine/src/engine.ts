import { randomBytes } from 'node:crypto'
import { malformed, ServiceError } from './errors.ts'
import { type Listening, listenHttp } from './face/http-server.ts'
import { RequestHandler } from './face/request-handler.ts'
import { type Sender, senderFor } from './face/sender.ts'
import type { Credentials } from './face/signature.ts'
import { Expiry, expire } from './operation/expire.ts'
import type { Context } from './operation/operation.ts'
import { operations } from './operation/operations.ts'
import { Upkeep } from './operation/upkeep.ts'
import { MemoryStore } from './store/memory-store.ts'
import { type Opened, openSharedStore } from './store/shared-store.ts'
import { Catalog } from './table/catalog.ts'
import { type Unkind, UnkindRequests } from './unkind/requests.ts'

export interface EngineOptions {
  /** A folder, which is made if it is not there, or a file that ends in `.mdb`. Several processes may open it at once. */
  readonly path?: string
  /** True for an engine whose tables end with it. */
  readonly memory?: boolean
  readonly now?: () => Date
  /** How the engine is unkind, for tests. By default it is not. */
  readonly unkind?: Unkind
}

export interface ListenOptions {
  /** By default one that is free. */
  readonly port?: number
  /** By default a pair that is made at random. */
  readonly credentials?: Credentials
}

/** DynamoDB in the process. */
export interface Engine {
  /** For `connect(design, { engine })` of `@freehold/table`. */
  readonly sender: Sender
  /** For any client of the AWS SDK 3. */
  readonly requestHandler: RequestHandler
  /**
   * Runs one operation of DynamoDB's API. Input and output are those of the JSON protocol.
   * @throws ServiceError with DynamoDB's name and message
   */
  execute(operation: string, input: unknown): Promise<object>
  /** Speaks the JSON protocol on the loopback interface, to who signs with the credentials. */
  listen(options?: ListenOptions): Promise<Listening>
  /** Writes a copy of one instant to a new file that ends in `.mdb`, while requests go on. Such a file can be opened. */
  backup(file: string): Promise<void>
  /** Removes items that have expired, of tables with a time to live. It tells how many. The engine does so every hour, unless it is unkind. */
  expire(): Promise<number>
  /** Waits for writes under way. Listeners are closed by who opened them. */
  close(): Promise<void>
}

/** Opens an engine on a folder, or in memory. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { path, memory = false, now = () => new Date(), unkind } = options
  if ((path === undefined) !== memory) throw new Error('Give openEngine either a path, or memory: true.')
  const opened = path === undefined ? inMemory() : await openSharedStore(path)
  return engineOn(opened, { now_ms: () => now().getTime(), unkind })
}

function inMemory(): Opened {
  const store = new MemoryStore()
  return { store, close: () => store.close() }
}

interface Surroundings {
  readonly now_ms: () => number
  readonly unkind: Unkind | undefined
}

function engineOn({ store, close }: Opened, { now_ms, unkind }: Surroundings): Engine {
  const catalog = new Catalog(() => upkeep.start())
  const upkeep = new Upkeep(store, catalog)
  const kind: Context = {
    catalog,
    now_ms,
    read: (_, work) => store.read(work),
    write: (work) => store.write(work),
    goOn: () => upkeep.start(),
  }
  const requests = unkind === undefined ? undefined : new UnkindRequests(kind, unkind)
  const context = requests?.context ?? kind
  // A test that is unkind says when items are removed.
  const expiry = unkind === undefined ? new Expiry(kind) : undefined

  async function run(operation: string, input: unknown): Promise<object> {
    const found = operations.get(operation)
    if (found === undefined) throw new ServiceError('UnknownOperationException', `The engine has no operation ${operation}.`)
    if (typeof input !== 'object' || input === null || Array.isArray(input)) throw malformed('Unexpected value type in payload')
    // An object has members by text.
    return found.run(context, input as Readonly<Record<string, unknown>>)
  }

  upkeep.start()
  const execute = requests === undefined ? run : (operation: string, input: unknown) => requests.execute(run, operation, input)
  return {
    execute,
    sender: senderFor(execute),
    requestHandler: new RequestHandler(execute),
    listen: ({ port = 0, credentials = newCredentials() } = {}) => listenHttp(execute, { port, credentials, now_ms }),
    backup: (file) => store.backup(file),
    expire: () => expire(kind),
    async close() {
      await Promise.all([upkeep.end(), expiry?.end()])
      await close()
    },
  }
}

function newCredentials(): Credentials {
  return { accessKeyId: `FREEHOLD${randomBytes(6).toString('hex').toUpperCase()}`, secretAccessKey: randomBytes(30).toString('base64url') }
}
