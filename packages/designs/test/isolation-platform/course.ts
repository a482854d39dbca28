import { isFreeholdError } from '@freehold/table'
import { decidePlatform, type PlatformDecider } from '../../src/platform/decide.ts'
import type { MenuPermission } from '../../src/platform/flows/flow-menus.ts'
import { flowMenus } from '../../src/platform/flows/flows.ts'
import { seeded } from '../isolation/seeded.ts'
import { allItems, changedItems, type Items, itemsAfter } from '../isolation/watched-items.ts'
import type { Item } from '../model/parts.ts'
import { Choosing, type Cursors, type FlowName, flowNames, type Step, type Wanted } from './choose.ts'
import { escalations, holdingsOf } from './holdings.ts'
import { accountOf, markOf, newWorld, type Side, type World } from './world.ts'

const today = '2026-02-01'

/** The result of a step: what it gave, or the code of its error; and all that its caller got to see. */
interface Outcome {
  readonly code?: string
  readonly gives?: unknown
  readonly told: string
}

/** What came about in all courses. */
export class Tally {
  readonly done = new Set<string>()
  readonly strange = new Set<string>()
  readonly refused = new Set<string>()
  steps = 0
  /** Flows that a user may do and nobody has. */
  undone(): readonly FlowName[] {
    return flowNames.filter((name) => Object.hasOwn(flowMenus, name) && !this.done.has(name))
  }
  /** One of these comes next more often than not. */
  wanted(): Wanted {
    const undone = this.undone()
    return undone.length > 0 ? { flows: undone, isStrange: false } : { flows: this.untried(), isStrange: true }
  }
  /** Flows that nobody has tried with something of another account's. */
  untried(): readonly FlowName[] {
    return flowNames.filter((name) => !this.strange.has(name) && !isOfNobody.has(name))
  }
}

/** Flows whose input names nothing of an account. */
const isOfNobody: ReadonlySet<string> = new Set([
  ...['createEnterprise', 'updateEnterprise', 'deleteEnterprise', 'createProduct', 'updateProduct', 'deleteProduct', 'createService'],
  ...['updateService', 'deleteService', 'assignProduct', 'unassignProduct', 'assignService', 'unassignService', 'sweep', 'createAccount'],
])

const other = (side: Side): Side => (side === 'aa' ? 'bb' : 'aa')
const wordsOf = (side: Side, text: string): readonly string[] => text.match(new RegExp(`[\\w.@-]*${markOf(side)}[\\w.@-]*`, 'g')) ?? []
const strangeMark = markOf('zz')
const estranged = <T>(side: Side, value: T): T => JSON.parse(JSON.stringify(value).replaceAll(markOf(other(side)), strangeMark))

/** A record of a durable job or a call, which tells nobody anything. */
const isWork = ({ PK }: Item) => /^FREEHOLD_(JOBS$|CALLS#)/.test(String(PK))
const isRecord = ({ Type }: Item) => Type === 'Change' || Type === 'ActorChange'
const ownerOf = ({ Type, id, accountId }: Item): unknown => (Type === 'Account' ? id : accountId)

const toldOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part instanceof Error && isFreeholdError(part) ? { code: part.code, message: part.message, details: part.details } : part,
  ) ?? 'nothing'

async function answer({ table, offered }: World, decider: PlatformDecider, { side, actor, kind, subject, input }: Step): Promise<unknown> {
  // Whether the input fits is for whoever gets it to say.
  if (kind === 'question') return decider[subject as 'can'](input as never, { consistency: 'strong' })
  if (kind === 'list') return table.forTenant(accountOf(side)).patternNamed(subject)(input.parameters as never, input.how as never)
  const caller = { actor: { kind: 'user' as const, user_id: actor } }
  const flows = kind === 'keyed' ? offered.keyed(table, caller, 'the-same-key') : offered.of(table, caller)
  return (flows[subject as FlowName] as (input: unknown) => Promise<unknown>)(input)
}

/** Does a step. Throws what is no error of this project: a defect. */
async function perform(world: World, step: Step, number: number): Promise<Outcome> {
  world.turnTo(markOf(step.side), number)
  const decider = decidePlatform(world.table.forTenant(accountOf(step.side)).runtime)
  try {
    const gives = await answer(world, decider, step)
    return { gives, told: toldOf(gives) }
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    return { code: error.code, told: toldOf(error) }
  }
}

