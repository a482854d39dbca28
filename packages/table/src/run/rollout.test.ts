import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Change, cases } from '../../test/any/changes.ts'
import { Any, type Choice, choices } from '../../test/any/design.ts'
import { flawsOf } from '../../test/any/flaws.ts'
import { beginning, type Operation, operations, stepsOf } from '../../test/any/operations.ts'
import { keyOf, rawItems } from '../../test/depot/raw.ts'
import { DyingSender, LosingSender } from '../../test/depot/senders.ts'
import { Clock, directSender, noWait } from '../../test/depot/table.ts'
import type { Sender } from '../dynamo/sender.ts'
import { isFreeholdError } from '../errors.ts'
import type { AnyDesign, Attribute, Entity } from '../index.ts'
import type { Stored } from '../plan/stored.ts'
import { viewItem } from '../plan/view.ts'
import { prove } from '../prove.ts'
import { migrateJob, migrationInput, surveyMigration } from './adopt/migrate-table.ts'
import { type ConnectedTable, connect } from './connect.ts'
import { ensureTable } from './ensure-table.ts'
import { lease_ms } from './jobs/job.ts'
import { scanItems } from './scan.ts'

// Two versions of a random design that differ in one thing, and the migration from one to the other, at once and disturbed: each call is of either version,
// some processes end or do not hear an answer. No item is malformed for either version, both see the same values, and in the end the table is the second's.

/** Answers that a call on items that come and go may meet. */
const answers: ReadonlySet<string> = new Set(['AlreadyExists', 'NotFound', 'MissingEnd', 'InUse', 'InvalidInput', 'Denied', 'BeingDeleted'])

/** Values of many kinds. An attribute that changes takes those that both versions allow. */
const values: readonly unknown[] = [
  'a',
  'b',
  'a@b.example',
  3,
  2,
  true,
  ['a'],
  ['b'],
  [1],
  { a: 'a' },
  '00000000-0000-4000-8000-000000000001',
  '2036-01-01T00:00:00.000Z',
]
const isGiven = (each: Attribute | undefined) => each !== undefined && each.presence !== 'copied' && !each.madeOnWrite && !each.madeOnce

interface Version {
  readonly design: AnyDesign
  open(sender?: Sender): ConnectedTable
}

/** The attribute that changes, by its name in either version. */
const changing = ['x', 'y', 'e'] as const

function valuesFor(versions: readonly Version[], { entity: name }: Operation): readonly unknown[] {
  const known = versions.flatMap(({ design }) => changing.flatMap((each) => design.entities[name]?.attributes[each] ?? []))
  return known.length === 0 || !known.every(isGiven)
    ? []
    : values.filter((value) => known.every(({ schema }) => schema.safeParse(value).success))
}

function withChanging(versions: readonly Version[], operation: Operation, pick: number): Operation {
  const fitting = valuesFor(versions, operation)
  if (fitting.length === 0) return operation
  const value = fitting[pick % fitting.length]
  return { ...operation, values: { ...operation.values, ...Object.fromEntries(changing.map((each) => [each, value])) } }
}

async function perform(
  table: ConnectedTable,
  choice: Choice,
  operation: Operation,
  clock: Clock,
  isAlone: boolean,
): Promise<readonly string[]> {
  const steps = stepsOf(choice, table.design, operation, clock.now())
  if (steps.length === 0) return []
  try {
    await table.transact(Object.fromEntries(steps.map((step, index) => [`s${index}`, step])))
    return []
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    const all = error.code === 'TransactionFailed' ? Object.values(error.details.failures ?? {}) : [error]
    return all.filter(({ code }) => !answers.has(code) && (isAlone || code === 'MalformedItem')).map(({ message }) => message)
  }
}

