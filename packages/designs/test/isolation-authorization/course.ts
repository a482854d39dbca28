import { isDeepStrictEqual } from 'node:util'
import { isFreeholdError } from '@freehold/table'
import { seeded } from '../isolation/seeded.ts'
import { allItems, changedItems, type Items, itemsAfter } from '../isolation/watched-items.ts'
import type { Item } from '../model/parts.ts'
import { Choosing, type Cursors, operatorFlows, type Step } from './choose.ts'
import { foresee, mayCall, withRole } from './foresee.ts'
import { actions, grantKey, inOrder, may, mayGrant, membersOf, type State, stateOf, strayItems } from './state.ts'
import { type FlowName, flowNames, idOf, markIn, newWorld, sides, strangeMark, type World, wordsIn } from './world.ts'

/** The result of a step: what it gave, or the code of its error; and all that its caller got to see. */
interface Outcome {
  readonly code?: string
  readonly gives?: unknown
  readonly told: string
}

/** What came about in all courses. */
export class Tally {
  /** Flows that were done, and that were refused: by users; and by operators, as `operator …`. */
  readonly done = new Set<string>()
  readonly refused = new Set<string>()
  readonly codes = new Set<string>()
  /** Questions that were answered with yes, or with something, and lists that gave something. */
  readonly answered = new Set<string>()
  steps = 0
  undone(): readonly string[] {
    const byOperators = operatorFlows.map((name) => `operator ${name}`)
    return [...actions, ...byOperators].filter((name) => !this.done.has(name)).concat(flowNames.filter((name) => !this.refused.has(name)))
  }
}

const toldOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part instanceof Error && isFreeholdError(part) ? { code: part.code, message: part.message, details: part.details } : part,
  ) ?? 'nothing'

async function answer({ table, offered, decide }: World, { side, actor, kind, subject, key, input }: Step): Promise<unknown> {
  const own = table.forTenant(idOf(side))
  // Whether the input fits is for whoever gets it to say.
  if (kind === 'question') {
    const { user, tenant, action, resource } = input
    const asked = {
      ...{ can: input, why: input, what: { user, tenant, resource }, who: { tenant, action, resource } },
      where: { user, action, ...(action === 'grant' ? { resource } : {}) },
    }
    const ask = decide(own.runtime)[subject as 'can'] as (question: unknown, how: object) => Promise<unknown>
    return ask(asked[subject as 'can'], { consistency: 'strong' })
  }
  if (kind === 'list') return own.patternNamed(subject)(input.parameters as never, input.how as never)
  const caller = {
    actor: actor === undefined ? ({ kind: 'operator', name: 'keeper' } as const) : ({ kind: 'user', user_id: actor } as const),
  }
  const flows = kind === 'keyed' ? offered.keyed(table, caller, key) : offered.of(table, caller)
  return (flows[subject as FlowName] as (input: unknown) => Promise<unknown>)(input)
}

/** Does a step. Throws what is no error of this project: a defect. */
async function perform(world: World, step: Step): Promise<Outcome> {
  const named = sides.find((side) => idOf(side) === step.input.tenantId)
  world.turnTo(named === undefined ? '' : `MARK${named}`)
  try {
    const gives = await answer(world, step)
    return { gives, told: toldOf(gives) }
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    return { code: error.code, told: toldOf(error) }
  }
}

