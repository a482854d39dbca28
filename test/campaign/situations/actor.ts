import { setTimeout as after } from 'node:timers/promises'
import type { ConnectedTable, Entity } from '@freehold/table'
import { callOf, type Plan, touch } from '../calls/plan.ts'
import { boundOf, slack_ms } from '../check/check-bounds.ts'
import { makeCall } from '../make-call.ts'
import { type Entry, markerOf, monotonicMs, type Touch } from '../record.ts'
import type { CampaignTables } from '../tables.ts'
import type { CallBounds } from '../worker-options.ts'

/** Stands in the values of a call for the text that no other call writes. */
export const marker = '{marker}'

interface Options {
  /** Tells the actors of a situation apart. */
  readonly process: number
  readonly tables: () => Promise<CampaignTables>
  readonly bounds: CallBounds
  readonly onCall: (entry: Entry) => void
}

type Values = Readonly<Record<string, unknown>>

/** Longer than any call may take, so that one that never ends is told as too long. */
const late_ms = 500

/** Somebody who makes calls, each of which is recorded. */
export class Actor {
  readonly #options: Options
  #seq = 0

  constructor(options: Options) {
    this.#options = options
  }

  tables(): Promise<CampaignTables> {
    return this.#options.tables()
  }

  create(entity: Entity, values: Values, isAlone = true): Promise<Entry> {
    return this.#write(entity, 'create', values, isAlone, (table, given) => table.repositoryNamed(entity.name).create(given))
  }

  update(entity: Entity, id: Values, change: Values, how: Values = {}): Promise<Entry> {
    return this.#write(entity, 'update', { ...id, ...change }, true, (table, given) => {
      const changed = Object.fromEntries(Object.entries(given).filter(([name]) => !(name in id)))
      return table.repositoryNamed(entity.name).update(id, changed, how)
    })
  }

  remove(entity: Entity, id: Values, how: Values = {}, isAlone = true): Promise<Entry> {
    return this.#write(entity, 'remove', id, isAlone, (table) => table.repositoryNamed(entity.name).remove(id, how), how.wait !== false)
  }

  /** Any other call, made of a text that no other call writes. */
  async call(planned: (own: string) => Plan): Promise<Entry> {
    const { process, bounds, onCall } = this.#options
    const caller = { process, lane: 1, seq: ++this.#seq }
    const own = markerOf(process, 1, caller.seq)
    const plan = planned(own)
    const bound_ms = boundOf(plan, bounds) + slack_ms + late_ms
    const start_ms = monotonicMs()
    const endless = new AbortController()
    const entry = await Promise.race([
      makeCall(plan, caller),
      after(bound_ms, undefined, { signal: endless.signal }).then((): Entry => {
        const { run: _, ...facts } = plan
        const outcome = {
          is: 'error',
          code: 'Unavailable',
          message: 'It has not ended.',
          uncertain: true,
          failures: [],
          pending: [],
        } as const
        return { ...facts, ...caller, marker: own, start_ms, end_ms: monotonicMs(), outcome }
      }),
    ])
    endless.abort()
    onCall(entry)
    return entry
  }

  async #write(
    entity: Entity,
    verb: Touch['verb'],
    values: Values,
    isAlone: boolean,
    run: (table: ConnectedTable, given: Values) => Promise<unknown>,
    waits = true,
  ): Promise<Entry> {
    const table = (await this.tables()).all.find(({ design }) => design.entities[entity.name] === entity)
    if (table === undefined) throw new Error(`No table of the campaign has a ${entity.name}.`)
    const touched = touch(entity, verb, { ...values }, isAlone)
    return this.call((own) => {
      const input: Values = JSON.parse(JSON.stringify(values).replaceAll(marker, own))
      const plan = callOf(table.design.name, `${entity.name}.${verb}`, touched, input, () => run(table, input))
      return { ...plan, waits: plan.waits && waits }
    })
  }
}
