import { isExpired, keyText, readItems, type Stored } from '@freehold/table/runtime'
import { accountManagement } from '../../src/account-management/design.ts'
import { disagreements } from './compare-answers.ts'
import type { Cursors } from './cursors.ts'
import { escalations, unpermitted } from './escalations.ts'
import { eventsOf } from './events.ts'
import { type Grants, grantsOf } from './grants.ts'
import { Land } from './land.ts'
import { type AtFace, type Doors, doorsTo, type Outcome, perform } from './perform.ts'
import { plantation } from './plant.ts'
import { wrongAnswers } from './race.ts'
import { lineOf, type Step } from './step.ts'
import { differences, isNamedException, twinOf } from './strangers.ts'
import { wordsIn } from './words.ts'
import type { World } from './world.ts'

/** Thrown where tenant isolation fails. */
export class Leak extends Error {}

const reads: ReadonlySet<string> = new Set(['get', 'getMany', 'list', 'question', 'check'])

/** The result of a step. */
interface Taken {
  readonly outcome: Outcome
  readonly strangers: ReadonlySet<string>
  readonly events: readonly string[]
}

interface Done {
  readonly outcome: Outcome
  readonly problems: readonly string[]
}

/** The entry of a call that was denied, of a user of no client: such entries are no client's. */
const isDenial = (item: Stored | undefined) => item?.Type === 'AuditLog' && item.PK === 'SYSTEM' && item.status === 'failure'

/** One course of steps over a table as it was planted. */
export class Course {
  readonly land: Land
  private readonly world: World
  private readonly cursors: Cursors
  private readonly doors: Doors

  private constructor(world: World, land: Land, cursors: Cursors, atFace?: AtFace) {
    this.world = world
    this.land = land
    this.cursors = cursors
    this.doors = doorsTo(world.table, atFace)
  }

  static async begin(world: World, cursors: Cursors, atFace?: AtFace): Promise<Course> {
    await world.begin()
    return new Course(world, await Land.of(world.table.runtime), cursors, atFace)
  }

  /** Does a step and looks at all that came of it. Gives what the step said of others, and what came about. Throws `Leak`. */
  async take(step: Step): Promise<Taken> {
    const strangers = this.strangersIn(step)
    const before = this.grants(step)
    const there = this.assignments(step)
    const { outcome, problems } = await this.done(step)
    const after = this.grants(step)
    const found = [...problems, ...(await this.wrongs(step, outcome, before, after))]
    const isRead = outcome.code !== undefined || reads.has(step.kind)
    // An internal user is of no client, and told that something is there where it may do nothing; over another's table nobody is told anything.
    const isOwn = !plantation.internal.includes(step.actor ?? '') && (step.tenantScope === undefined || step.tenantScope === step.client)
    if (found.length === 0 && strangers.size > 0 && isRead && isOwn && !isNamedException(outcome, (id) => this.hasRole(step, id))) {
      const never = await this.done(twinOf(step, strangers))
      found.push(...never.problems.map((each) => `${each}, asked of what never was`), ...differences(outcome, never.outcome, strangers))
    }
    if (found.length > 0) throw new Leak([lineOf(step), ...found, `it was told: ${outcome.told.slice(0, 1000)}`].join('\n  '))
    const { cursor } = (outcome.gives ?? {}) as { readonly cursor?: unknown }
    if (typeof cursor === 'string') this.cursors.keep(step, cursor)
    return { outcome, strangers, events: eventsOf({ step, outcome, before, after, there, now_there: this.assignments(step) }) }
  }

  /** Wrong grants and wrong answers. */
  private async wrongs(step: Step, outcome: Outcome, before: Grants | undefined, after: Grants | undefined): Promise<readonly string[]> {
    const { client, actor, kind, raced } = step
    if (before === undefined || after === undefined || client === undefined) return []
    if (kind === 'wait') return this.compared(client, step.now, String(step.input.permission))
    const granted = actor === undefined ? [] : escalations(before, after, actor, client)
    return [
      ...granted.map((each) => `grants what its actor does not hold: ${each}`),
      ...(outcome.code === undefined ? unpermitted(step, before) : []),
      ...(raced === undefined || !this.isStanding(client) ? [] : wrongAnswers(outcome.heard ?? [], raced, before, after)),
    ]
  }

  /** Throws `Leak` where something was written that no step was seen to write, or is held that no item says. */
  async end(now: string): Promise<void> {
    const places = (await Land.of(this.world.table.runtime)).differing(this.land)
    if (places.length > 0) throw new Leak(`written unseen: ${places.join(', ')}`)
    const found: string[] = []
    for (const { client_id } of plantation.parties) found.push(...(await this.compared(client_id, now, 'devices:read:camera')))
    if (found.length > 0) throw new Leak(found.join('\n  '))
  }

