import type { Outcome } from './perform.ts'
import { seeded } from './seeded.ts'
import type { Step } from './step.ts'

const keptMax = 50

/** Further goals of a course: what comes of idempotency keys. */
export const keyedEvents = [
  'a call is answered from its record',
  'a caller gives its key to another request',
  'another caller makes a call under the same key',
] as const

/** Calls under idempotency keys: for a caller that makes one of them again, its own or another's. */
export class KeyedCalls {
  private readonly kept: Step[] = []
  /** By key, the callers that have made a call with it. */
  private readonly callers = new Map<string, Set<string>>()
  private readonly isScoped: boolean

  /** @param isScoped true where a caller over the table of a client is another than over the whole table: not over HTTP */
  constructor(isScoped: boolean) {
    this.isScoped = isScoped
  }

  /** The same step; or one with a key, which is new or known; or an earlier call again, by its caller or by this one. */
  perhapsKeyed(step: Step): Step {
    // By the step alone, so that all other choices stay as they are.
    const chance = seeded(step.number)
    const earlier = chance.one(this.kept.filter(({ subject }) => subject === step.subject))
    if (earlier !== undefined && chance.percent(30)) {
      const { number, now, client, actor, tenantScope } = step
      if (chance.percent(60)) return { ...earlier, number, now }
      const by = { ...(actor === undefined ? {} : { actor }), ...(tenantScope === undefined ? {} : { tenantScope }) }
      return { number, now, client, kind: 'flow', subject: step.subject, input: earlier.input, key: earlier.key ?? '', ...by }
    }
    if (!chance.percent(25)) return step
    const own = this.kept.filter((each) => this.callerOf(each) === this.callerOf(step))
    const known = chance.percent(40) ? chance.one(chance.percent(70) ? own : this.kept)?.key : undefined
    return { ...step, key: known ?? `key-${step.number}` }
  }

  private callerOf({ actor = 'an operator', tenantScope = 'none' }: Step): string {
    return this.isScoped ? `${actor} over ${tenantScope}` : actor
  }

  /** True for a caller that has given this key to a call before. */
  isKnown(step: Step): boolean {
    return step.key !== undefined && this.callers.get(step.key)?.has(this.callerOf(step)) === true
  }

  /** What is wrong with the answer to a call, and what came about. */
  judge(step: Step, { code, gives }: Outcome): { readonly problems: readonly string[]; readonly events: readonly string[] } {
    const { key } = step
    if (key === undefined) return { problems: [], events: [] }
    const others = this.callers.get(key) ?? new Set()
    const isRepeat = (gives as { readonly replayed?: unknown } | undefined)?.replayed === true
    const isForeign = !others.has(this.callerOf(step))
    return {
      problems: (isRepeat || code === 'KeyReused') && isForeign ? ["is answered by another's call under the same key"] : [],
      events: [
        ...(isRepeat ? [keyedEvents[0]] : []),
        ...(code === 'KeyReused' ? [keyedEvents[1]] : []),
        ...(isForeign && others.size > 0 && code === undefined ? [keyedEvents[2]] : []),
      ],
    }
  }

  keep(step: Step): void {
    if (step.key === undefined) return
    if (!this.callers.has(step.key)) this.kept.push(step)
    if (this.kept.length > keptMax) this.kept.shift()
    this.callers.set(step.key, (this.callers.get(step.key) ?? new Set()).add(this.callerOf(step)))
  }
}
