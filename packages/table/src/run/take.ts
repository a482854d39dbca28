import { add } from '../design/comparison.ts'
import type { Id } from '../design/entity.ts'
import type { Entity } from '../design/form.ts'
import { backoffMs } from '../dynamo/retry.ts'
import { FreeholdError, invalidInput, isFreeholdError } from '../errors.ts'
import { idValues } from '../plan/input.ts'
import { keyText, tableKey } from '../plan/keys.ts'
import type { Step } from '../plan/step.ts'
import { isWithin } from '../plan/tenant-scope.ts'
import { isExpired } from '../plan/view.ts'
import { left_ms, withDeadline } from './deadline.ts'
import type { Pendable } from './pending.ts'
import { readItem } from './read.ts'
import type { Runtime } from './runtime.ts'
import { type Results, type Steps, type Transacting, transact } from './transact.ts'

export interface Taking extends Transacting {
  /** How many numbers in a row, 1 by default. */
  readonly count?: number
}

/** The first of the numbers that were taken, and the results of the steps that use them. */
export interface Taken<S> {
  readonly first: number
  readonly results: Results<S> & Pendable
}

/** The last number of a sequence: `none` if it has none yet, `unknown` if it must be read. */
type Last = number | 'none' | 'unknown'

const turns = new WeakMap<Runtime['sender'], Map<string, Promise<Last>>>()

/** The work of one process on a sequence, one after the other: those that wait learn the last number without a read. */
async function inTurn<T>(runtime: Runtime, place: string, work: (last: Last) => Promise<readonly [T, Last]>): Promise<T> {
  const queue = turns.get(runtime.sender) ?? new Map<string, Promise<Last>>()
  turns.set(runtime.sender, queue)
  const before = queue.get(place) ?? Promise.resolve('unknown' as const)
  const own = before.then((last) => {
    if (left_ms(runtime) <= 0) throw new FreeholdError('Busy', 'Others took numbers until the time of the call was used up. Try again.')
    return work(last)
  })
  const after = own.then(
    ([, last]) => last,
    () => 'unknown' as const,
  )
  queue.set(place, after)
  void after.then(() => {
    if (queue.get(place) === after) queue.delete(place)
  })
  return (await own)[0]
}

/** The step that counts the numbers. No step of a program has such a name. */
const counting = ' sequence'
const stale: ReadonlySet<string> = new Set(['CheckFailed', 'AlreadyExists', 'NotFound'])
/** A bound for the case that the clock stands still. */
const attemptsMax = 1000

/** True if only the counter had changed, so that the numbers were not taken. What else failed may have failed by its number. */
function isOvertaken(error: unknown): error is FreeholdError {
  if (!isFreeholdError(error, 'TransactionFailed') || error.details.uncertain === true) return false
  return stale.has(error.details.failures?.[counting]?.code ?? '')
}

/**
 * Takes the next numbers of a sequence in the very transaction that uses them: without gaps or repeats. `steps` gets the first number, and is called
 * again if another process was faster, so it only makes steps. Throws `Busy` if others are always faster, and as `transact`.
 */
export async function take<E extends Entity, const S extends Steps>(
  unbounded: Runtime,
  entity: E,
  given: Id<E>,
  steps: (first: number) => S,
  { count = 1, ...how }: Taking = {},
): Promise<Taken<S>> {
  const plain: Entity = entity
  const { sequence: attribute } = plain.form
  if (attribute === undefined)
    throw new FreeholdError('InvalidInput', `${plain.name} is no sequence: its entity names none.`, { issues: [] })
  if (!Number.isSafeInteger(count) || count < 1) throw invalidInput('take', [{ path: ['count'], message: 'is not a whole number from 1' }])
  const runtime = withDeadline(unbounded)
  const id = idValues(plain, given)
  const key = tableKey(plain, id)
  const read = async (): Promise<Last> => {
    const item = await readItem(runtime, key, { consistent: true })
    const isThere = item?.Type === plain.name && isWithin(runtime.tenantScope, plain, item) && !isExpired(plain, item, runtime.now())
    const last = isThere ? item[attribute] : undefined
    return typeof last === 'number' ? last : 'none'
  }
  const attempt = async (last: number | 'none') => {
    const first = (last === 'none' ? 0 : last) + 1
    const counter: Step =
      last === 'none'
        ? { verb: 'create', entity: plain, input: { ...id, [attribute]: count } }
        : { verb: 'update', entity: plain, input: id, change: { [attribute]: add(count) }, where: { [attribute]: last }, isTaking: true }
    const { [counting]: _, ...results } = await transact(runtime, { ...steps(first), [counting]: counter }, how)
    // The results of all steps but the counter's.
    return { first, results: results as unknown as Results<S> & Pendable }
  }
  return inTurn(runtime, keyText(key), async (known) => {
    let last = known === 'unknown' ? await read() : known
    for (let attempts = 1; ; attempts++) {
      try {
        const taken = await attempt(last === 'unknown' ? 'none' : last)
        return [taken, taken.first + count - 1]
      } catch (error) {
        if (!isOvertaken(error)) throw error
        const pause_ms = backoffMs(attempts, runtime.random)
        if (pause_ms > left_ms(runtime) || attempts === attemptsMax)
          throw new FreeholdError('Busy', 'Others keep taking numbers of this sequence. Try again.', {}, { cause: error })
        await runtime.sleep(pause_ms)
        last = await read()
      }
    }
  })
}
