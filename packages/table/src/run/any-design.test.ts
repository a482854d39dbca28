import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Any, type Choice, choices } from '../../test/any/design.ts'
import { flawsOf } from '../../test/any/flaws.ts'
import { beginning, type Operation, operations, stepOf } from '../../test/any/operations.ts'
import { rawItems } from '../../test/depot/raw.ts'
import { DyingSender } from '../../test/depot/senders.ts'
import { Clock, directSender, noWait } from '../../test/depot/table.ts'
import { isFreeholdError } from '../errors.ts'
import { prove } from '../prove.ts'
import { type ConnectOptions, connect } from './connect.ts'
import { ensureTable } from './ensure-table.ts'
import { lease_ms } from './jobs/job.ts'

// Random designs of what the language can say, as far as `prove` accepts them, with random work on each: one call after the other, some of them by a
// process that ends. After each call the table is as the design says.

/** A refusal that a call on items that come and go may meet. Any other error is a fault of the design, or of the runtime. */
const refusals: ReadonlySet<string> = new Set(['AlreadyExists', 'NotFound', 'MissingEnd', 'InUse', 'InvalidInput'])

function refusedWith(error: unknown): readonly string[] {
  if (!isFreeholdError(error)) throw error
  return error.code === 'TransactionFailed' ? Object.values(error.details.failures ?? {}).map(({ code }) => code) : [error.code]
}

async function play(choice: Choice, work: readonly Operation[]): Promise<void> {
  const clock = new Clock()
  const name = `any-${randomUUID()}`
  const { design } = new Any(choice)
  const open = (options: ConnectOptions) =>
    connect(design, { table: name, now: clock.now, sleep: noWait, sender: directSender(), ...options })
  const table = open({})
  await ensureTable(table.runtime)
  for (const operation of [...beginning, ...work]) {
    clock.forward(1000)
    if (operation.verb === 'wait') clock.forward(30_000)
    const steps = stepOf(choice, design, operation, clock.now())
    if (steps.length === 0) continue
    const isDying = operation.dies !== undefined
    const used = isDying ? open({ sender: new DyingSender(operation.dies ?? 0) }) : table
    const outcome = await used.transact(Object.fromEntries(steps.map((step, index) => [`s${index}`, step]))).then(
      ({ pending }) => (pending === undefined || isDying ? [] : pending.map(({ reason }) => `pending: ${reason?.message}`)),
      (error: unknown) => (isDying ? [] : refusedWith(error).filter((code) => !refusals.has(code))),
    )
    if (isDying)
      for (let resumes = 0; resumes < 4; resumes++) {
        clock.forward(lease_ms)
        await table.jobs.resume()
      }
    const jobs = (await table.jobs.list()).map(({ kind, entity }) => `a job is left: ${kind} ${entity}`)
    expect({ operation, flaws: [...outcome, ...jobs, ...flawsOf(choice, await rawItems(table), clock.now().toISOString())] }).toEqual({
      operation,
      flaws: [],
    })
  }
}

test('a table is what its design says, whichever design the language can say and prove accepts', async () => {
  let proven = 0
  await fc.assert(
    fc.asyncProperty(choices, fc.array(operations, { minLength: 15, maxLength: 60, size: 'max' }), async (choice, work) => {
      const any = Any.of(choice)
      if (any === undefined || !prove(any.design).isProven) return
      proven++
      await play(choice, work)
    }),
    { numRuns: 70, endOnFailure: true, interruptAfterTimeLimit: 45_000 },
  )
  expect(proven).toBeGreaterThan(0)
}, 60_000)
