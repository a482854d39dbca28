import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Sender } from '../../src/dynamo/sender.ts'
import { isFreeholdError } from '../../src/errors.ts'
import { isSame } from '../../src/evolve/difference.ts'
import { lockOf } from '../../src/evolve/lock.ts'
import type { AnyDesign, Attribute, Entity } from '../../src/index.ts'
import type { Stored } from '../../src/plan/stored.ts'
import { asStored } from '../../src/plan/understood.ts'
import { viewItem } from '../../src/plan/view.ts'
import { migrateJob, migrationInput, surveyMigration } from '../../src/run/adopt/migrate-table.ts'
import { type ConnectedTable, connect } from '../../src/run/connect.ts'
import { ensureTable } from '../../src/run/ensure-table.ts'
import { lease_ms } from '../../src/run/jobs/job.ts'
import { scanItems } from '../../src/run/scan.ts'
import { keyOf, rawItems } from '../depot/raw.ts'
import { DyingSender, LosingSender } from '../depot/senders.ts'
import { type Clock, directSender, noWait } from '../depot/table.ts'
import type { Change } from './change.ts'
import { values } from './changes.ts'
import type { Choice } from './design.ts'
import { flawsOf } from './flaws.ts'
import { beginning, type Operation, operations, stepsOf } from './operations.ts'

// A deployment beside the one before it, and the migration from one to the other, at once and disturbed: each call is of either version, some processes end
// or do not hear an answer. No item is malformed for either version, both see the same values, and in the end the table is the second's.

/** Answers that a call on items that come and go may meet. */
const answers: ReadonlySet<string> = new Set([
  'AlreadyExists',
  'NotFound',
  'MissingEnd',
  'InUse',
  'InvalidInput',
  'Denied',
  'BeingDeleted',
  'Immutable',
])
const isGiven = (each: Attribute | undefined) => each !== undefined && each.presence !== 'copied' && !each.madeOnWrite && !each.madeOnce

/** The attribute that changes, by its name in either version. */
const changing = ['x', 'y', 'e'] as const

export interface Turn {
  readonly operation: Operation
  /** Which version does it. */
  readonly isSecond: boolean
  /** It is done to what changes, or to what the change has besides. */
  readonly isBesides: boolean
  readonly pick: number
  /** The migration runs at the same time, and perhaps ends after so many writes. */
  readonly migrates: { readonly dies: number | undefined } | undefined
}

export const turns: fc.Arbitrary<Turn> = fc.record({
  operation: operations,
  isSecond: fc.boolean(),
  isBesides: fc.boolean(),
  pick: fc.nat(15),
  migrates: fc.option(fc.record({ dies: fc.option(fc.nat(6), { nil: undefined }) }), { nil: undefined, freq: 3 }),
})

const start: readonly Turn[] = beginning.map((operation, pick) => ({
  operation,
  isSecond: false,
  isBesides: false,
  pick: pick * 5,
  migrates: undefined,
}))

/** What a turn does as the change has it: to what there is besides, by its tenant, with values that both versions allow. */
class Doing {
  readonly #change: Change
  readonly #designs: readonly AnyDesign[]

  constructor(change: Change, designs: readonly AnyDesign[]) {
    this.#change = change
    this.#designs = designs
  }

  #values(name: string, pick: number): Readonly<Record<string, unknown>> {
    const known = this.#designs.flatMap(({ entities }) => changing.flatMap((each) => entities[name]?.attributes[each] ?? []))
    const { given } = this.#change
    if (given !== undefined) return given[pick % given.length] ?? {}
    const fitting = known.every(isGiven) ? values.filter((value) => known.every(({ schema }) => schema.safeParse(value).success)) : []
    if (known.length === 0 || fitting.length === 0) return {}
    const isNeeded = known.some(({ presence }) => presence === 'given')
    const isOptional = known.every(({ presence }) => presence === 'optional')
    if (!isNeeded && pick % 4 === 3) return isOptional && pick > 3 ? { x: null, y: null, e: null } : {}
    const value = fitting[pick % fitting.length]
    return Object.fromEntries(changing.map((each) => [each, value]))
  }

  /** The entity whose attribute changes. */
  #changing(): string | undefined {
    const all = this.#designs.flatMap(({ entities }) => Object.values(entities))
    return all.find(({ name, attributes }) => /^N\d$/.test(name) && changing.some((each) => attributes[each] !== undefined))?.name
  }

  of(operation: Operation, pick: number, isBesides: boolean): Operation {
    const { isOneTenant, besides = this.#changing() } = this.#change
    const entity = isBesides && besides !== undefined ? besides : operation.entity
    const t = isOneTenant ? { t: 'T1' } : {}
    return {
      ...operation,
      entity,
      values: { ...operation.values, ...this.#values(entity, pick), ...t },
      tenant: isOneTenant && operation.tenant !== undefined ? 'T1' : operation.tenant,
      also: operation.also && this.of(operation.also, pick, false),
      others: operation.others?.map((other) => this.of(other, pick + 1, isBesides)),
    }
  }
}

async function perform(table: ConnectedTable, choice: Choice, operation: Operation, clock: Clock, isAlone: boolean) {
  const { design } = table
  // An operator writes where no version knows a tenant.
  const tenant = design.tenants === undefined ? undefined : operation.tenant
  const steps = stepsOf(choice, design, { ...operation, tenant }, clock.now())
  if (steps.length === 0) return []
  try {
    const scoped = tenant === undefined ? table : table.forTenant(tenant)
    await scoped.transact(Object.fromEntries(steps.map((step, index) => [`s${index}`, step])))
    return []
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    const all = error.code === 'TransactionFailed' ? Object.values(error.details.failures ?? {}) : [error]
    return all.filter(({ code }) => !answers.has(code) && (isAlone || code === 'MalformedItem')).map(({ message }) => message)
  }
}

type Views = ReadonlyMap<string, { readonly entity: Entity; readonly view: Stored } | string>

/** What a version says of each item that it knows, by key. */
async function viewsOf({ runtime, design }: ConnectedTable): Promise<Views> {
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
    typeof each !== 'string' && isOwn(each.entity) && changing.some((name) => each.view[name] !== undefined) && holds?.(each.view) === false
      ? [`${key} is stale`]
      : [],
  )
  return [...malformed, ...others, ...stale]
}

