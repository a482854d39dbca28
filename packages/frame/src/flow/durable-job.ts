import {
  type Attributes,
  type Entity,
  type ErrorCode,
  type FlowJob,
  type FreeholdError,
  isFreeholdError,
  type JobHandlers,
  type Json,
} from '@freehold/table'
import { checkAdopted, madeItem, tableOn } from '@freehold/table/runtime'
import { callerOf, recordedCaller } from './actor.ts'
import { asJson } from './as-json.ts'
import type { Needs } from './flow.ts'
import { deciderFor, type FlowContext, type FlowHost, type FlowTable, type HostOf, type ScopeOf, type Within } from './flow-host.ts'
import { type InputOf, readInput } from './input/input-attributes.ts'
import { permit, permittedAgain } from './permission/permitted.ts'

/** The tenant that a job is for: that of its scope, or of a user whose own it is; undefined for the system's. */
export function tenantOfWork({ host: { tenants }, user }: Pick<FlowContext, 'host' | 'user'>, within: unknown): string | undefined {
  if (within === 'system') return undefined
  if (within !== 'own') return tenants?.of(within)
  return user === undefined ? undefined : tenants?.ofUser(user)
}

/** The same work in the job's own name, since the user who asked may not act any more; each record tells who asked, and when. */
export function byJob<C extends FlowContext>(context: C, { id, createdAt }: FlowJob): C {
  const { actor } = context.caller
  const told = { asked_by: actor.kind === 'user' ? actor.user_id : null, asked_at: createdAt }
  return { ...context, user: undefined, caller: { actor: { kind: 'operator', name: `job ${id}` } }, told }
}

/**
 * A durable job as a design writes it. It may be run again from the beginning at any time, by another process: it goes through the items that are left,
 * and does none of them twice (spec rule 12).
 */
