import { type Admission, admission, type Place, type Refusal } from '../src/admission/admission.ts'
import { type AdmissionLimits, admissionUnlessGiven } from '../src/admission/limits.ts'

/** Requests that arrive at a rate, each with the same cost. */
export interface Stream {
  readonly caller?: string
  /** Gives the caller or address of a request, where each has its own. */
  readonly named?: (index: number) => { readonly caller?: string; readonly address: string }
  /** Requests a second. */
  readonly rate: number
  /** CPU of a request that is served, in milliseconds, in three parts with the table's answers between. */
  readonly cpu_ms: number
  readonly weight?: number
}

export interface Outcome {
  served: number
  /** Served within a second. */
  good: number
  readonly refused: Record<Refusal, number>
  readonly latencies_ms: number[]
}

export interface Simulation {
  readonly streams: readonly Stream[]
  readonly seconds: number
  /** How long the table takes for an answer, in milliseconds. */
  readonly table_ms?: number
  /** CPU of a request that is refused, in milliseconds. */
  readonly refusal_ms?: number
  readonly limits?: Partial<AdmissionLimits>
}

export interface Simulated {
  readonly outcomes: readonly Outcome[]
  /** The longest turn of the loop, after the first second: so long a request for health waits. */
  readonly turn_ms_max: number
  readonly running_max: number
  readonly end: ReturnType<Admission['load']>
}

const tick_ms = 20
/** The first second is left out of what is counted. */
const warm_ms = 1_000
const turns = 3

/** One thread in virtual time: its events take CPU one after the other, and those that come meanwhile wait for the next turn of the loop. */
export async function simulate({ streams, seconds, table_ms = 1, refusal_ms = 0.03, limits = {} }: Simulation): Promise<Simulated> {
  let now_ms = 0
  const admitting = admission({ ...admissionUnlessGiven, ...limits }, () => now_ms)
  const outcomes = streams.map((): Outcome => ({ served: 0, good: 0, refused: { share: 0, overload: 0 }, latencies_ms: [] }))
  let events: { readonly at_ms: number; readonly run: () => void }[] = []
  const later = (at_ms: number, run: () => void) => events.push({ at_ms, run })
  const arrived = streams.map(() => 0)
  let [busy_ms, turn_ms_max, running_max, lastTick_ms, nextTick_ms] = [0, 0, 0, 0, tick_ms]
  const spend = (ms: number) => {
    now_ms += ms
    busy_ms += ms
  }

  const arrive = (stream: Stream, outcome: Outcome, index: number, at_ms: number) => {
    const { caller, address } = { address: '10.0.0.1', caller: stream.caller, ...stream.named?.(index) }
    const isCounted = at_ms >= warm_ms
    const refuse = (why: Refusal) => {
      spend(refusal_ms)
      if (isCounted) outcome.refused[why]++
    }
    const done = (place: Place) => {
      place.leave()
      const latency_ms = now_ms - at_ms
      if (!isCounted) return
      outcome.served++
      outcome.latencies_ms.push(latency_ms)
      if (latency_ms <= 1_000) outcome.good++
    }
    const part = (place: Place, left: number) => {
      spend(stream.cpu_ms / turns)
      if (left === 0) done(place)
      else later(now_ms + table_ms, () => part(place, left - 1))
    }
    const goes = (place: Place) => {
      const grown = place.grow(stream.weight ?? 1)
      if (grown === undefined) later(now_ms, () => part(place, turns - 1))
      else void grown.then((why) => (why === undefined ? later(now_ms, () => part(place, turns - 1)) : refuse(why)))
    }
    const asking = { caller, address }
    const why = admitting.wouldRefuse(asking)
    if (why === undefined) admitting.enter(asking, goes, refuse)
    else refuse(why)
  }

  while (now_ms < seconds * 1000) {
    const began_ms = now_ms
    streams.forEach((stream, at) => {
      const outcome = outcomes[at]
      for (let due_ms = 0; outcome !== undefined; ) {
        const index = arrived[at] ?? 0
        due_ms = (index * 1000) / stream.rate
        if (due_ms > began_ms) break
        arrived[at] = index + 1
        arrive(stream, outcome, index, due_ms)
      }
    })
    const due = events.filter(({ at_ms }) => at_ms <= began_ms)
    events = events.filter(({ at_ms }) => at_ms > began_ms)
    for (const { run } of due) run()
    // Requests that were told to go on.
    await undefined
    if (now_ms >= nextTick_ms) {
      const passed_ms = now_ms - lastTick_ms
      admitting.tick({ delay_ms: Math.max(0, passed_ms - tick_ms), utilization: Math.min(1, busy_ms / passed_ms) })
      lastTick_ms = now_ms
      busy_ms = 0
      nextTick_ms = now_ms + tick_ms
    }
    running_max = Math.max(running_max, admitting.load().running)
    if (began_ms >= warm_ms) turn_ms_max = Math.max(turn_ms_max, now_ms - began_ms)
    // Nothing took CPU: the loop sleeps until the next event.
    if (now_ms === began_ms) now_ms += 0.05
  }
  return { outcomes, turn_ms_max, running_max, end: admitting.load() }
}
