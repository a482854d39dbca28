import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { DesignModule } from '@freehold/frame'
import {
  createService,
  type DecisionLog,
  type Issuer,
  type Limits,
  openKeys,
  type ServerLog,
  type Service,
  type ServiceMetrics,
  serviceDesign,
} from '@freehold/service'
import { connect } from '@freehold/table'
import type { Settings } from '../config/settings.ts'
import type { CommandMails } from '../mail/mailing.ts'
import { operatorLink } from '../opening/with-keys.ts'
import { type LoadedSamples, loadSamples, sampleQuestions } from '../sample/load-samples.ts'
import type { Closing } from './closing.ts'
import { waitingMax } from './listen.ts'
import { openConsoleSignIn, openSignIn, tellingInvitations } from './open-sign-in.ts'
import { type OpeningTables, openTable, openTables } from './open-tables.ts'
import { watchJobs } from './watch-jobs.ts'

export interface OpeningService extends Omit<OpeningTables, 'starting'> {
  /** The designs to serve. */
  readonly modules: readonly DesignModule[]
  /** True if the user has named them, so that each table must exist. */
  readonly areAsked: boolean
  /** The table of the one served design, if it is not the design's own. */
  readonly table: string | undefined
  /** True to create another API key. */
  readonly wantsKey: boolean
  /** False where another process finishes the jobs that were left behind. By default true. */
  readonly watchesJobs?: boolean
  /** See `ServiceOptions`. */
  readonly issuers?: readonly Issuer[]
  readonly settings: Settings
  /** What the server writes for its operators. */
  readonly log: ServerLog
  /** What it counts, if anything. */
  readonly metrics?: ServiceMetrics | undefined
  readonly decisionLog?: DecisionLog | undefined
  /** How mails go out, and where those are that stay. */
  readonly mails: CommandMails
  /** True for pages that need no key: nobody but the users of this machine reaches the server. */
  readonly hasPages: boolean
}

export interface OpenedService {
  readonly service: Service
  /** The names of the served designs. */
  readonly designs: readonly string[]
  /** Creates an API key at the first start, or if one is wanted, and returns its text. A wanted one is to be printed. */
  readonly key: () => Promise<{ readonly text: string; readonly isFirst: boolean } | undefined>
  /** Makes a link that opens the console once. */
  readonly link: () => Promise<string | undefined>
  readonly samples: LoadedSamples
}

/** The package that has Scalar's script for browsers as one file, and few others beneath it. Nothing else of it is loaded. */
const viewerPackage = '@scalar/fastify-api-reference'

/** Reads the viewer of `/docs`. Its file is not among the exports of its package, so it is found beside them. */
async function readViewer(): Promise<string> {
  const main = createRequire(import.meta.url).resolve(viewerPackage)
  return readFile(join(dirname(main), 'js', 'standalone.js'), 'utf8')
}

/** A sample is one transaction of many items, which a busy machine takes seconds for. */
const loadingBounds = { attempt_ms: 4_000 } as const

/** An HTTP request waits so long for its durable jobs, which the server then continues. Proxies give up soon after that. */
const requestWait_ms = 20_000
/** How often a server looks for jobs that a process has left behind. */
const jobLook_ms = 30_000
/** The first requests of a start elsewhere than at AWS: on a full disk it should fail soon. */
const starting = { patience_ms: 4_000, attempt_ms: 2_000 } as const

/** Admission says how many run and who waits: the bound of the service, which knows no callers, stands behind all that it lets in. */
function serviceLimits(settings: Settings): Partial<Limits> {
  return { body_bytes_max: settings.bodyBytesMax, inFlight_max: settings.runningMax + waitingMax(settings) }
}

/** The same design; its deciders remember definitions as long as the settings say. Those of one tenant have a smaller memory of their own. */
function remembering({ definitionAgeMs: maxStalenessMs }: Settings, module: DesignModule): DesignModule {
  const { decider } = module
  if (decider === undefined) return module
  return { ...module, decider: (runtime, options) => decider.call(module, runtime, { maxStalenessMs, ...options }) }
}

/** The same design; its flows log their changes. */
function changesTo(log: ServerLog, module: DesignModule): DesignModule {
  return module.flows === undefined ? module : { ...module, flows: module.flows.loggedBy((line) => log.line('info', line)) }
}

/** Opens the tables of designs, the table of API keys, and the service on them. */
export async function openService(opened: Closing, options: OpeningService): Promise<OpenedService> {
  const {
    modules,
    areAsked,
    connecting,
    isAtAws,
    table: name,
    wantsKey,
    issuers = [],
    settings,
    mails,
    hasPages,
    log,
    metrics,
    decisionLog,
  } = options
  const { watchesJobs = true } = options
  const named = { ...connecting, wait_ms: requestWait_ms, ...(name === undefined ? {} : { table: name }) }
  const startingHere = isAtAws ? {} : starting
  const { outbox } = mails
  const telling = mails.mailing && tellingInvitations(mails.mailing)
  const mailing = telling?.mailing
  const served = modules.map((module) => {
    const logged = remembering(settings, changesTo(log, module))
    return mailing === undefined || logged.flows === undefined ? logged : { ...logged, flows: logged.flows.mailedBy(mailing) }
  })
  const found = await openTables(served, areAsked, { connecting: named, starting, isAtAws }, (sentence) =>
    log.from('tables')(sentence, 'warn'),
  )
  for (const { table, module } of watchesJobs ? found : []) {
    metrics?.watchJobs(module.design.name, table.jobs)
    const alongside = async () => module.flows?.recordCounts(table)
    opened.add(watchJobs(table.jobs, log.from('jobs'), { interval_ms: jobLook_ms, alongside }))
  }
  // Tables at AWS get no sample.
  const none: LoadedSamples = { tables: new Map(found.map((each) => [each.module.design.name, each])), loaded: new Set(), asked: new Set() }
  const samples = isAtAws ? none : await loadSamples(none.tables, { ...named, ...startingHere, ...loadingBounds })
  const { tables } = samples
  const questions = sampleQuestions.filter(({ design }) => samples.asked.has(design))
  await openTable({ design: serviceDesign }, { connecting, starting, isAtAws })
  const keys = await openKeys({ ...connecting, ...startingHere, onKey: metrics?.onKey })
  const counts = connect(serviceDesign, connecting)
  const signIn = await openSignIn(tables, counts, settings, mailing, log)
  if (signIn !== undefined) telling?.to(signIn)
  return {
    service: createService({
      tables,
      keys,
      log: log.request,
      metrics,
      decisionLog,
      limits: serviceLimits(settings),
      trustedProxies: settings.trustedProxies,
      publicUrl: settings.publicUrl,
      authzenTenant: settings.authzenTenant,
      signIn,
      consoleSignIn: await openConsoleSignIn(issuers, counts, settings),
      issuers,
      outbox: await outbox?.(),
      pages: hasPages ? { viewer: readViewer, questions } : undefined,
    }),
    designs: [...tables.keys()],
    key: async () => {
      const first = await keys.firstKey()
      const made = first ?? (wantsKey ? await keys.newKey() : undefined)
      return made && { text: made.text, isFirst: first !== undefined }
    },
    link: async () => (await operatorLink(keys, new Date()))?.text,
    samples,
  }
}