/** The permission that a user needs for a flow; undefined for those that are operators'. */
function neededBy(flow: string): string | undefined {
  const permissions: Readonly<Record<string, MenuPermission>> = flowMenus
  const needed = Object.hasOwn(permissions, flow) ? permissions[flow] : undefined
  return needed === undefined ? undefined : `${needed.action} ${needed.menu}`
}

/** All that a step must not have done. */
function problemsOf(step: Step, outcome: Outcome, before: Items, after: Items): string[] {
  const { side, actor, kind, subject, input } = step
  const asked = new Set(wordsOf(other(side), JSON.stringify(input)))
  const leaks = wordsOf(other(side), outcome.told).filter((word) => !asked.has(word))
  const found = leaks.map((word) => `is told ${word} of the other account`)
  const isAllowed = ({ account = accountOf(side) }) => account === accountOf(side)
  for (const item of changedItems(before, after)) {
    if (isWork(item)) continue
    const isDenial = isRecord(item) && item.status !== 'success'
    const owner = ownerOf(item)
    if (!isDenial && !isAllowed({ account: String(owner) })) found.push(`writes what is not its own: ${JSON.stringify(item)}`)
    if (isDenial && owner === accountOf(other(side))) found.push(`leaves a record at the other account: ${JSON.stringify(item)}`)
    const words = wordsOf(other(side), JSON.stringify(item))
    if (owner === accountOf(side) && (isDenial ? words.some((word) => !asked.has(word)) : words.length > 0))
      found.push(`writes ${words.join()} of the other account: ${JSON.stringify(item)}`)
  }
  if (before !== after) found.push(...escalations(before, after, actor, today).map((each) => `gives what its actor does not hold: ${each}`))
  if (outcome.code === undefined && (kind === 'flow' || kind === 'keyed')) {
    // A flow that no menu allows is for operators.
    const needed = neededBy(subject)
    if (needed === undefined || holdingsOf(before, today).get(actor)?.has(needed) !== true) found.push('does what it may not')
  }
  return found
}

/** Addresses are unique across accounts: whoever takes one that another has is told so. */
const isNamedException = ({ told }: Outcome) => told.includes('"guard":"UserEmail"') || told.includes('This e-mail address is taken')

const sealed = /"cursor":"[\w:-]+"/g
const shapeOf = (told: string, side: Side) => told.replace(sealed, '"cursor"').replaceAll(strangeMark, markOf(other(side)))

/** Random steps of users of two accounts over one table. Throws where one shows or changes what is another's, or gives what it does not hold. */
export async function runCourse(seed: number, steps: number, tally: Tally): Promise<void> {
  const world = await newWorld()
  const chance = seeded(seed)
  const cursors: Cursors = new Map()
  let items = await allItems(world)
  for (let number = 1; number <= steps; number++) {
    const step = new Choosing(items, chance, cursors).step(number, tally.wanted())
    const isPermitted =
      holdingsOf(items, today)
        .get(step.actor)
        ?.has(neededBy(step.subject) ?? '') === true
    const outcome = await perform(world, step, number)
    const after = await itemsAfter(world, items)
    const found = problemsOf(step, outcome, items, after)
    const isStrange = wordsOf(other(step.side), JSON.stringify(step.input)).length > 0
    items = after
    if (isStrange && step.kind !== 'keyed' && !isNamedException(outcome) && found.length === 0) {
      const never = await perform(world, { ...step, input: estranged(step.side, step.input) }, number)
      items = await itemsAfter(world, items)
      if (shapeOf(never.told, step.side) !== shapeOf(outcome.told, step.side))
        found.push(`is told otherwise of what never was: ${never.told.slice(0, 800)}`)
    }
    if (found.length > 0)
      throw new Error([`seed ${seed}: ${JSON.stringify(step)}`, ...found, `it was told: ${outcome.told.slice(0, 800)}`].join('\n  '))
    tally.steps++
    if (isStrange && (isPermitted || neededBy(step.subject) === undefined)) tally.strange.add(step.subject)
    if (outcome.code === undefined) tally.done.add(step.subject)
    else tally.refused.add(/"reason":"NotHeld"/.test(outcome.told) ? 'NotHeld' : outcome.code)
    const { cursor } = (outcome.gives ?? {}) as { readonly cursor?: unknown }
    if (typeof cursor === 'string') cursors.set(step.subject, [...(cursors.get(step.subject) ?? []), cursor])
  }
  const seen = [...changedItems(items, await allItems(world))]
  if (seen.length > 0) throw new Error(`seed ${seed}: written unseen: ${JSON.stringify(seen)}`)
}
