import { type Attributes, type Entity, FreeholdError, type Id, isFreeholdError, type New } from '@freehold/table'
import type { WrittenJob } from '../flow/durable-job.ts'
import type { FlowContext, ScopeOf } from '../flow/flow-host.ts'
import type { InputOf } from '../flow/input/input-attributes.ts'
import { type Alongside, createItem, idOfItem } from '../flow/items/write-item.ts'
import type { View } from '../flow/records/recorded-changes.ts'
import { tenantOfItem } from '../flow/records/recorded-write.ts'
import { retryOnConflict } from '../flow/retry-on-conflict.ts'

// Provisioning: many items are made step by step, by a durable job that may be repeated. Their ids follow from the input, so that a repeat finds what it has
// made. What is there and differs stays as it is.

/** What became of a step. `differs`: something else is there already, and stays as it is. */
export interface StepReport {
  readonly outcome: 'done' | 'done before' | 'differs' | 'skipped' | 'failed'
  readonly reason?: string
}

type Kept = StepReport & { readonly step: string }

/** One step: what it makes, and how. */
export interface ProvisioningStep<C> {
  readonly name: string
  run(context: C, job: string): Promise<StepReport>
}

/** Creates an item unless it is there. One that is there is compared with what was asked for, and never changed. */
export async function itemEnsured<E extends Entity>(
  context: FlowContext,
  entity: E,
  values: New<E>,
  alongside: () => Promise<Alongside> = async () => ({}),
): Promise<StepReport> {
  const id: Id<E> = idOfItem(entity, values)
  const there = await context.table.repositoryNamed(entity.name).get(id, { consistent: true })
  if (there === undefined) {
    try {
      await createItem(context, entity, values, { ...(await alongside()), tenant: tenantOfItem(context, entity, values) })
      return { outcome: 'done' }
    } catch (error) {
      if (!isFreeholdError(error, 'AlreadyExists') || error.details.entity !== entity.name) throw error
      return itemEnsured(context, entity, values, alongside)
    }
  }
  const view: View = there
  const other = Object.entries(values)
    .filter(([name, value]) => (view[name] ?? undefined) !== (value ?? undefined))
    .map(([name]) => name)
  return other.length === 0
    ? { outcome: 'done before' }
    : { outcome: 'differs', reason: `${other.join(', ')} of ${entity.name} ${Object.values(id).join(' ')}` }
}

/** Several items as one step: the step is what the first says that was not as asked for. */
export async function allEnsured(parts: readonly (() => Promise<StepReport>)[]): Promise<StepReport> {
  const reports: StepReport[] = []
  for (const part of parts) reports.push(await part())
  const worst = reports.find(({ outcome }) => outcome === 'differs') ?? reports.find(({ outcome }) => outcome === 'done')
  return worst ?? { outcome: 'done before' }
}

/** A provisioning as a design writes it. */
export interface Provisioning<C extends FlowContext, I extends Attributes, E extends Entity>
  extends Pick<WrittenJob<C, I, unknown>, 'name' | 'input' | 'subject'> {
  within(input: InputOf<I>): ScopeOf<C>
  /** Keeps the report: it has `provisioningAttributes`. */
  readonly report: E
  reportOf(input: InputOf<I>): Id<E>
  /** The entity of the first step: if another item of it is there, nothing else is provisioned. */
  readonly root: Entity
  steps(input: InputOf<I>): readonly ProvisioningStep<C>[]
}

/** The failure of one step: the others go on. A storage failure ends the run, and the job is done again. */
function failed(error: unknown): StepReport {
  if (!isFreeholdError(error) || error.category === 'unavailable' || error.category === 'retryable') throw error
  return { outcome: 'failed', reason: `${error.message} (${error.code})` }
}

/** The durable job that provisions. Each outcome is written into the report as it comes. */
export function provisioningJob<C extends FlowContext, I extends Attributes, E extends Entity>(
  written: Provisioning<C, I, E>,
): WrittenJob<C, I, ProvisioningStep<C> & { readonly isFirst: boolean }> {
  const { name, input, subject, within, report: entity, reportOf, root, steps } = written

  /** Writes the outcome of a step into the report. A step that this job has done stays done. */
  const note = ({ table }: C, id: Id<E>, job: string, step: string, report: StepReport): Promise<void> => {
    const repository = table.repositoryNamed(entity.name)
    const attempt = async () => {
      const before: View | undefined = await repository.get(id, { consistent: true })
      // The entity has `provisioningAttributes`.
      const kept = before?.job === job ? (before.steps as readonly Kept[]) : []
      const known = new Map(kept.map((each) => [each.step, each]))
      if (known.get(step)?.outcome === 'done') return
      const after = { job, steps: [...known.values()].filter((each) => each.step !== step).concat({ step, ...report }) }
      if (before === undefined) await repository.create({ ...id, ...after })
      else await repository.update(id, after, { version: Number(before.version) })
    }
    return retryOnConflict(table.runtime, attempt, ['AlreadyExists'])
  }

  return {
    ...{ name, input, subject, within },
    about: (asked) => ({ entity, id: reportOf(asked) }),
    each: async function* (_context, asked) {
      for (const [index, step] of steps(asked).entries()) yield { ...step, isFirst: index === 0 }
    },
    does: async (context, { name: step, run, isFirst }, asked, { id }) => {
      const report = await run(context, id).catch(failed)
      if (isFirst && report.outcome !== 'done' && report.outcome !== 'done before') {
        const named = Object.values(reportOf(asked)).join(' ')
        const message = `The ${root.name.toLowerCase()} ${named} is there already, and is another: ${report.reason}.`
        throw new FreeholdError('AlreadyExists', message, { entity: root.name, id: named })
      }
      await note(context, reportOf(asked), id, step, report)
    },
    stopsOn: ['AlreadyExists'],
  }
}