/** A record of a durable job or a call, which tells nobody anything. */
const isWork = ({ PK }: Item) => /^FREEHOLD_(JOBS$|CALLS#)/.test(String(PK))
const isRecord = ({ Type }: Item) => Type === 'Change' || Type === 'ActorChange'

/** The answer of the model to a question, within the tenant of the step. */
function answerOf(state: State, { side, subject, input }: Step): unknown {
  const own = idOf(side)
  const { user, tenant, action, resource } = input as {
    user: string
    tenant: string
    action: string
    resource: { type: string; id: string }
  }
  const allows = (of: string, at: string, does: string, to = resource) => {
    if (at !== own) return false
    return to.type === 'Role' ? does === 'grant' && mayGrant(state, of, at, to.id) : to.id === at && may(state, of, at, does)
  }
  switch (subject) {
    case 'what':
      return (resource.type === 'Role' ? ['grant'] : [...actions].sort()).filter((each) => allows(user, tenant, each))
    case 'who':
      return membersOf(state, tenant)
        .filter((each) => allows(each, tenant, action))
        .sort()
    case 'where':
      return allows(user, own, action, action === 'grant' ? resource : { type: 'Tenant', id: own }) ? [own] : []
    default:
      return allows(user, tenant, action)
  }
}

function given({ gives }: Outcome, subject: string): unknown {
  // What the decider's types say.
  const { allowed, items = [] } = gives as { allowed?: boolean; items?: readonly Readonly<Record<string, unknown>>[] }
  const named = { what: 'action', who: 'userId', where: 'tenantId' }[subject as 'what']
  return named === undefined ? allowed : items.map((item) => item[named])
}

/** Repeats of a call under its key: they do nothing more. */
type Calls = Map<string, string>
const callOf = ({ actor, key }: Step) => `${actor} ${key}`
const requestOf = ({ subject, input }: Step) => JSON.stringify([subject, input])

/** The user of a grant, who is of no tenant, counts on: of a grant and a first sign-in that come at once one reads what the other wrote. Nothing else of it changes. */
const isCounted = ({ subject, input }: Step, item: Item, before: Items) =>
  subject === 'createGrant' &&
  item.userId === String(input.userId).toUpperCase() &&
  [...before.values()].some(
    (former) =>
      former.Type === 'User' && isDeepStrictEqual(item, { ...former, version: Number(former.version) + 1, writeId: item.writeId }),
  )

class Course {
  readonly calls: Calls = new Map()
  /** By tenant, everybody who was ever a member: records name them. */
  readonly everMembers = new Map<string, Set<string>>()

  /** The state that the model foresees; undefined if the step must be refused, which changes nothing. */
  foreseen(state: State, step: Step, { gives }: Outcome): State | undefined {
    const { kind, actor, subject, input } = step
    if (kind === 'question' || kind === 'list') return state
    const known = kind === 'keyed' ? this.calls.get(callOf(step)) : undefined
    if (known !== undefined && known !== requestOf(step))
      return subject.startsWith('grants') ? foresee(state, actor, subject, input) : undefined
    if (known !== undefined) return state
    if (subject !== 'createRole' || actor !== undefined) return foresee(state, actor, subject, input)
    return withRole(state, String((gives as { roleId?: unknown } | undefined)?.roleId), input)
  }

  /** The words that a step must not tell. */
  leaks(state: State, { side, actor, kind, subject, input }: Step, { told }: Outcome): readonly string[] {
    if (actor === undefined && kind !== 'question' && kind !== 'list') return []
    const isFlow = kind === 'flow' || kind === 'keyed'
    const tenant = isFlow ? String(input.tenantId) : idOf(side)
    const asked = new Set([...wordsIn(JSON.stringify(input)), ...(actor === undefined ? [] : [actor])])
    const isOpen = !isFlow || mayCall(state, String(actor), subject, input)
    const members = new Set(membersOf(state, tenant).map(markIn))
    const known = this.everMembers.get(tenant) ?? new Set()
    const isKnown = (word: string) => isOpen && (markIn(word) === markIn(tenant) || members.has(markIn(word)) || known.has(word))
    return wordsIn(told).filter((word) => !asked.has(word) && !isKnown(word))
  }

  /** All that a step must not have done. */
  problems(step: Step, outcome: Outcome, state: State, before: Items, after: Items): string[] {
    const { actor, kind, subject, input } = step
    const found = this.leaks(state, step, outcome).map((word) => `is told ${word}`)
    const expected = this.foreseen(state, step, outcome)
    const isDone = outcome.code === undefined
    const isRepeat = kind === 'keyed' && this.calls.get(callOf(step)) === requestOf(step)
    // A cursor of another list, and a repeat by somebody who may no longer, are refused.
    const mayFail = input.cursor !== undefined || isRepeat || kind === 'list'
    if (kind === 'question') {
      if (!isDeepStrictEqual(given(outcome, subject), answerOf(state, step)))
        found.push(`answers otherwise than ${toldOf(answerOf(state, step))}`)
    } else if (isDone ? expected === undefined : expected !== undefined && !mayFail)
      found.push(isDone ? 'does what must be refused' : 'refuses what must be done')
    const now = stateOf(after)
    const then = isDone ? (expected ?? state) : state
    if (!isDeepStrictEqual(now, inOrder(then))) found.push(`leaves ${JSON.stringify(now)}`, `and not ${JSON.stringify(inOrder(then))}`)
    if (before !== after) found.push(...strayItems(after, now))
    if (subject === 'grantsOfTenant' && kind !== 'list' && isDone && input.cursor === undefined)
      found.push(...this.#unlisted(state, step, outcome))
    for (const item of changedItems(before, after)) {
      if (isWork(item)) continue
      if (isRecord(item)) {
        if (item.actor !== (actor ?? 'operator keeper')) found.push(`is recorded as another's: ${JSON.stringify(item)}`)
        if (item.flow !== subject) found.push(`is recorded as another flow: ${JSON.stringify(item)}`)
        if (item.status !== 'success' && item.tenantId !== undefined) found.push(`leaves a record at a tenant: ${JSON.stringify(item)}`)
      } else if (!isDone) found.push(`is refused, and writes ${JSON.stringify(item)}`)
      if (actor !== undefined && isDone && item.tenantId !== input.tenantId && !isCounted(step, item, before))
        found.push(`writes what is not the tenant's: ${JSON.stringify(item)}`)
    }
    return found
  }

  /** What a whole list of the members lacks, or has too much. */
  #unlisted(state: State, { input }: Step, { gives }: Outcome): string[] {
    const { items, cursor } = gives as { items: readonly { tenantId: string; userId: string }[]; cursor?: string }
    const listed = items.map(({ tenantId, userId }) => grantKey(tenantId, userId))
    const members = membersOf(state, String(input.tenantId)).map((user) => grantKey(input.tenantId, user))
    const isRight = listed.every((each) => members.includes(each)) && (cursor !== undefined || listed.length === members.length)
    return isRight ? [] : [`lists ${listed} and not ${members}`]
  }

  /** A call that writes nothing leaves no record under its key. */
  rememberCall(step: Step, { code }: Outcome, hasWritten: boolean): void {
    if (step.kind === 'keyed' && code === undefined && hasWritten && !this.calls.has(callOf(step)))
      this.calls.set(callOf(step), requestOf(step))
  }

  rememberMembers(state: State): void {
    for (const side of sides)
      this.everMembers.set(idOf(side), new Set([...(this.everMembers.get(idOf(side)) ?? []), ...membersOf(state, idOf(side))]))
  }
}

/**
 * The same step about what never was: with the mark of nobody for what is not the tenant's that its actor works in. Undefined if there is nothing of that
 * kind, or if the specification itself tells it: names are unique everywhere, and a member of a tenant may make any user one.
 */
function twinOf(state: State, step: Step): Step | undefined {
  const { actor, kind, subject, input, side } = step
  if (kind === 'keyed' || (actor === undefined && kind === 'flow')) return undefined
  const isFlow = kind === 'flow'
  const tenant = isFlow ? String(input.tenantId) : idOf(side)
  const isOpen = !isFlow || mayCall(state, String(actor), subject, input)
  if (isFlow && isOpen && (subject === 'createGrant' || subject === 'renameTenant')) return undefined
  const members = membersOf(state, tenant)
  const known = [...(!isFlow || members.includes(String(actor)) ? [tenant] : []), ...(isOpen ? members : []), actor ?? '']
  const own = new Set(known.map(markIn))
  const text = JSON.stringify(input)
  const strange = text.replace(/mark[0-9A-Z]{2}/gi, (mark) => {
    if (own.has(mark.toUpperCase())) return mark
    return mark.startsWith('M') ? strangeMark : strangeMark.toLowerCase()
  })
  return strange === text ? undefined : { ...step, input: JSON.parse(strange) }
}

const shapeOf = ({ told }: Outcome) => told.replace(/"cursor":"[\w:-]+"/g, '"cursor"').replace(/mark[0-9A-Z]{2}/gi, 'mark')

/** Random steps of users and operators of two tenants over one table. Throws where one does, shows or changes what the model does not say. */
export async function runCourse(seed: number, steps: number, tally: Tally): Promise<void> {
  const world = await newWorld()
  const chance = seeded(seed)
  const cursors: Cursors = new Map()
  const course = new Course()
  let items = await allItems(world)
  for (let number = 20; number < 20 + steps; number++) {
    const state = stateOf(items)
    course.rememberMembers(state)
    const untried = flowNames.filter((name) => !tally.refused.has(name))
    const undone = operatorFlows.filter((name) => !tally.done.has(`operator ${name}`))
    const step = new Choosing(state, chance, cursors).step(number, untried, undone)
    const outcome = await perform(world, step)
    const after = await itemsAfter(world, items)
    const found = course.problems(step, outcome, state, items, after)
    course.rememberCall(step, outcome, changedItems(items, after).length > 0)
    const twin = outcome.code === undefined && step.kind === 'flow' ? undefined : twinOf(state, step)
    items = after
    if (twin !== undefined && found.length === 0) {
      const never = await perform(world, twin)
      const later = await itemsAfter(world, items)
      if (!isDeepStrictEqual(stateOf(later), stateOf(items))) found.push(`does what never was: ${JSON.stringify(twin)}`)
      items = later
      if (shapeOf(never) !== shapeOf(outcome)) found.push(`is told otherwise of what never was: ${never.told.slice(0, 800)}`)
    }
    if (found.length > 0)
      throw new Error([`seed ${seed}: ${JSON.stringify(step)}`, ...found, `it was told: ${outcome.told.slice(0, 800)}`].join('\n  '))
    note(tally, step, outcome)
    const { cursor } = (outcome.gives ?? {}) as { readonly cursor?: unknown }
    if (typeof cursor === 'string') cursors.set(step.subject, [...(cursors.get(step.subject) ?? []), cursor])
  }
  const seen = changedItems(items, await allItems(world))
  if (seen.length > 0) throw new Error(`seed ${seed}: written unseen: ${JSON.stringify(seen)}`)
}

function note(tally: Tally, { actor, kind, subject }: Step, { code, gives }: Outcome): void {
  tally.steps++
  if (code !== undefined) tally.codes.add(code)
  if (kind === 'flow' || kind === 'keyed') {
    const name = actor === undefined ? `operator ${subject}` : subject
    if (code === undefined) tally.done.add(name)
    else tally.refused.add(name)
  }
  const { allowed, items = [] } = (gives ?? {}) as { readonly allowed?: boolean; readonly items?: readonly unknown[] }
  if (kind === 'question' && (allowed === true || items.length > 0)) tally.answered.add(subject)
}