const migrate = ({ jobs, runtime }: ConnectedTable, isFinal = false) =>
  jobs.start(migrateJob, { subject: 'any', input: migrationInput(runtime, { isFinal }) })

function senderFor({ dies, loses }: Operation): Sender {
  return dies !== undefined ? new DyingSender(dies) : loses !== undefined ? new LosingSender(loses, 'after') : directSender()
}

/** The items of a table by the names of its design. */
async function itemsOf(table: ConnectedTable): Promise<readonly Stored[]> {
  if (table.design.form.names === undefined) return rawItems(table)
  const items: Stored[] = []
  for await (const page of scanItems(table.runtime)) items.push(...page.map(asStored))
  return items
}

/** What the model of a random design knows. */
const modelled = /^(N\d(Slug|W|Ref)?|X[AB]|T(Ref)?)$/

const isOwn = ({ form: { part, addition } }: Entity) => (part.kind === 'entity' || part.kind === 'edge') && addition === undefined

export interface Stage {
  readonly choice: Choice
  readonly change: Change
  readonly designs: readonly [first: AnyDesign, second: AnyDesign]
  readonly work: readonly Turn[]
  readonly table: string
  readonly clock: Clock
  /** The table has items already. */
  readonly isLater: boolean
}

/** Plays two deployments side by side on a table. */
export async function play({ choice, change, designs, work, table, clock, isLater }: Stage): Promise<void> {
  const { holds } = change
  const open = (design: AnyDesign, sender = directSender()): ConnectedTable =>
    connect(design, { table, now: clock.now, sleep: noWait, sender })
  const [first, second] = [open(designs[0]), open(designs[1])]
  const doing = new Doing(change, designs)
  await ensureTable(first.runtime)
  const expires = Object.values(designs[1].entities).some(({ form }) => form.expires === 'e')
  const flaws = async () =>
    flawsOf(
      choice,
      (await itemsOf(first)).filter(({ Type }) => modelled.test(String(Type))),
      clock.now().toISOString(),
      // The design of the model knows one attribute by which items expire.
    ).filter((flaw) => !expires || !flaw.includes(' has ttl '))
  const resume = async () => {
    for (let resumes = 0; resumes < 4; resumes++) {
      clock.forward(lease_ms)
      await second.jobs.resume()
    }
  }
  for (const { operation: told, isSecond, isBesides, pick, migrates } of [...(isLater ? [] : start), ...work]) {
    const operation = doing.of(told, pick, isBesides)
    clock.forward(operation.verb === 'wait' ? 30_000 : 1000)
    const { dies, loses, others = [] } = operation
    const isAlone = dies === undefined && loses === undefined && others.length === 0 && migrates === undefined
    const [own, other] = isSecond ? [designs[1], designs[0]] : designs
    const done = await Promise.all([
      perform(open(own, senderFor(operation)), choice, operation, clock, isAlone).catch((error: unknown) => {
        if (isAlone) throw error
        return []
      }),
      ...others.map((each) => perform(open(other), choice, each, clock, false)),
      migrates === undefined
        ? []
        : migrate(open(designs[1], migrates.dies === undefined ? directSender() : new DyingSender(migrates.dies))).then(
            () => [],
            () => [],
          ),
    ])
    if (!isAlone) await resume()
    const found = [...done.flat(), ...(await unlike(first, second, holds)), ...(await flaws())]
    expect({ operation, isSecond, pick, migrates, found }).toEqual({ operation, isSecond, pick, migrates, found: [] })
  }
  await resume()
  const before = await viewsOf(second)
  const survey = () => surveyMigration(second.runtime, { isFinal: false })
  // Programs of one version leave nothing to migrate.
  if (isLater && change.apart === undefined && isSame(lockOf(designs[0]), lockOf(designs[1]))) expect((await survey()).missing).toEqual({})
  await migrate(second)
  const { missing, problems, indexes } = await survey()
  // Programs of the first version know no new guard: two owners of one value are told. A reference may outlive its target.
  const told = problems.filter(({ code }) => code !== 'AlreadyExists' && code !== 'MissingEnd')
  expect({ missing, told, added: indexes.added }).toEqual({ missing: {}, told: [], added: [] })
  await migrate(second, true)
  const {
    former,
    indexes: { removed },
  } = await surveyMigration(second.runtime, { isFinal: true })
  const after = await viewsOf(second)
  const lost = [...before].filter(([key, each]) => typeof each !== 'string' && isOwn(each.entity) && !after.has(key))
  expect({
    former,
    removed,
    lost,
    flaws: await flaws(),
    found: [...after.values()].filter((each) => typeof each === 'string'),
  }).toEqual({ former: {}, removed: [], lost: [], flaws: [], found: [] })
  expect(await second.jobs.list()).toEqual([])
}
