import { randomBytes, randomUUID } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import type { Making } from '../design/attribute.ts'
import type { CompiledPattern } from '../design/compiled-pattern.ts'
import type { AnyDesign, Design } from '../design/design.ts'
import type { Id, Item } from '../design/entity.ts'
import type { Entity } from '../design/form.ts'
import type { Pattern } from '../design/pattern.ts'
import type { Filter } from '../design/where.ts'
import type { ClientOptions } from '../dynamo/client-options.ts'
import { renamingSender } from '../dynamo/renaming-sender.ts'
import type { Sender } from '../dynamo/sender.ts'
import { type OwnClient, senderOf } from '../dynamo/sender-of.ts'
import { tracedSender } from '../dynamo/traced-sender.ts'
import { FreeholdError } from '../errors.ts'
import { tenantScopeOf } from '../plan/tenant-scope.ts'
import { adoptJob, runAdoption } from './adopt/adopt-table.ts'
import { migrateJob, runMigration } from './adopt/migrate-table.ts'
import type { StartingJob } from './jobs/flow-job.ts'
import type { Job } from './jobs/job.ts'
import { startJob } from './jobs/jobs.ts'
import { type Listing, listJobs } from './jobs/pick-jobs.ts'
import { type Resumed, type Resuming, resumeJobs } from './jobs/resume-jobs.ts'
import { forOperators } from './operators.ts'
import type { Pendable } from './pending.ts'
import { type Page, queryAll, queryPage, type Reading } from './query.ts'
import { type Counting, type Getting, type Removing, type Repository, repository, type Writing } from './repository.ts'
import type { JobHandlers, JobProgress, Runtime } from './runtime.ts'
import { type Taken, type Taking, take } from './take.ts'
import { type Results, type Steps, type Transacting, transact } from './transact.ts'
import { writeBudget } from './write-budget.ts'

/** The options of a connection. Only the way to DynamoDB is required. */
export interface ConnectOptions {
  /** The table's name. By default the design's own. */
  readonly table?: string
  /** A caller's own client, an endpoint, or a region: see `dynamo/client-options.ts`. */
  readonly dynamo?: ClientOptions | OwnClient
  /** A DynamoDB within the process, in place of `dynamo`: `openEngine` of `@freehold/engine` opens one. Closing the table does not close it. */
  readonly engine?: { readonly sender: Sender }
  /** Sends the requests, in place of `dynamo` and `engine`. */
  readonly sender?: Sender
  /**
   * The tenant of all calls: they read and write no items of another (spec rule 22). Without this option they work on the whole table. An option
   * that names no tenant is refused.
   */
  readonly tenant?: string
  /** Seals cursors: at least 16 bytes. Without a secret, cursors are valid until the process ends. */
  readonly secret?: Uint8Array
  readonly now?: () => Date
  readonly ids?: Omit<Making, 'now'>
  readonly random?: () => number
  readonly sleep?: (ms: number) => Promise<void>
  /** A monotonic clock, in milliseconds, for deadlines. */
  readonly monotonic_ms?: () => number
  /**
   * How long one call may begin attempts, in milliseconds, 10,000 by default. A call is a request with its retries, or a whole transaction.
   * It ends within this time plus one `attempt_ms`.
   */
  readonly patience_ms?: number
  /** How long one attempt at a request may take, in milliseconds, including the wait for a connection. 5,000 by default. */
  readonly attempt_ms?: number
  /**
   * How long a caller waits for the durable jobs of one call, in milliseconds, 300,000 by default. After that the result names them as
   * pending.
   */
  readonly wait_ms?: number
  /** The handlers of the jobs of the design's flows. A program that resumes jobs needs them. */
  readonly jobHandlers?: JobHandlers
  /** Write units a second for all durable jobs of this connection, unbounded by default. Writes of callers do not count. */
  readonly jobWriteUnits_per_s?: number
  /** The largest number of parallel requests of one durable job, 16 by default. At most 2 of them are writes. */
  readonly jobRequests_max?: number
  readonly onProgress?: (progress: JobProgress) => void
}

/** A query pattern of a connected table. It reads a page of items, or all items one after another. */
export interface QueryOf<P, R> {
  (parameters: P, reading?: Reading<Filter<R>>): Promise<Page<R>>
  all(parameters: P, reading?: Omit<Reading<Filter<R>>, 'cursor'>): AsyncGenerator<R, void, void>
}
export type GetOf<P, R> = (parameters: P, how?: Getting) => Promise<R | undefined>

type PatternOf<P> = P extends Pattern<infer A, infer R, infer O> ? (O extends 'get' ? GetOf<A, R> : QueryOf<A, R>) : never

/** The durable jobs of a table. */
export interface Jobs {
  /** Lists jobs, the oldest first, 1,000 by default. The id of the last one continues the list. */
  list(listing?: Listing): Promise<readonly Job[]>
  /** Finishes jobs that a crashed process left behind, and jobs for which no caller waits: all of them, or as many as the options allow. */
  resume(resuming?: Resuming): Promise<Resumed>
  /** Starts a job of the design's flows; see `startJob`. */
  start(name: string, how: StartingJob): Promise<Job>
}

