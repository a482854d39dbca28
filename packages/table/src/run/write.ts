import { isDeepStrictEqual } from 'node:util'
import { errorOf } from '../dynamo/error.ts'
import { backoffMs } from '../dynamo/retry.ts'
import { FreeholdError } from '../errors.ts'
import { type Action, mergeActions } from '../plan/action.ts'
import type { TableKey } from '../plan/keys.ts'
import type { Planned } from '../plan/known.ts'
import { planCompletion } from '../plan/next-item.ts'
import { type Planning, planWrite } from '../plan/plan.ts'
import type { Prepared } from '../plan/step.ts'
import { type Stored, versionOf } from '../plan/stored.ts'
import { type TenantScope, tenantOfItem } from '../plan/tenant-scope.ts'
import { isIncomplete } from '../plan/understood.ts'
import { isExpired } from '../plan/view.ts'
import { checkAdopted, promised } from './adopt/adopted.ts'
import { noteCall, withCall } from './calls/call-record.ts'
import { left_ms, withDeadline } from './deadline.ts'
import { sendTogether } from './group-commit.ts'
import { type Job, lease_ms, putJob } from './jobs/job.ts'
import { failedParts, isUnseen, outcomeOf, uncertainly } from './outcome.ts'
import { readItems } from './read.ts'
import type { Runtime } from './runtime.ts'
import { type Failed, sendActions } from './send-actions.ts'
import { toldTenants } from './told-tenants.ts'

/** The result of a write: each step's item, and the recorded jobs, which must now be run. */
export interface Written {
  readonly items: ReadonlyMap<Prepared, Stored | undefined>
  readonly jobs: readonly Job[]
}

/** The largest number of reads for one plan, in case others keep changing the items. */
const readsMax = 100

/** Reads items by key text. An expired item counts as absent (spec rule 7). Throws `NotAdopted` for one that would have to tell its tenant. */
async function look(runtime: Runtime, keys: readonly TableKey[], now: Date): Promise<Map<string, Stored | undefined>> {
  const read = await readItems(runtime, keys, { consistent: true })
  const [untold] = await toldTenants(runtime, read.values())
  if (untold !== undefined) await checkAdopted(runtime, `This ${untold.entity.name} does not tell whose it is`)
  for (const [place, item] of read) {
    const entity = typeof item?.Type === 'string' ? runtime.design.form.entities.get(item.Type) : undefined
    if (item !== undefined && entity !== undefined && isExpired(entity, item, now)) read.set(place, undefined)
  }
  return read
}

/** Throws the failures; `NotAdopted` in their place for an end that an added look-up item stands for, which may be missing although what it leads to is there. */
async function fail(runtime: Runtime, failures: ReadonlyMap<string, FreeholdError>): Promise<never> {
  for (const { code, details } of failures.values()) {
    const isRefused = code === 'MissingEnd' && details.uncertain !== true
    const end = isRefused ? runtime.design.form.entities.get(String(details.guard)) : undefined
    if (end?.form.addition !== undefined) await checkAdopted(runtime, `${end.name} says what is there`)
  }
  throw new StepFailures(failures)
}

/** Plans, and reads the items that the plan needs, until the plan is complete. */
async function planned(runtime: Runtime, steps: readonly Prepared[], planning: Planning): Promise<ReadonlyMap<Prepared, Planned>> {
  const keys: TableKey[] = []
  let read = new Map<string, Stored | undefined>()
  for (let reads = 0; ; reads++) {
    const plan = planWrite(steps, read, planning)
    if (plan.needs !== undefined) {
      keys.push(...plan.needs)
      for (const [place, item] of await look(runtime, plan.needs, planning.now)) read.set(place, item)
    } else if (plan.failures !== undefined) {
      if (reads < 2) await fail(runtime, plan.failures)
      // Items that were read one after the other may contradict each other although nothing is wrong, so all are read again at once.
      runtime.reads?.end()
      const again = await look(runtime, keys, planning.now)
      if (reads > readsMax || isDeepStrictEqual(again, read)) await fail(runtime, plan.failures)
      read = again
    } else return plan.steps
  }
}