/** What a version says of each item that it knows, by key. */
async function viewsOf({
  runtime,
  design,
}: ConnectedTable): Promise<ReadonlyMap<string, { readonly entity: Entity; readonly view: Stored } | string>> {
  const all = new Map<string, { readonly entity: Entity; readonly view: Stored } | string>()
  for await (const page of scanItems(runtime))
    for (const item of page) {
      const entity = design.form.entities.get(String(item.Type))
      if (entity === undefined) continue
      try {
        all.set(keyOf(item), { entity, view: viewItem(entity, item, changing) })
      } catch (error) {
        all.set(keyOf(item), String(error))
      }
    }
  return all
}

/** Items that are malformed for a version, and values that the two see otherwise. */
async function unlike(first: ConnectedTable, second: ConnectedTable, holds: Change['holds']): Promise<readonly string[]> {
  const [old, now] = [await viewsOf(first), await viewsOf(second)]
  const malformed = [...old, ...now].flatMap(([, each]) => (typeof each === 'string' ? [each] : []))
  const others = [...old].flatMap(([key, was]) => {
    const is = now.get(key)
    if (is === undefined || typeof was === 'string' || typeof is === 'string') return []
    return Object.entries(is.entity.attributes).flatMap(([name, { presence, formerNames, fill }]) => {
      const before = [name, ...formerNames].find((each) => was.entity.attributes[each] !== undefined)
      if (before === undefined || presence === 'copied' || is.entity.form.part.kind === 'mirror') return []
      const value = was.view[before]
      if (isDeepStrictEqual(value, is.view[name]) || (value === undefined && fill !== undefined)) return []
      return [`${key} has ${name} ${JSON.stringify(value)} for the first version, ${JSON.stringify(is.view[name])} for the second`]
    })
  })
  const stale = [...now].flatMap(([key, each]) =>
    typeof each !== 'string' && changing.some((name) => each.view[name] !== undefined) && holds?.(each.view) === false
      ? [`${key} is stale`]
      : [],
  )
  return [...malformed, ...others, ...stale]
}

interface Turn {
  readonly operation: Operation
  /** Which version does it. */
  readonly isSecond: boolean
  readonly pick: number
  /** The migration runs at the same time, and perhaps ends after so many writes. */
  readonly migrates: { readonly dies: number | undefined } | undefined
}

const turns: fc.Arbitrary<Turn> = fc.record({
  operation: operations,
  isSecond: fc.boolean(),
  pick: fc.nat(5),
  migrates: fc.option(fc.record({ dies: fc.option(fc.nat(6), { nil: undefined }) }), { nil: undefined, freq: 3 }),
})

const migrate = ({ jobs, runtime }: ConnectedTable, isFinal = false) =>
  jobs.start(migrateJob, { subject: 'any', input: migrationInput(runtime, { isFinal }) })

function senderFor({ dies, loses }: Operation): Sender {
  return dies !== undefined ? new DyingSender(dies) : loses !== undefined ? new LosingSender(loses, 'after') : directSender()
}

