import { type Attributes, type ErrorCode, type FlowJob, isFreeholdError, type JobHandlers, type Json } from '@freehold/table'
import type { Needs } from './flow.ts'
import type { FlowContext, HostOf, ScopeOf, Within } from './flow-host.ts'
import { byJob, jobContext, recordedCaller, sameJob, tenantOfWork } from './job-context.ts'
import { activeAgain, permit, permittedAgain } from './permitted.ts'
import { type InputOf, readInput } from './read-input.ts'

/**
 * A durable job as a design writes it. It may be run again from the beginning at any time, by another process: it goes through the items that are left,
 * and does none of them twice (spec rule 12).
 */
export interface WrittenJob<C extends FlowContext, I extends Attributes, T> {
  readonly name: string
  /** The flow that its record and its errors name. */
  readonly flow: string
  readonly input: I
  /** The subject that a list of jobs shows: `ROLE#7f…`. */
  subject(input: InputOf<I>): string
  /** The scope of the work; `system` for work of no tenant. */
  within(input: InputOf<I>): Within<ScopeOf<C>>
  /** Permissions that a calling user must still have at that scope, for each item. Left out for work that its flow's permission covers. */
  readonly needs?: readonly Needs[]
  /** The items that are left, in order. */
  each(context: C, input: InputOf<I>, job: FlowJob): AsyncIterable<T>
  /** Does one item. False: the other items need nothing any more. */
  does(context: C, item: T, input: InputOf<I>, job: FlowJob): Promise<unknown>
  /** How many items one counts as, for progress; 1 unless given. */
  size?(item: T): number
  /** Codes of errors that say of an item that it is gone, or on its way out: the job goes on with the next. */
  readonly passesOver?: readonly ErrorCode[]
  /** `stop`: the job ends. `continue-as-job`: it takes away the caller's own, and finishes that in its own name. `stop` unless given. */
  whenDenied?(context: C, input: InputOf<I>): 'stop' | 'continue-as-job'
  /** Codes of further errors that end the job as a denial does. */
  readonly stopsOn?: readonly ErrorCode[]
  /** Records that the job ended early, and why. */
  stopped?(context: C, input: InputOf<I>, reason: string, job: FlowJob): Promise<void>
  /** Called after the last item. */
  done?(context: C, input: InputOf<I>, job: FlowJob): Promise<unknown>
}

export interface Starting {
  /** False: returns as soon as the job is recorded. */
  readonly wait?: boolean
  /** True: an equal job of the same actor that has not begun does the work of both. */
  readonly joins?: boolean
}

/** A durable job: started by flows, run by any process that resumes jobs. */
export interface DurableJob<C extends FlowContext, I extends Attributes = Attributes> {
  readonly name: string
  start(context: C, input: InputOf<I>, how?: Starting): Promise<void>
  run(job: FlowJob): Promise<void>
}

/** A value as JSON keeps it: without attributes that are undefined. */
export function asJson<T>(value: T): { readonly [N in keyof T]: Json } {
  return JSON.parse(JSON.stringify(value))
}

/** One run of a job. */
interface Run<C extends FlowContext, I extends Attributes, T> {
  readonly written: WrittenJob<C, I, T>
  readonly context: C
  readonly input: InputOf<I>
  readonly job: FlowJob
}

/** Does one item as the user who asked for it, or as the job where that user may not act any more and need not. */
async function doOne<C extends FlowContext, I extends Attributes, T>({ written, context, input, job }: Run<C, I, T>, item: T) {
  const within = written.within(input)
  const [needs, ...more] = written.needs ?? []
  const run = async (acting: C) => {
    for (const other of more) await permit(acting, other, within)
    return written.does(acting, item, input, job)
  }
  if (needs === undefined) return run(context)
  if (written.whenDenied?.(context, input) !== 'continue-as-job') return permittedAgain(context, needs, within, run)
  try {
    return await activeAgain(context, run)
  } catch (error) {
    if (!isFreeholdError(error, 'Denied')) throw error
    return run(byJob(context, job))
  }
}

async function goThrough<C extends FlowContext, I extends Attributes, T>(run: Run<C, I, T>): Promise<void> {
  const { written, context, input, job } = run
  const { passesOver = [] } = written
  for await (const item of written.each(context, input, job)) {
    const goesOn = await doOne(run, item).catch((error: unknown) => {
      if (!passesOver.some((code) => isFreeholdError(error, code))) throw error
    })
    if (goesOn === false) break
    await job.advance(written.size?.(item) ?? 1)
  }
  await written.done?.(context, input, job)
}

/** Makes a durable job of a host's design. */
export function durableJob<C extends FlowContext, I extends Attributes, T>(
  host: HostOf<C>,
  written: WrittenJob<C, I, T>,
): DurableJob<C, I> {
  const { name, flow, stopsOn = [] } = written
  const by = host.design.tenants?.by
  return Object.freeze({
    name,
    start: async (context: C, input: InputOf<I>, { wait = true, joins = false }: Starting = {}) => {
      const tenant = tenantOfWork(context, written.within(input))
      // Jobs are done in turn by tenant: its id stands at the top of their record.
      const asked: Readonly<Record<string, Json>> = asJson({ ...input, ...(by === undefined ? {} : { [by]: tenant }) })
      const same = joins ? { same: sameJob(asked, context.caller) } : {}
      const recorded = { ...asked, caller: recordedCaller(context.caller) }
      await context.unscoped.jobs.start(name, { subject: written.subject(input), input: recorded, ...same, wait })
    },
    run: async (job: FlowJob) => {
      const { caller, ...asked } = job.input as Readonly<Record<string, Json>>
      const input = readInput(name, written.input, asked)
      const within = written.within(input)
      const tenant = within === 'system' || within === 'own' ? undefined : host.tenants?.of(within)
      // The host's context is of its design's types.
      const context = jobContext(host, job, flow, caller, tenant) as C
      try {
        await goThrough({ written, context, input, job })
      } catch (error) {
        if (!isFreeholdError(error) || !['Denied', ...stopsOn].includes(error.code)) throw error
        await written.stopped?.(context, input, String(error.details.reason ?? error.code), job)
      }
    },
  })
}

/** The handlers of durable jobs, for `connect`. */
export function handlersOf(jobs: readonly Pick<DurableJob<never>, 'name' | 'run'>[]): JobHandlers {
  return Object.fromEntries(jobs.map(({ name, run }) => [name, run]))
}
