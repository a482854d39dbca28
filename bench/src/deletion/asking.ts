import { setTimeout } from 'node:timers/promises'
import { inputOf } from '../own-process.js'
import { tenancyOf } from './tenancies.js'

// Another tenant, in a process of its own: asks so many questions a second, whatever becomes of those before, and tells how long they took.

export interface Asking {
  readonly endpoint: string
  readonly table: string
  readonly perSecond: number
  /** Of the design that is named. */
  readonly design: string
  readonly questions: readonly unknown[]
}

/** How long questions took since this was last asked for. */
export interface Lap {
  readonly asked: number
  /** Answered with no, although the answer is yes; a fault denies, too. */
  readonly denied: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly max_ms: number
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

async function main(): Promise<void> {
  // Given by deletion/main.ts.
  const { endpoint, table, perSecond, design, questions } = inputOf() as Asking
  const tenancy = tenancyOf(design)
  const decider = tenancy.decider(tenancy.connect({ dynamo: { endpoint }, table }))
  let times: number[] = []
  let denied = 0
  process.on('message', () => {
    const sorted = times.sort((a, b) => a - b)
    const lap: Lap = {
      asked: sorted.length,
      denied,
      p50_ms: percentile(sorted, 0.5),
      p99_ms: percentile(sorted, 0.99),
      max_ms: percentile(sorted, 1),
    }
    times = []
    denied = 0
    process.send?.(lap)
  })
  process.on('disconnect', () => process.exit(0))

  const start = performance.now()
  for (let nth = 0; ; nth++) {
    const due = start + (nth * 1000) / perSecond
    const early_ms = due - performance.now()
    if (early_ms > 0) await setTimeout(early_ms)
    const question = questions[nth % questions.length]
    if (question === undefined) throw new Error('There are no questions.')
    // From when it was due: a question that had to wait for this process has waited, too. A storage failure is a denial, so nothing is thrown.
    void decider.can(question).then(({ allowed }) => {
      times.push(performance.now() - due)
      if (!allowed) denied++
    })
  }
}

await main()