/** A repository found by name, without a type for its items. It checks all its input against its entity. */
export interface NamedRepository {
  create(item: unknown): Promise<Item<Entity>>
  get(id: unknown, how?: Getting): Promise<Item<Entity> | undefined>
  update(id: unknown, change: unknown, how?: Counting): Promise<Item<Entity> & Pendable>
  move(id: unknown, change: unknown, how?: Writing): Promise<Item<Entity> & Pendable>
  remove(id: unknown, how?: Removing): Promise<Pendable>
}

/** An access pattern found by name. One that reads pages has `all`. It checks its parameters. */
export type NamedPattern = QueryOf<unknown, Readonly<Record<string, unknown>>> | GetOf<unknown, Item<Entity>>

/** A connected table of any design. */
export interface ConnectedTable {
  readonly design: AnyDesign
  /** The runtime of the connection, for functions that take one: decisions, imports, exports. */
  readonly runtime: Runtime
  transact<const S extends Steps>(steps: S, how?: Transacting): Promise<Results<S> & Pendable>
  /** Takes the next numbers of a sequence, in the transaction of the steps that use them; see `take`. */
  take<E extends Entity, const S extends Steps>(entity: E, id: Id<E>, steps: (first: number) => S, how?: Taking): Promise<Taken<S>>
  readonly jobs: Jobs
  /** The repository of the entity with this name. Throws `UnknownName`. */
  repositoryNamed(name: string): NamedRepository
  /** The access pattern with this name. Throws `UnknownName`. */
  patternNamed(name: string): NamedPattern
  /** The same table over the same connection, in the scope of one tenant. Throws `Denied` in the scope of another, `InvalidInput` without a tenant. */
  forTenant(tenant: string): ConnectedTable
  close(): void
}

/** A connected table: a repository for each entity, a function for each access pattern. */
export type Table<D> =
  D extends Design<infer E, infer P>
    ? { readonly [N in keyof E]: E[N] extends Entity ? Repository<E[N], E> : never } & {
        readonly [N in keyof P]: PatternOf<P[N]>
      } & Omit<ConnectedTable, 'forTenant'> & { forTenant(tenant: string): Table<D> }
    : never

const secretBytesMin = 16

function defaultIds(): Omit<Making, 'now'> & { ulidAt(ms: number): string } {
  const next = monotonicFactory()
  return { ulidAt: (ms) => next(ms), ulid: () => next(), uuid: () => randomUUID() }
}

function makingOf(now: () => Date, ids: ConnectOptions['ids']): () => Making {
  const own = ids ?? defaultIds()
  return () => {
    const at = now()
    return {
      now: at,
      uuid: () => own.uuid(),
      ulid: () => ('ulidAt' in own && typeof own.ulidAt === 'function' ? own.ulidAt(at.getTime()) : own.ulid()),
    }
  }
}

function checkBound(name: string, bound: number | undefined, least = 1): void {
  if (bound === undefined || bound >= least) return
  throw new FreeholdError('InvalidInput', `${name} is ${bound}; it is a number from ${least} on.`, { issues: [] })
}

function tenantOptions(design: AnyDesign, named: unknown): Pick<Runtime, 'tenant' | 'tenantScope'> {
  const tenantScope = tenantScopeOf(design, named)
  return { tenant: tenantScope.tenant, tenantScope }
}

function senderFor({ form: { names } }: AnyDesign, { sender, engine, dynamo }: ConnectOptions): Sender {
  const plain = sender ?? (engine === undefined ? senderOf(dynamo) : tracedSender(engine.sender))
  return names === undefined ? plain : renamingSender(plain, names)
}

/** The runtime of a connection, with the defaults filled in. Nothing is sent. */
export function runtimeOf(design: AnyDesign, options: ConnectOptions): Runtime {
  const { now = () => new Date(), secret = randomBytes(32) } = options
  if (secret.length < secretBytesMin)
    throw new FreeholdError('InvalidInput', `The secret has ${secret.length} bytes; it needs at least ${secretBytesMin}.`, { issues: [] })
  const monotonic_ms = options.monotonic_ms ?? (() => performance.now())
  const { jobWriteUnits_per_s: units, jobRequests_max = 16 } = options
  checkBound('jobWriteUnits_per_s', units)
  checkBound('jobRequests_max', jobRequests_max)
  checkBound('patience_ms', options.patience_ms, 0)
  checkBound('attempt_ms', options.attempt_ms)
  checkBound('wait_ms', options.wait_ms, 0)
  return {
    design,
    table: options.table ?? design.table,
    sender: senderFor(design, options),
    // A tenant that is named as undefined was asked for, and got lost on the way.
    ...('tenant' in options ? tenantOptions(design, options.tenant) : { tenant: undefined, tenantScope: undefined }),
    secret,
    now,
    making: makingOf(now, options.ids),
    random: options.random ?? Math.random,
    sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    monotonic_ms,
    patience_ms: options.patience_ms ?? 10_000,
    attempt_ms: options.attempt_ms ?? 5_000,
    wait_ms: options.wait_ms ?? 300_000,
    worker: randomUUID(),
    jobHandlers: { [adoptJob]: (job) => runAdoption(job), [migrateJob]: runMigration, ...options.jobHandlers },
    jobRequests_max,
    jobBudget: units === undefined ? undefined : writeBudget(units, monotonic_ms),
    onProgress: options.onProgress,
    // There from the beginning: a copy that gets a new member takes fifty times as long, and is of a shape of its own, which slows down whatever reads it (ADR 11).
    end_ms: undefined,
    call: undefined,
    reads: undefined,
    collected: undefined,
  }
}

