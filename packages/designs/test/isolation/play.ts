import { isDeepStrictEqual } from 'node:util'
import { isOver, keyText, readItems } from '@freehold/table'
import { accountManagement } from '../../src/account-management/design.ts'
import type { Cursors } from './cursors.ts'
import { type Grants, granted, grantsOf, unpermitted } from './grants.ts'
import { Land } from './land.ts'
import { type Doors, doorsTo, type Outcome, perform, type RunFlow } from './perform.ts'
import { plantation } from './plant.ts'
import { lineOf, type Step } from './step.ts'
import { differences, isNamedException, twinOf } from './strangers.ts'
import { wordsIn } from './words.ts'
import type { World } from './world.ts'

/** Thrown where a wall has a hole. */
export class Leak extends Error {}

const reads: ReadonlySet<string> = new Set(['get', 'getMany', 'list', 'question', 'check'])

interface Done {
  readonly outcome: Outcome
  readonly problems: readonly string[]
}

/** One course of steps over a table as it was planted. */
export class Course {
  readonly land: Land
  private readonly world: World
  private readonly cursors: Cursors
  private readonly doors: Doors

  private constructor(world: World, land: Land, cursors: Cursors, runFlow?: RunFlow) {
    this.world = world
    this.land = land
    this.cursors = cursors
    this.doors = doorsTo(world.table, runFlow)
  }

  static async begin(world: World, cursors: Cursors, runFlow?: RunFlow): Promise<Course> {
    await world.begin()
    return new Course(world, await Land.of(world.table.runtime), cursors, runFlow)
  }

  /** Does a step and looks at all that came of it. Gives what the step said of others. Throws `Leak`. */
  async take(step: Step): Promise<{ readonly outcome: Outcome; readonly strangers: ReadonlySet<string> }> {
    const strangers = this.strangersIn(step)
    const before = this.grants(step)
    const { outcome, problems } = await this.done(step)
    const found = [...problems, ...this.escalations(step, before), ...(outcome.code === undefined ? unpermitted(step, before) : [])]
    const isRead = outcome.code !== undefined || reads.has(step.kind)
    // An internal user is of no client, and told that something is there where it may do nothing; over another's table nobody is told anything.
    const isOwn = !plantation.internal.includes(step.actor ?? '') && (step.wall === undefined || step.wall === step.client)
    if (found.length === 0 && strangers.size > 0 && isRead && isOwn && !isNamedException(outcome, (id) => this.hasRole(step, id))) {
      const never = await this.done(twinOf(step, strangers))
      found.push(...never.problems.map((each) => `${each}, asked of what never was`), ...differences(outcome, never.outcome, strangers))
    }
    if (found.length > 0) throw new Leak([lineOf(step), ...found, `it was told: ${outcome.told.slice(0, 1000)}`].join('\n  '))
    const { cursor } = (outcome.gives ?? {}) as { readonly cursor?: unknown }
    if (typeof cursor === 'string') this.cursors.keep(step, cursor)
    return { outcome, strangers }
  }

  /** Throws `Leak` where something was written that no step was seen to write, or is held that no item says. */
  async end(now: string): Promise<void> {
    const places = (await Land.of(this.world.table.runtime)).differing(this.land)
    if (places.length > 0) throw new Leak(`written unseen: ${places.join(', ')}`)
    for (const { client_id } of plantation.parties) await this.compareHeld(client_id, now)
  }

  /** What every user of a client has there, by its items and by the decisions. */
  private async compareHeld(client: string, now: string): Promise<void> {
    const { held } = grantsOf(this.land.of(client), this.land.of('nobody'), now)
    const isStanding = ({ status, deleting }: Readonly<Record<string, unknown>>) => status === 'active' && deleting === undefined
    const [own] = this.land.of(client).filter(({ Type }) => Type === 'Client')
    if (own === undefined || !isStanding(own)) return
    for (const user of this.land.of(client).filter((item) => item.Type === 'User' && isStanding(item))) {
      const asked = { user: String(user.id), client }
      const { items } = await this.doors.decider(client).what(asked, { consistency: 'strong', limit: 1000 })
      const found = items.map(({ permission: { module, action, resource } }) => `${module}:${action}:${resource}`).sort()
      const said = [...(held.get(`${user.id} client ${client}`) ?? [])].sort()
      if (!isDeepStrictEqual(found, said))
        throw new Leak(`${user.id} holds ${found.join(', ')} at ${client}, and its items say ${said.join(', ')}`)
    }
  }

  /** What of a step its client cannot know of. */
  private strangersIn({ client, input, change, kind }: Step): ReadonlySet<string> {
    if (client === undefined) return new Set()
    const words = this.land.secretsAmong(wordsIn(JSON.stringify([input, change])), client, plantation.marks)
    // Questions are answered about internal users, who work at every client: whoever knows the id of one may ask.
    const isKnown = (word: string) => plantation.internal.includes(word) || plantation.marks.get(word)?.person !== undefined
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
      if (step.client === undefined || before?.text === after?.text) return []
      const isFree = before === undefined || this.isOver(before.item, step)
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
  private isOver(item: Readonly<Record<string, unknown>>, { now }: Step): boolean {
    const entity = accountManagement.form.entities.get(String(item.Type))
    return entity !== undefined && isOver(entity, item, new Date(now))
  }

  private foreignCursor({ client, input, how }: Step, { code }: Outcome): string[] {
    const cursor = how?.cursor ?? input.cursor
    return client !== undefined && cursor !== undefined && code === undefined && this.cursors.isForeign(cursor, client)
      ? ["goes on with another's list"]
      : []
  }

  private tellings({ client, input, change, actor, wall }: Step, { told }: Outcome): string[] {
    if (client === undefined) return []
    // An internal user may be told whose a place is where it may do nothing.
    const clients = plantation.internal.includes(actor ?? '') ? plantation.parties.map(({ client_id }) => client_id) : []
    const given = wordsIn(JSON.stringify([input, change, actor, wall, clients]))
    const words = new Set([...wordsIn(told)].filter((word) => !given.has(word)))
    return [...this.land.secretsAmong(words, client, plantation.marks)].map((word) => `is told ${word}, which is none of its own`)
  }

  private operatorsQuestion({ client, kind, subject }: Step, { code }: Outcome): string[] {
    const isCrossing = kind === 'list' && accountManagement.tenants?.crossing?.includes(subject) === true
    return client !== undefined && isCrossing && code === undefined ? ['asks across clients, which only operators do'] : []
  }

  private grants({ kind, client, actor, now }: Step): Grants | undefined {
    if (kind !== 'flow' || client === undefined || actor === undefined) return undefined
    return grantsOf(this.land.of(client), this.land.of('nobody'), now)
  }

  private escalations(step: Step, before: Grants | undefined): string[] {
    const { client, actor } = step
    const after = this.grants(step)
    if (before === undefined || after === undefined || client === undefined || actor === undefined) return []
    return granted(this.land.of(client), before, after, actor, client).map((each) => `grants what its actor does not hold: ${each}`)
  }
}
