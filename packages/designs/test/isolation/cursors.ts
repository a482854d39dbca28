import type { Chance } from '../model/chance.ts'
import type { Step } from './step.ts'

interface Kept {
  readonly cursor: string
  readonly step: Step
}

const keptMax = 200

/** A cursor with one of its characters another. */
function tampered(cursor: string, chance: Chance): string {
  const at = chance.below(cursor.length)
  return `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`
}

/** Cursors that lists gave, and to whom: for whoever goes on with a list, its own or not. */
export class Cursors {
  private readonly kept: Kept[] = []
  /** By cursor, the client that it was given to. */
  private readonly givenTo = new Map<string, string | undefined>()

  keep(step: Step, cursor: string): void {
    this.kept.push({ cursor, step })
    if (this.kept.length > keptMax) this.kept.shift()
    this.givenTo.set(cursor, step.client)
  }

  /** True for a cursor that was given to another, or to nobody. */
  isForeign(cursor: unknown, client: string | undefined): boolean {
    return !this.givenTo.has(String(cursor)) || this.givenTo.get(String(cursor)) !== client
  }

  /** The same step, or one that goes on with a list: with the right cursor, another's, or one that was tampered with. */
  perhapsIn(step: Step, chance: Chance): Step {
    const alike = this.kept.filter(({ step: { kind, subject } }) => kind === step.kind && subject === step.subject)
    const { kind } = step
    if (alike.length === 0 || (kind !== 'list' && kind !== 'question' && kind !== 'flow') || !chance.percent(35)) return step
    const chosen = chance.one(chance.percent(70) ? alike : this.kept)
    if (chosen === undefined) return step
    const cursor = chance.percent(10) ? tampered(chosen.cursor, chance) : chosen.cursor
    // More often than not somebody else goes on with the list.
    const { input, how } = chosen.step.subject === step.subject && chance.percent(80) ? chosen.step : step
    if (kind === 'flow') return { ...step, input: { ...input, cursor } }
    return { ...step, input, how: { ...how, cursor } }
  }
}