function patternFunction(runtime: Runtime, pattern: CompiledPattern, repositoryNamed: (name: string) => NamedRepository): NamedPattern {
  const [entity] = pattern.entities
  if (pattern.operation === 'get' && entity !== undefined) return repositoryNamed(entity.name).get
  const page = (parameters: unknown, reading?: Reading<unknown>) => queryPage(runtime, pattern, parameters, reading)
  return Object.assign(page, {
    all: (parameters: unknown, reading?: Omit<Reading<unknown>, 'cursor'>) => queryAll(runtime, pattern, parameters, reading),
  })
}

/** Makes each named value when it is first asked for: a flow makes tables of its own, and uses few names of many. */
function lazily<D, V>(declared: ReadonlyMap<string, D>, make: (declaration: D) => V, what: string, design: AnyDesign): (name: string) => V {
  const made = new Map<string, V>()
  return (name) => {
    const known = made.get(name)
    if (known !== undefined) return known
    const declaration = declared.get(name)
    if (declaration === undefined) throw new FreeholdError('UnknownName', `The design ${design.name} has no ${what} '${name}'.`, { name })
    const value = make(declaration)
    made.set(name, value)
    return value
  }
}

const prototypes = new WeakMap<AnyDesign, object>()

/** What all tables of one design inherit: a property for each entity and access pattern. */
function prototypeOf(design: AnyDesign): object {
  const known = prototypes.get(design)
  if (known !== undefined) return known
  const prototype = {}
  const declare = (names: Iterable<string>, get: (this: ConnectedTable, name: string) => unknown) => {
    for (const name of names)
      Object.defineProperty(prototype, name, {
        enumerable: true,
        get(this: ConnectedTable) {
          return get.call(this, name)
        },
      })
  }
  declare(design.form.entities.keys(), function (name) {
    return this.repositoryNamed(name)
  })
  declare(design.form.patterns.keys(), function (name) {
    return this.patternNamed(name)
  })
  prototypes.set(design, Object.freeze(prototype))
  return prototype
}

/** Connects a design to its table. The first call sends the first request. */
export function connect<D extends AnyDesign>(design: D, options: ConnectOptions = {}): Table<D> {
  return tableOf(design, runtimeOf(design, options))
}

/** The table of a durable job's runtime, with the runtime's clock, bounds and budget. */
export function tableOn(runtime: Runtime): ConnectedTable {
  return tableOf(runtime.design, runtime) as ConnectedTable
}

function inTenantScope(runtime: Runtime, tenant: string): Runtime {
  if (runtime.tenantScope !== undefined && runtime.tenant !== tenant)
    throw new FreeholdError('Denied', 'A table in the scope of one tenant cannot be used for another.', { reason: 'AnotherTenant' })
  return { ...runtime, ...tenantOptions(runtime.design, tenant) }
}

function tableOf<D extends AnyDesign>(design: D, runtime: Runtime): Table<D> {
  const { entities, patterns } = design.form
  const repositoryNamed = lazily(entities, (entity): NamedRepository => repository(runtime, entity), 'entity', design)
  const tools: ConnectedTable = {
    design,
    runtime,
    transact: (steps, how) => transact(runtime, steps, how),
    take: (entity, id, steps, how) => take(runtime, entity, id, steps, how),
    jobs: {
      list: async (listing) => listJobs(forOperators(runtime, 'Jobs'), listing),
      resume: async (resuming) => resumeJobs(forOperators(runtime, 'Jobs'), resuming),
      start: async (name, how) => startJob(forOperators(runtime, 'Jobs'), name, how),
    },
    repositoryNamed,
    patternNamed: lazily(patterns, (pattern) => patternFunction(runtime, pattern, repositoryNamed), 'access pattern', design),
    forTenant: (tenant) => tableOf(design, inTenantScope(runtime, tenant)),
    close: () => runtime.sender.close(),
  }
  // D is the type of the design, whose entities and patterns the prototype has.
  return Object.freeze(Object.assign(Object.create(prototypeOf(design)), tools)) as Table<D>
}