function jobsOf(runtime: Runtime, steps: ReadonlyMap<Prepared, Planned>, { now, jobOf }: Planning, isWaitedFor: boolean): Job[] {
  return [...steps].flatMap(([prepared, { follows, removes, item }]): Job[] => {
    const kind = removes === true ? 'remove' : follows === true ? 'follow' : undefined
    if (kind === undefined || item === undefined) return []
    const key = { PK: String(item.PK), SK: String(item.SK) }
    // If the caller does not wait, the job has no lease, so that a program that resumes jobs may take it at once.
    const leaseUntil = new Date(now.getTime() + (isWaitedFor ? lease_ms : 0)).toISOString()
    const tenant = tenantOfItem(runtime.design.form, prepared.entity, item)
    return [
      {
        id: jobOf(prepared),
        kind,
        entity: prepared.entity.name,
        key,
        createdAt: now.toISOString(),
        done: 0,
        ...(kind === 'remove' ? { markedVersion: versionOf(item) + 1 } : {}),
        holder: runtime.worker,
        leaseUntil,
        ...(tenant === undefined ? {} : { tenant }),
        ...(prepared.verb === 'remove' && prepared.inUse !== undefined ? { inUse: prepared.inUse } : {}),
        ...(prepared.verb === 'remove' && prepared.note !== undefined ? { note: prepared.note } : {}),
      },
    ]
  })
}

/** Throws `NotAdopted` for a write that rests on items which the table may lack. */
async function checkPromise(runtime: Runtime, plans: ReadonlyMap<Prepared, Planned>): Promise<void> {
  const removed = [...plans].flatMap(([{ entity }, { removes }]) => (removes === true ? [entity] : []))
  const actions = [...plans.values()].flatMap((plan) => plan.actions)
  const what = promised(runtime.design, actions, removed)
  if (what !== undefined) await checkAdopted(runtime, what)
}

/**
 * Completes items that satisfy what they were asked once they are understood, and did not as they lie in the table: another program wrote them, or a former
 * version of this one. Then the write is planned again.
 */
async function completeItems(runtime: Runtime, failed: readonly Failed[]): Promise<void> {
  for (const { action, existing } of failed) {
    const entity = existing === undefined ? undefined : runtime.design.form.entities.get(String(existing.Type))
    if (existing === undefined || entity === undefined || !isIncomplete(existing) || failedParts(action, existing).length > 0) continue
    const completion = planCompletion(entity, existing)
    if (completion !== undefined) await sendActions(runtime, [completion])
  }
}

/** The errors of the steps whose actions failed, or `stale` if planning again may help. */
function judge(
  { form }: Runtime['design'],
  failed: readonly Failed[],
  steps: readonly Prepared[],
): ReadonlyMap<string, FreeholdError> | 'stale' {
  const errors = new Map<string, FreeholdError>()
  const stale = new Set<string>()
  for (const { action, existing } of failed) {
    for (const part of failedParts(action, existing)) {
      const { step, role } = part.origin
      const version = steps.find((prepared) => prepared.step === step)?.version
      const outcome = outcomeOf(form, part, existing, version)
      // A caller that refers to an item outside its scope must not learn of other references to it (spec rule 22).
      const isFirst = !errors.has(step) || (isUnseen(part, existing) && errors.get(step)?.code === 'AlreadyExists')
      if (outcome !== 'stale' && isFirst) errors.set(step, outcome)
      if (outcome === 'stale' && role === 'item') stale.add(step)
    }
  }
  // A faster writer of the item has also written its derived items and other sides, so the step is planned again.
  for (const step of stale) errors.delete(step)
  return errors.size > 0 ? errors : 'stale'
}

/** True for a transaction with an atomic change: those of this process wait for each other instead of cancelling each other (ADR 16). */
function countsWithOthers(actions: readonly Action[]): boolean {
  return actions.some((action) => action.kind === 'update' && action.atomic !== undefined && (actions.length > 1 || action.atomic.isExact))
}

/** A bound for the case that the clock stands still. */
const attemptsMax = 1000

