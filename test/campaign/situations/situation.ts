import type { Entity } from '@freehold/table'
import { placeOf } from '../calls/plan.ts'
import { type Finding, lineOf } from '../check/finding.ts'
import type { Entry } from '../record.ts'
import { type Ground, type RoundRecord, runRound } from '../run-round.ts'
import { type CampaignTables, type ConnectingTables, connectTables } from '../tables.ts'
import type { CallBounds } from '../worker-options.ts'
import { Actor } from './actor.ts'
import { Script, type ScriptedFault } from './script.ts'

/** Calls and faults that meet in one way, which random load seldom brings about. */
export interface Situation {
  /** The events of the situation. */
  readonly name: string
  readonly bounds?: CallBounds
  /** How those are connected whose requests meet the faults. */
  readonly connecting?: (ground: Ground) => ConnectingTables
  readonly run: (scene: Scene) => Promise<void>
}

/** Attempts are long, so that what others do meanwhile is done before the next begins, on a slow machine, too. */
const unlessGiven: CallBounds = { patience_ms: 4000, attempt_ms: 2500, wait_ms: 4000 }

/** The lease of every job ends within it. */
export const later_ms = 60_000

/** The tables and processes of a situation. */
export class Scene {
  readonly ground: Ground
  readonly entries: Entry[] = []
  readonly findings: Finding[] = []
  /** Calls through the proxy. */
  readonly ours: Actor
  /** Calls past it, which meet no fault. */
  readonly theirs: Actor
  /** Somebody past the proxy whose clock is ahead, so that every lease is over. */
  readonly later: Actor
  readonly #script: Script
  readonly #closing: (() => void)[] = []

  constructor(ground: Ground, script: Script, connecting: ConnectingTables) {
    this.ground = ground
    this.#script = script
    const ours = this.connect(ground.endpoint, { ...ground.bounds, ...connecting })
    this.ours = this.#actor(1, async () => ours, this.#note)
    this.theirs = this.#actor(2, this.#direct(connecting.now === undefined ? {} : { now: connecting.now }), this.#noteDone)
    this.later = this.#actor(3, this.#direct({ now: () => new Date(Date.now() + later_ms) }), this.#noteDone)
  }

  /** From now on requests meet these. */
  readonly script = (...faults: readonly ScriptedFault[]): void => this.#script.set(faults)

  readonly connect = (endpoint: string, connecting: ConnectingTables): CampaignTables => {
    const tables = connectTables(endpoint, this.ground.tables, connecting)
    this.#closing.push(tables.close)
    return tables
  }

  /** Checks that the comparison with the table does not make by itself. */
  readonly expect = (isSo: boolean, message: string, ...entries: readonly Entry[]): void => {
    if (!isSo) this.findings.push({ rule: 'told', message, entries })
  }

  /** A call that nothing stood in the way of, after its faults, is told as done. */
  readonly expectDone = (entry: Entry): void => {
    const isDone = entry.outcome.is === 'ok' && entry.outcome.pending.length === 0
    this.expect(isDone, `${entry.name} could be done, and nobody else wrote the item`, entry)
  }

  /** An item is there, whatever the calls say of it. */
  readonly expectThere = async (entity: Entity, id: Readonly<Record<string, unknown>>): Promise<void> => {
    const table = (await this.theirs.tables()).all.find(({ design }) => design.entities[entity.name] === entity)
    const found = await table?.repositoryNamed(entity.name).get(id, { consistent: true })
    this.expect(found !== undefined, `${placeOf(entity, id)} was made anew, and is not there`)
  }

  close(): void {
    for (const close of this.#closing) close()
  }

  #actor(process: number, tables: () => Promise<CampaignTables>, onCall: (entry: Entry) => void): Actor {
    return new Actor({ process, tables, bounds: this.ground.bounds, onCall })
  }

  readonly #note = (entry: Entry): void => void this.entries.push(entry)

  /** If a step of others is refused, it is not the situation that it was to be. */
  readonly #noteDone = (entry: Entry): void => {
    this.#note(entry)
    if (entry.outcome.is === 'error') this.findings.push({ rule: 'situation', message: lineOf(entry), entries: [entry] })
  }

  /** An engine that was started again is elsewhere. */
  #direct(connecting: ConnectingTables): () => Promise<CampaignTables> {
    const { engine } = this.ground
    const known = new Map<string, CampaignTables>()
    return async () => {
      const endpoint = await engine.endpoint()
      const tables = known.get(endpoint) ?? this.connect(endpoint, connecting)
      known.set(endpoint, tables)
      return tables
    }
  }
}

/** Brings a situation about, on an engine of its own. */
export function runSituation({ bounds = unlessGiven, connecting = () => ({}), run }: Situation): Promise<RoundRecord> {
  const script = new Script()
  return runRound({
    seed: 1,
    bounds,
    deal: script.deal,
    load: async (ground) => {
      const scene = new Scene(ground, script, connecting(ground))
      try {
        await run(scene)
      } finally {
        scene.close()
      }
      const entries = scene.entries.sort((one, other) => one.start_ms - other.start_ms)
      return { entries, findings: [...scene.findings, ...script.end()] }
    },
  })
}