async function play(
  choice: Choice,
  designs: readonly [AnyDesign, AnyDesign],
  work: readonly Turn[],
  holds: Change['holds'],
): Promise<void> {
  const clock = new Clock()
  const name = `rollout-${randomUUID()}`
  const [v1, v2] = designs.map(
    (design): Version => ({
      design,
      open: (sender = directSender()) => connect(design, { table: name, now: clock.now, sleep: noWait, sender }),
    }),
  ) as [Version, Version]
  const [first, second] = [v1.open(), v2.open()]
  const ofTenant = (operation: Operation): Operation => (choice.hasTenants ? operation : { ...operation, tenant: undefined })
  const scoped = (table: ConnectedTable, operation: Operation) => {
    const { tenant } = ofTenant(operation)
    return tenant === undefined ? table : table.forTenant(tenant)
  }
  await ensureTable(first.runtime)
  const start: readonly Turn[] = beginning.map((operation, pick) => ({ operation, isSecond: false, pick, migrates: undefined }))
  const expires = Object.values(v2.design.entities).some(({ form }) => form.expires === 'e')
  /** Items that one version knows alone are no flaws of what both have. */
  const isOfBoth = ({ Type }: Stored) => v1.design.entities[String(Type)] !== undefined && v2.design.entities[String(Type)] !== undefined
  const flaws = async () =>
    flawsOf(
      choice,
      (await rawItems(first)).filter((item) => isOfBoth(item) && !/More$|^Another$/.test(String(item.Type))),
      clock.now().toISOString(),
      // The design of the model knows one attribute by which items expire.
    ).filter((flaw) => !expires || !flaw.includes(' has ttl '))
  const resume = async () => {
    for (let resumes = 0; resumes < 4; resumes++) {
      clock.forward(lease_ms)
      await second.jobs.resume()
    }
  }
  for (const { operation, isSecond, pick, migrates } of [...start, ...work]) {
    clock.forward(operation.verb === 'wait' ? 30_000 : 1000)
    const { dies, loses, others = [] } = operation
    const isAlone = dies === undefined && loses === undefined && others.length === 0 && migrates === undefined
    const done = await Promise.all([
      perform(
        scoped((isSecond ? v2 : v1).open(senderFor(operation)), operation),
        choice,
        withChanging([v1, v2], ofTenant(operation), pick),
        clock,
        isAlone,
      ).catch((error: unknown) => {
        if (isAlone) throw error
        return []
      }),
      ...others.map((other) =>
        perform(scoped((isSecond ? v1 : v2).open(), other), choice, withChanging([v1, v2], ofTenant(other), pick + 1), clock, false),
      ),
      migrates === undefined
        ? []
        : migrate(v2.open(migrates.dies === undefined ? directSender() : new DyingSender(migrates.dies))).then(
            () => [],
            () => [],
          ),
    ])
    if (!isAlone) await resume()
    const found = [...done.flat(), ...(await unlike(first, second, holds)), ...(await flaws())]
    expect({ operation, isSecond, pick, migrates, found }).toEqual({ operation, isSecond, pick, migrates, found: [] })
  }
  await resume()
  await migrate(second)
  const { missing, problems, indexes } = await surveyMigration(second.runtime, { isFinal: false })
  // Programs of the first version know no new guard: two owners of one value are told. A reference may outlive its target.
  const told = problems.filter(({ code }) => code !== 'AlreadyExists' && code !== 'MissingEnd')
  expect({ missing, told, added: indexes.added }).toEqual({ missing: {}, told: [], added: [] })
  await migrate(second, true)
  const {
    former,
    indexes: { removed },
  } = await surveyMigration(second.runtime, { isFinal: true })
  expect({
    former,
    removed,
    flaws: await flaws(),
    found: [...(await viewsOf(second)).values()].filter((each) => typeof each === 'string'),
  }).toEqual({ former: {}, removed: [], flaws: [], found: [] })
  expect(await second.jobs.list()).toEqual([])
}

/** What `prove` refuses may lose something in one version alone: a dependant that is not found is neither removed nor refuses the removal. */
function isProven(choice: Choice): boolean {
  const any = Any.of(choice)
  return any !== undefined && prove(any.design).isProven
}

/** Changes that one deployment makes. What `diff` calls breaking takes two. */
const changes = cases.filter(([, make]) => make('N0').effect !== 'breaking')
const numRuns = Number(process.env.FREEHOLD_ROLLOUT_RUNS ?? 1)

describe('two versions and the migration at once', () => {
  test.each(changes)(
    '%s',
    async (what, make: (name: string) => Change) => {
      await fc.assert(
        fc.asyncProperty(
          choices.filter((choice) => isProven(choice)),
          fc.nat(2),
          fc.array(turns, { minLength: 5, maxLength: 5 + 2 * numRuns, size: 'max' }),
          async (choice, index, work) => {
            const { before, after, holds } = make(`N${index}`)
            const [was, is] = [Any.of(choice, before), Any.of(choice, after)]
            fc.pre(was !== undefined && is !== undefined)
            fc.pre(what !== 'items that expire' || choice.nodes.every(({ expires }) => !expires))
            if (was !== undefined && is !== undefined) await play(choice, [was.design, is.design], work, holds)
          },
        ),
        { numRuns, endOnFailure: true },
      )
    },
    600_000,
  )
})
