import type { Plan } from './calls/plan.ts'
import { errorOutcome, okOf } from './outcome-of.ts'
import { type Entry, markerOf, monotonicMs, type Outcome } from './record.ts'

export type Caller = Pick<Entry, 'process' | 'lane' | 'seq'>

/** Makes a call, and tells what came of it. */
export async function makeCall(plan: Plan, { process, lane, seq }: Caller): Promise<Entry> {
  const start_ms = monotonicMs()
  const outcome: Outcome = await plan.run().then(okOf, errorOutcome)
  const end_ms = monotonicMs()
  const { run: _, ...facts } = plan
  return { ...facts, process, lane, seq, marker: markerOf(process, lane, seq), start_ms, end_ms, outcome }
}