export interface WrittenJob<C extends FlowContext, I extends Attributes, T> {
  readonly name: string
  /** The flow that its record and its errors name: that of the job's name unless given. */
  readonly flow?: string
  readonly input: I
  /** The subject that a list of jobs shows: `ROLE#7f…`. */
  subject(input: InputOf<I>): string
  /** The scope of the work; `system` for work of no tenant. */
  within(input: InputOf<I>): Within<ScopeOf<C>>
  /** The item that the flow's result is, for the answer to a repeat of the call. */
  about?(input: InputOf<I>): { readonly entity: Entity; readonly id: Readonly<Record<string, unknown>> }
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

interface HowStarted {
  readonly wait?: boolean
  readonly willStart?: true
}

/** A durable job: started by flows, run by any process that resumes jobs. */
export interface DurableJob<C extends FlowContext, I extends Attributes = Attributes> {
  readonly name: string
  /**
   * An equal job of the same actor that was left by `wait: false` and has not begun does the work of both.
   * @param how `wait: false` returns as soon as the job is recorded. `willStart` records it before a write that makes it necessary: the caller starts it
   * again after that, and another process does if the caller cannot
   * @returns why the job gave up, if it did so in this process and was not denied. A flow tells that; otherwise it tells what is left
   */
  start(context: C, input: InputOf<I>, how?: HowStarted): Promise<FreeholdError | undefined>
  /** @param host the design's host with what a deployer changed in it */
  run(job: FlowJob, host?: FlowHost): Promise<void>
}

/** Makes a durable job of a host's design. */
export function durableJob<C extends FlowContext, I extends Attributes, T>(
  host: HostOf<C>,
  written: WrittenJob<C, I, T>,
): DurableJob<C, I> {
  const { name, flow = name, passesOver = [], stopsOn = [] } = written
  const [needs, ...needsToo] = written.needs ?? []
  const by = host.design.tenants?.by
  /** Why jobs gave up, by their ids, for as long as somebody waits for one. */
  const givenUp = new Map<string, FreeholdError>()
  let waiting = 0

  /**
   * The context of a run: within the tenant of the work, or unscoped if it is for none (spec rule 22). The starter was allowed to start it then. A
   * job that grants, or takes from others, decides again by the design's own decisions (see `FlowOptions`).
   */
  const contextOf = ({ runtime }: FlowJob, caller: Json | undefined, input: InputOf<I>, host: FlowHost): C => {
    const within = written.within(input)
    const tenant = tenantOfWork({ host }, within)
    const unscoped: FlowTable = tableOn(runtime)
    const table = tenant === undefined ? unscoped : unscoped.forTenant(tenant)
    const context: FlowContext = { host, within, table, unscoped, caller: callerOf(caller), decider: () => deciderFor(host, runtime), flow }
    // Only connections to the host's design are given its jobs, and the host's context is of that design's types.
    return context as C
  }

  /** Does one item as the user who asked for it, or as the job if that user may not act any more and need not. */
  const doOne = async (context: C, item: T, input: InputOf<I>, job: FlowJob): Promise<unknown> => {
    const within = written.within(input)
    const act = async (acting: C) => {
      for (const other of needsToo) await permit(acting, other, within)
      return written.does(acting, item, input, job)
    }
    if (needs === undefined) return act(context)
    if (written.whenDenied?.(context, input) !== 'continue-as-job') return permittedAgain(context, needs, within, act)
    try {
      return await permittedAgain(context, 'own', 'own', act)
    } catch (error) {
      if (!isFreeholdError(error, 'Denied')) throw error
      return act(byJob(context, job))
    }
  }

  const doAll = async (context: C, input: InputOf<I>, job: FlowJob): Promise<void> => {
    for await (const item of written.each(context, input, job)) {
      const result = await doOne(context, item, input, job).catch((error: unknown) => {
        if (!passesOver.some((code) => isFreeholdError(error, code))) throw error
      })
      if (result === false) break
      await job.advance(written.size?.(item) ?? 1)
    }
    await written.done?.(context, input, job)
  }

  return Object.freeze({
    name,
    start: async (context: C, input: InputOf<I>, { wait = true, willStart }: HowStarted = {}) => {
      // Before the first write: half of its work would be done, and the rest refused.
      await checkAdopted(context.unscoped.runtime, 'Work of many steps rests on items that the design adds')
      const tenant = tenantOfWork(context, written.within(input))
      // Jobs are done in turn by tenant: its id stands at the top of their record.
      const asked = asJson({ ...input, ...(by === undefined ? {} : { [by]: tenant }) })
      const { caller } = context
      const same = { ...asked, caller: recordedCaller({ actor: caller.actor }) }
      const recorded = { ...asked, caller: recordedCaller(caller) }
      const about = written.about?.(input)
      const made = about === undefined ? [] : [madeItem(about.entity, about.id)]
      // A job of another flow, which this one starts on its way, does not finish this one's call.
      const { runtime } = context.unscoped
      const table = flow === context.flow ? context.unscoped : tableOn({ ...runtime, call: undefined })
      waiting++
      try {
        const { id } = await table.jobs.start(name, { subject: written.subject(input), input: recorded, same, wait, willStart, made })
        return givenUp.get(id)
      } finally {
        if (--waiting === 0) givenUp.clear()
      }
    },
    run: async (job: FlowJob, as: FlowHost = host) => {
      const { caller, ...asked } = job.input as Readonly<Record<string, Json>>
      const input = readInput(name, written.input, asked)
      const context = contextOf(job, caller, input, as)
      try {
        await doAll(context, input, job)
      } catch (error) {
        if (!isFreeholdError(error) || !['Denied', ...stopsOn].includes(error.code)) throw error
        await written.stopped?.(context, input, String(error.details.reason ?? error.code), job)
        // A flow that is denied has written nothing: a job has.
        if (waiting > 0 && error.code !== 'Denied') givenUp.set(job.id, error)
      }
    },
  })
}

/** The handlers of durable jobs, for `connect`. */
export function handlersOf(jobs: readonly Pick<DurableJob<never>, 'name' | 'run'>[], host?: FlowHost): JobHandlers {
  return Object.fromEntries(jobs.map(({ name, run }) => [name, (job) => run(job, host)]))
}
