import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownTableOf } from '../../../../test/engine/own-table.ts'
import { deep } from '../../../../test/properties/depth.ts'
import { withAttributes } from '../../test/any/change.ts'
import { Any, type Choice, choices } from '../../test/any/design.ts'
import { flawsOf, touchedBy } from '../../test/any/flaws.ts'
import { beginning, type Operation, operations, stepsOf } from '../../test/any/operations.ts'
import { putRaw, rawItems } from '../../test/depot/raw.ts'
import { DyingSender, LosingSender } from '../../test/depot/senders.ts'
import { Clock, directSender, noWait } from '../../test/depot/table.ts'
import { keyNames } from '../design/compiled-pattern.ts'
import type { Sender } from '../dynamo/sender.ts'
import { isFreeholdError } from '../errors.ts'
import { type Entity, text } from '../index.ts'
import type { Step } from '../plan/step.ts'
import type { Stored } from '../plan/stored.ts'
import { viewItem } from '../plan/view.ts'
import { prove } from '../prove.ts'
import { adoptJob, surveyTable } from './adopt/adopt-table.ts'
import { type ConnectedTable, connect } from './connect.ts'
import { lease_ms } from './jobs/job.ts'
import { scanItems } from './scan.ts'

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
  const open = (sender: Sender) => connect(design, { table: table.runtime.table, now: clock.now, sleep: noWait, sender })
  const scoped = (table: ConnectedTable, { tenant }: Operation) =>
    choice.hasTenants && tenant !== undefined ? table.forTenant(tenant) : table
  const table: ConnectedTable = await ownTableOf(design, { now: clock.now })
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
    { numRuns: deep(20), endOnFailure: true, interruptAfterTimeLimit: 45_000 },
  )
  expect(proven).toBeGreaterThan(0)
  expect(ofTenants).toBeGreaterThan(0)
})

/** What can be derived of an item: another program by the same document may leave it out. Which of it, says `leaves`. */
function stripped(entity: Entity, item: Stored, leaves: (what: string) => boolean): Stored {
  const { key, indexes } = entity.form
  const inKey = [...key.partition.placeholders, ...key.sort.placeholders]
  const inIndexes = Object.keys(indexes).flatMap((name) => keyNames(name))
  const filled = Object.entries(entity.attributes).flatMap(([name, { fill }]) =>
    fill !== undefined && 'value' in fill && fill.value === item[name] ? [name] : [],
  )
  const derivable = new Set(['Type', 'ttl', ...inKey, ...inIndexes, ...filled])
  const left = Object.entries(item).filter(([name]) => name !== 'version' && !(derivable.has(name) && leaves(`${name} of ${item.PK}`)))
  return Object.fromEntries(left)
}

async function strip(choice: Choice, work: readonly Operation[], leaves: (what: string) => boolean): Promise<void> {
  const clock = new Clock()
  const { design } = new Any(choice, withAttributes('N1', { x: text().default('none') }))
  const table = await ownTableOf(design, { now: clock.now })
  for (const operation of [...beginning, ...work]) {
    clock.forward(operation.verb === 'wait' ? 30_000 : 1000)
    await perform(table, operation, stepsOf(choice, design, { ...operation, tenant: undefined }, clock.now()), true)
  }
  // What has expired is gone for all.
  const isLive = ({ until, Type }: Stored) => Type !== 'Job' && (typeof until !== 'string' || until > clock.now().toISOString())
  const live = async () => (await rawItems(table)).filter(isLive)
  const entityOf = ({ Type }: Stored) => design.entities[String(Type)]
  const byKey = (items: readonly Stored[], shown: (item: Stored) => unknown) =>
    Object.fromEntries(items.map((item) => [`${item.PK} ${item.SK}`, shown(item)]))
  const unversioned = ({ version: _, ...item }: Stored) => item
  const views = async () => {
    const all: Stored[] = []
    for await (const page of scanItems(table.runtime)) all.push(...page.filter(isLive))
    return byKey(all, (item) => {
      const entity = entityOf(item)
      return entity && unversioned(viewItem(entity, item))
    })
  }
  const [raw, seen] = [await live(), await views()]
  for (const item of raw) {
    const entity = entityOf(item)
    if (entity !== undefined) await putRaw(table, stripped(entity, item, leaves))
  }
  expect(await views()).toEqual(seen)
  const nodes = raw.filter(({ Type }) => /^N\d$/.test(String(Type)))
  for (const { Type, id, part } of nodes) {
    const named = table.repositoryNamed(String(Type))
    const key = part === undefined ? { id } : { id, part }
    expect(await named.get(key)).toMatchObject({ version: 0, Type, id })
    await named.update(key, { n: 7 })
    expect(await named.get(key)).toMatchObject({ version: 1, n: 7 })
  }
  await table.jobs.start(adoptJob, { subject: 'any', input: null })
  const { missing } = await surveyTable(table.runtime)
  expect(missing).toEqual({})
  const now = byKey(await live(), unversioned)
  expect(now).toEqual(byKey(raw, (item) => ({ ...unversioned(item), ...(nodes.includes(item) ? { n: 7 } : {}) })))
}

test('an item from which another program leaves out what can be derived is read, changed and adopted as it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      choices.filter((choice) => Any.of(choice) !== undefined && prove(new Any(choice).design).isProven),
      fc.array(operations, { minLength: 3, maxLength: 12 }),
      fc.func(fc.boolean()),
      strip,
    ),
    { numRuns: 25, endOnFailure: true, interruptAfterTimeLimit: 30_000 },
  )
})