/** Thrown by `writeSteps`: the failures by step name. */
export class StepFailures extends Error {
  readonly failures: ReadonlyMap<string, FreeholdError>
  constructor(failures: ReadonlyMap<string, FreeholdError>) {
    super('steps of a write failed')
    this.failures = failures
  }
}

export interface WritingSteps {
  /** True if the caller runs the recorded jobs. */
  readonly wait?: boolean | undefined
  /** Checks in another tenant scope than the runtime's, or in none. */
  readonly extraChecks?: { readonly steps: readonly Prepared[]; readonly tenantScope: TenantScope | undefined } | undefined
}

/**
 * Applies all steps or none. If another writer was faster, a write that names no version is planned again (spec rule 8).
 * Throws `StepFailures`, and the errors of sending.
 */
export async function writeSteps(
  unbounded: Runtime,
  own: readonly Prepared[],
  { wait = true, extraChecks }: WritingSteps = {},
): Promise<Written> {
  const runtime = withDeadline(unbounded)
  const steps = extraChecks === undefined ? own : [...own, ...extraChecks.steps]
  const tenantScopes = new Map(extraChecks?.steps.map((prepared) => [prepared, extraChecks.tenantScope]))
  const ids = new Map<Prepared, string>()
  const jobOf = (prepared: Prepared) => {
    const id = ids.get(prepared) ?? runtime.making().ulid()
    ids.set(prepared, id)
    return id
  }
  for (let attempt = 1; ; attempt++) {
    const planning: Planning = { form: runtime.design.form, now: runtime.now(), tenantScope: runtime.tenantScope, tenantScopes, jobOf }
    const plans = await planned(runtime, steps, planning)
    await checkPromise(runtime, plans)
    const jobs = jobsOf(runtime, plans, planning, wait)
    const changes = [...[...plans.values()].flatMap((plan) => plan.actions), ...jobs.map(putJob)]
    // In the order of the steps: of several items of an entity, the last is the one that the write is about.
    const items = own.flatMap((prepared) => {
      const { item: read, named } = plans.get(prepared) ?? {}
      const item = read ?? named
      return item === undefined || prepared.verb === 'check' || prepared.verb === 'remove' ? [] : [[prepared.entity, item] as const]
    })
    const actions = mergeActions(withCall(runtime, { actions: changes, items, jobs }))
    // The basis of one user's permission has items that those of others have, too.
    const send = extraChecks === undefined && !countsWithOthers(actions) ? sendActions : sendTogether
    // It may go out with the writes of other calls, as theirs.
    runtime.reads?.end()
    const { failed, isUncertain, item: written } = await send(runtime, actions)
    noteCall(runtime, actions, failed)
    await completeItems(runtime, failed)
    if (failed.length === 0) return { items: new Map([...plans].map(([prepared, { item }]) => [prepared, item ?? written])), jobs }
    const verdict = judge(runtime.design, failed, steps)
    if (verdict !== 'stale') await fail(runtime, isUncertain ? uncertainly(verdict) : verdict)
    // Planned again, the write could be applied twice: later writes of others hide whether it was.
    if (isUncertain) throw errorOf({ kind: 'lost', cause: undefined })
    const pause_ms = backoffMs(attempt, runtime.random)
    if (pause_ms > left_ms(runtime) || attempt === attemptsMax)
      throw new FreeholdError('Busy', 'Others keep writing the same item. Try again.', { attempts: attempt })
    await runtime.sleep(pause_ms)
  }
}

/** A write of a single step throws the error of that step. */
export function singleFailure(error: unknown): unknown {
  return error instanceof StepFailures ? ([...error.failures.values()][0] ?? error) : error
}

/** The error of a transaction of named steps. */
export function transactionFailed(failures: ReadonlyMap<string, FreeholdError>): FreeholdError {
  const sentences = [...failures].map(([step, { message }]) => `${step}: ${message}`)
  const isUncertain = [...failures.values()].some(({ details }) => details.uncertain === true)
  const all = Object.fromEntries(failures)
  if (!isUncertain) return new FreeholdError('TransactionFailed', `Nothing was written. ${sentences.join(' ')}`, { failures: all })
  return new FreeholdError('TransactionFailed', sentences.join(' '), { failures: all, uncertain: true })
}
