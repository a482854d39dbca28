import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Any, type Choice, choices } from '../../test/any/design.ts'
import { flawsOf, touchedBy } from '../../test/any/flaws.ts'
import { beginning, type Operation, operations, stepsOf } from '../../test/any/operations.ts'
import { rawItems } from '../../test/depot/raw.ts'
import { DyingSender, LosingSender } from '../../test/depot/senders.ts'
import { Clock, directSender, noWait } from '../../test/depot/table.ts'
import type { Sender } from '../dynamo/sender.ts'
import { isFreeholdError } from '../errors.ts'
import type { Step } from '../plan/step.ts'
import type { Stored } from '../plan/stored.ts'
import { prove } from '../prove.ts'
import { type ConnectedTable, connect } from './connect.ts'
import { ensureTable } from './ensure-table.ts'
import { lease_ms } from './jobs/job.ts'

// Random designs of what the language can say, as far as `prove` accepts them, with random work on each: one call after the other, some of them at once,
// some by a process that ends or does not hear an answer. After each the table is as the design says.

/** A refusal that a call on items that come and go may meet. Any other error is a fault of the design, or of the runtime. */
const refusals: ReadonlySet<string> = new Set(['AlreadyExists', 'NotFound', 'MissingEnd', 'InUse', 'InvalidInput', 'Denied'])

function faultsOf(error: unknown, isAlone: boolean): readonly string[] {
  if (!isFreeholdError(error)) throw error
  const codes = error.code === 'TransactionFailed' ? Object.values(error.details.failures ?? {}).map(({ code }) => code) : [error.code]
  return codes.filter((code) => !refusals.has(code) && (isAlone || code !== 'BeingDeleted'))
}

/** Does an operation. Returns what is wrong with its outcome. */
async function perform(
  table: ConnectedTable,
  { verb, isExact: exact }: Operation,
  steps: readonly Step[],
  isAlone: boolean,
): Promise<readonly string[]> {
  const [first, ...more] = steps
  if (steps.length === 0) return []
  try {
    const { pending = [] } =
      verb === 'count' && first?.verb === 'update' && more.length === 0
        ? await table.repositoryNamed(first.entity.name).update(first.input, first.change, exact === undefined ? {} : { exact })
        : await table.transact(Object.fromEntries(steps.map((step, index) => [`s${index}`, step])))
    return isAlone ? pending.map(({ kind, reason }) => `the job to ${kind} is pending: ${reason?.message}`) : []
  } catch (error) {
    return faultsOf(error, isAlone)
  }
}

async function play(choice: Choice, work: readonly Operation[]): Promise<void> {
  const clock = new Clock()
  const { design } = new Any(choice)
  const open = (sender: Sender) => connect(design, { table: name, now: clock.now, sleep: noWait, sender })
  const name = `any-${randomUUID()}`
  const scoped = (table: ConnectedTable, { tenant }: Operation) =>
    choice.hasTenants && tenant !== undefined ? table.forTenant(tenant) : table
  const table = open(directSender())
  await ensureTable(table.runtime)
  let before: readonly Stored[] = []
  for (const operation of [...beginning, ...work]) {
    clock.forward(operation.verb === 'wait' ? 30_000 : 1000)
    const { dies, loses, others = [] } = operation
    const isAlone = dies === undefined && loses === undefined && others.length === 0
    const sender = dies !== undefined ? new DyingSender(dies) : loses !== undefined ? new LosingSender(loses, 'after') : directSender()
    const used = open(sender)
    const own = perform(scoped(used, operation), operation, stepsOf(choice, design, operation, clock.now()), isAlone)
    const outcomes = await Promise.all([
      dies === undefined && loses === undefined ? own : own.then(() => []),
      ...others.map((other) => perform(scoped(open(directSender()), other), other, stepsOf(choice, design, other, clock.now()), false)),
    ])
    for (let resumes = 0; resumes < 4 && !isAlone; resumes++) {
      clock.forward(lease_ms)
      await table.jobs.resume()
    }
    const jobs = (await table.jobs.list()).map(({ kind, entity }) => `a job is left: ${kind} ${entity}`)
    const items = await rawItems(table)
    const touched =
      isAlone && choice.hasTenants && operation.tenant !== undefined
        ? touchedBy(operation.tenant, before, items, clock.now().toISOString())
        : []
    before = items
    const flaws = [...outcomes.flat(), ...jobs, ...touched, ...flawsOf(choice, items, clock.now().toISOString())]
    expect({ operation, flaws }).toEqual({ operation, flaws: [] })
  }
}

test('a table is what its design says, whichever design the language can say and prove accepts', async () => {
  let proven = 0
  let ofTenants = 0
  await fc.assert(
    fc.asyncProperty(choices, fc.array(operations, { minLength: 15, maxLength: 60, size: 'max' }), async (choice, work) => {
      const any = Any.of(choice)
      if (any === undefined || !prove(any.design).isProven) return
      proven++
      if (choice.hasTenants) ofTenants++
      await play(choice, work)
    }),
    { numRuns: 40, endOnFailure: true, interruptAfterTimeLimit: 45_000 },
  )
  expect(proven).toBeGreaterThan(0)
  expect(ofTenants).toBeGreaterThan(0)
}, 60_000)
