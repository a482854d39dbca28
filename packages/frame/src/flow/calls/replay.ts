import { type Entity, FreeholdError } from '@freehold/table'
import { type MadeItem, madeItem, type RecordedCall, unfinishedJobs } from '@freehold/table/runtime'
import type { FlowDeclaration } from '../flow.ts'
import type { FlowContext, ScopeOf, Within } from '../flow-host.ts'
import type { Replayed } from './replayed.ts'

type Answered = Pick<FlowDeclaration, 'returns' | 'writes'>

/** True for the entities whose items a repeat names. */
export function namesOf({ returns, writes }: Answered): (entity: Entity) => boolean {
  if (returns.kind === 'item') return ({ name }) => name === returns.entity.name
  const written = writes === undefined ? undefined : Object.values(writes).map(({ name }) => name)
  return ({ name, form }) => returns.kind === 'values' && (written?.includes(name) ?? form.appendOnly !== true)
}

/** The item of a result, as a repeat names it. */
export function madeOf({ returns }: Answered, result: unknown): readonly MadeItem[] {
  return returns.kind === 'item' ? [madeItem(returns.entity, { ...(result as object) })] : []
}

/** The scope at which the first call was permitted. */
export function scopeToldIn<C extends FlowContext>({ told }: RecordedCall): Within<ScopeOf<C>> {
  // Only the engine writes it, from the scope of the same flow.
  return told as Within<ScopeOf<C>>
}

/** Answers a repeat, whose caller is permitted. Throws `Pending` as the first call did, and `NotFound` for an item that is gone. */
export async function answerAgain(
  { table, unscoped }: FlowContext,
  { returns }: Answered,
  { made, jobs }: RecordedCall,
): Promise<Replayed> {
  const unfinished = await unfinishedJobs(unscoped.runtime, jobs)
  const replayed = { replayed: true, ...(unfinished.length === 0 ? {} : { pending: unfinished }) } as const
  if (returns.kind === 'values') {
    const secrets = Object.keys(returns.values).filter((name) => returns.values[name]?.isSecret === true)
    return { ...replayed, made, ...(secrets.length === 0 ? {} : { told_once: secrets }) }
  }
  if (returns.kind !== 'item') return replayed
  if (unfinished.some(({ kind }) => kind === 'flow'))
    throw new FreeholdError('Pending', 'This call was made before, and continues as a durable job.', replayed)
  const { name } = returns.entity
  // A flow that writes several items of the entity, as a role and those above it, writes its own last.
  const named = made.findLast(({ entity }) => entity === name)
  const item = named === undefined ? undefined : await table.repositoryNamed(name).get(named.id, { consistent: true })
  if (item !== undefined) return { ...item, ...replayed }
  const message = `This call was made before, under the same idempotency key. Its ${name} is not there any more.`
  throw new FreeholdError('NotFound', message, { entity: name, ...named, ...replayed })
}