  private isStanding(client: string): boolean {
    const [own] = this.land.of(client).filter(({ Type }) => Type === 'Client')
    return own !== undefined && own.status === 'active' && own.deleting === undefined
  }

  /** The permissions of every user of a client there, by its items and by the decisions. A client that is suspended or going denies. */
  private async compared(client: string, now: string, permission: string): Promise<readonly string[]> {
    if (!this.isStanding(client)) return []
    const grants = grantsOf(this.land.of(client), this.land.of('nobody'), client, now)
    return disagreements(this.doors.decider(client), grants, permission)
  }

  /** The part of a step that its client cannot know of. */
  private strangersIn({ client, input, change, kind }: Step): ReadonlySet<string> {
    if (client === undefined) return new Set()
    const words = this.land.secretsAmong(wordsIn(JSON.stringify([input, change])), client, plantation.marks)
    // Questions are answered about internal users who have a role at the client. Of the others nobody is told that they are there.
    const isKnown = (word: string) => {
      const person = plantation.internal.includes(word) ? word : plantation.marks.get(word)?.person
      return person !== undefined && this.land.of(client).some(({ Type, user_id }) => Type === 'UserRoleAssignment' && user_id === person)
    }
    return kind === 'question' ? new Set([...words].filter((word) => !isKnown(word))) : words
  }

  private async done(step: Step): Promise<Done> {
    const { table, sender } = this.world
    this.world.turnTo(step)
    sender.take()
    const outcome = await perform(this.doors, step).catch((error: unknown) => {
      throw new Leak(`${lineOf(step)}\n  threw ${error instanceof Error ? error.stack : String(error)}`)
    })
    const keys = sender.take()
    const read = keys.length === 0 ? new Map() : await readItems(table.runtime, keys, { consistent: true })
    const problems = keys.flatMap((key) => {
      const place = keyText(key)
      const before = this.land.at(place)
      this.land.set(place, read.get(place))
      const after = this.land.at(place)
      if (step.client === undefined || before?.text === after?.text || isDenial(after?.item)) return []
      const isFree = before === undefined || this.isExpired(before.item, step)
      const others = [isFree ? undefined : before.owner, after?.owner].filter(
        (owner) => owner !== undefined && owner !== step.client && owner !== 'jobs',
      )
      return others.map((owner) => `writes ${key.PK} / ${key.SK}, which is of ${owner}`)
    })
    return {
      outcome,
      problems: [
        ...problems,
        ...this.tellings(step, outcome),
        ...this.foreignCursor(step, outcome),
        ...this.operatorsQuestion(step, outcome),
      ],
    }
  }

  private hasRole({ client }: Step, id: string): boolean {
    return this.land.at(keyText({ PK: `CLIENT#${client}`, SK: `ROLE#${id}` })) !== undefined
  }

  /** An item that is over is no more there, whosever it was (spec rules 7 and 15): its key is free. */
  private isExpired(item: Readonly<Record<string, unknown>>, { now }: Step): boolean {
    const entity = accountManagement.form.entities.get(String(item.Type))
    return entity !== undefined && isExpired(entity, item, new Date(now))
  }

  private foreignCursor({ client, input, how }: Step, { code }: Outcome): string[] {
    const cursor = how?.cursor ?? input.cursor
    return client !== undefined && cursor !== undefined && code === undefined && this.cursors.isForeign(cursor, client)
      ? ["goes on with another's list"]
      : []
  }

  private tellings({ client, input, change, actor, tenantScope }: Step, { told }: Outcome): string[] {
    if (client === undefined) return []
    // An internal user may be told whose a place is where it may do nothing.
    const clients = plantation.internal.includes(actor ?? '') ? plantation.parties.map(({ client_id }) => client_id) : []
    const given = wordsIn(JSON.stringify([input, change, actor, tenantScope, clients]))
    const words = new Set([...wordsIn(told)].filter((word) => !given.has(word)))
    return [...this.land.secretsAmong(words, client, plantation.marks)].map((word) => `is told ${word}, which is none of its own`)
  }

  private operatorsQuestion({ client, kind, subject }: Step, { code }: Outcome): string[] {
    const isCrossing = kind === 'list' && accountManagement.tenants?.crossing?.includes(subject) === true
    return client !== undefined && isCrossing && code === undefined ? ['asks across clients, which only operators do'] : []
  }

  private grants({ kind, client, now }: Step): Grants | undefined {
    if ((kind !== 'flow' && kind !== 'race' && kind !== 'wait') || client === undefined) return undefined
    return grantsOf(this.land.of(client), this.land.of('nobody'), client, now)
  }

  private assignments({ client }: Step): readonly Stored[] {
    return client === undefined ? [] : this.land.of(client).filter(({ Type }) => Type === 'UserRoleAssignment')
  }
}
