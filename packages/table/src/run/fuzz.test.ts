import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Book } from '../../test/catalogue/design.ts'
import { flaws } from '../../test/depot/flaws.ts'
import { type Attempt, assembled, attempt, type Question, question } from '../../test/depot/hostile.ts'
import { rawItems } from '../../test/depot/raw.ts'
import { refusal } from '../../test/depot/refused.ts'
import { Clock, type Depot, depotOf, directSender, ownDepot } from '../../test/depot/table.ts'
import type { Inputs, Operation, Outputs } from '../dynamo/operation.ts'
import type { Sender } from '../dynamo/sender.ts'
import { type Category, FreeholdError } from '../errors.ts'
import { checking, creating, moving, removing, updating } from '../plan/step.ts'
import type { Outcome } from './create-many.ts'

// Whatever a caller gives, it is done, or it is refused with an error of ours and nothing has changed. Nothing else is ever thrown.

/** Counts the writes that were applied. */
class CountingSender implements Sender {
  applied = 0
  async send<O extends Operation>(operation: O, input: Inputs[O]): Promise<Outputs[O]> {
    const output = await directSender().send(operation, input)
    if (/^(Put|Update|Delete|Transact|BatchWrite)/.test(operation)) this.applied++
    return output
  }
  close(): void {}
}

const sender = new CountingSender()
const clock = new Clock()
let table: Depot
beforeAll(async () => {
  const { runtime } = await ownDepot()
  table = depotOf(runtime.table, { sender, now: clock.now })
  for (const site of ['S0', 'S1']) await table.Site.create({ site, name: site, region: 'north' })
  await table.Person.create({ id: 'p0', email: 'first@x.org' })
})

const seen: Record<string, number> = {}
const allowed: ReadonlySet<Category> = new Set(['invalid', 'missing', 'conflict'])

function checkError(error: unknown): void {
  if (!(error instanceof FreeholdError)) throw error
  seen[error.code] = (seen[error.code] ?? 0) + 1
  if (!allowed.has(error.category)) throw error
  for (const failure of Object.values(error.details.failures ?? {})) checkError(failure)
}

/** Does it, or sees it refused as it should be. A refusal by the job that removes has marked and unmarked: that is its nature. */
async function tried(work: () => Promise<unknown>): Promise<unknown> {
  const before = sender.applied
  try {
    const result = await work()
    seen.done = (seen.done ?? 0) + 1
    return result
  } catch (error) {
    checkError(error)
    const isInUse = (each: unknown) => each instanceof FreeholdError && each.code === 'InUse'
    const errors = [error, ...Object.values((error as FreeholdError).details.failures ?? {})]
    if (!errors.some(isInUse)) expect(sender.applied).toBe(before)
    return undefined
  }
}

/** Types are what is being broken, so everything is given as it comes. */
type Loose = Readonly<Record<string, Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>>>

async function perform({ verb, entity, item, id, change, version, step, steps }: Attempt): Promise<unknown> {
  const repository = (table as unknown as Loose)[entity.name]
  const call = repository?.[verb]
  const how = version === undefined ? {} : { version }
  if (verb === 'transact') {
    const all: [string, unknown][] = [
      [step, creating(entity, item as never)],
      ['change', updating(entity, id as never, change as never, how as never)],
      ['place', moving(entity, id as never, change as never)],
      ['gone', removing(entity, id as never, how as never)],
      ['there', checking(entity, id as never, { ...how, where: change } as never)],
    ]
    return table.transact(assembled(all.filter((_, index) => (steps + index) % 3 !== 0)) as never)
  }
  if (call === undefined) throw new Error(`${entity.name} has no ${verb}`)
  if (verb === 'getMany') return call([id, id])
  if (verb === 'createMany') {
    // Errors are outcomes here.
    for (const { error } of (await call([item, item])) as Outcome<unknown>[]) if (error !== undefined) checkError(error)
    return undefined
  }
  if (verb === 'update' || verb === 'move') return call(id, change, how)
  if (verb === 'get' || verb === 'remove') return call(id, how)
  return call(item)
}

function ask({ pattern, parameters, limit, cursor }: Question): Promise<unknown> {
  const asked = (table as unknown as Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>)[pattern]
  if (asked === undefined) throw new Error(`there is no ${pattern}`)
  return asked(parameters, { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) })
}

test('what is wrong is refused with an error that says so, and changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(attempt, async (each) => {
      await tried(() => perform(each))
    }),
    { numRuns: 4_000, endOnFailure: true },
  )
  expect(await flaws(table)).toEqual([])
  expect((await rawItems(table)).every((item) => item.deleting === undefined)).toBe(true)
})

test('what is asked wrongly is refused, and what is asked rightly is answered without a malformed item', async () => {
  await fc.assert(
    fc.asyncProperty(question, async (each) => {
      const page = (await tried(() => ask(each))) as { malformed?: unknown } | undefined
      expect(page?.malformed).toBeUndefined()
    }),
    { numRuns: 2_000, endOnFailure: true },
  )
})

test.each([null, undefined, 5, 'steps', [], [5], new Map(), Symbol('s')])('a transaction of %o is refused', async (steps) => {
  expect((await refusal(table.transact(steps as never))).code).toBe('InvalidInput')
})

test.each([null, {}, 'create', { verb: 'destroy' }, () => {}])('a step that is %o is refused', async (step) => {
  const { details } = await refusal(table.transact({ step } as never))
  expect(details.failures).toMatchObject({ step: { code: 'InvalidInput' } })
})

test.each([null, undefined, 5, 'p0', {}, new Set(['p0'])])('a list that is %o is refused', async (list) => {
  expect((await refusal(table.Person.createMany(list as never))).code).toBe('InvalidInput')
  expect((await refusal(table.Person.getMany(list as never))).code).toBe('InvalidInput')
})

test('a step of another design is refused', async () => {
  const steps = { book: creating(Book, { shelf: 's', genre: 'g', id: 'i' }) }
  expect(await refusal(table.transact(steps))).toMatchObject({
    code: 'TransactionFailed',
    details: { failures: { book: { code: 'UnknownName' } } },
  })
})

test.each(['1', null, 1.5, -1, Number.NaN, Symbol('v'), {}, 10n])('the version %s is refused', async (version) => {
  for (const write of [
    table.Person.update({ id: 'p0' }, {}, { version } as never),
    table.Site.remove({ site: 'S0' }, { version } as never),
  ])
    expect(await refusal(write)).toMatchObject({ code: 'InvalidInput', details: { issues: [{ path: ['version'] }] } })
})

afterAll(() => {
  // Much was done, and each way of refusing was met.
  expect(seen.done).toBeGreaterThan(300)
  for (const code of [
    'InvalidInput',
    'InvalidKey',
    'NotFound',
    'AlreadyExists',
    'MissingEnd',
    'DerivedItem',
    'TransactionFailed',
    'InvalidCursor',
  ])
    expect([code, seen[code]]).toEqual([code, expect.any(Number)])
})
