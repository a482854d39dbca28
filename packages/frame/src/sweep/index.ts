/** A sweep of any design, page by page and on a schedule; calendar days. */
export { dayAfter, dayOf, isPast, todayOf } from './days.ts'
export { endedItems } from './ended.ts'
export { type Invocation, type SweepReport, scheduledSweep, sweepAll } from './sweep-all.ts'
export { sweepFlow, workOn } from './sweep-flow.ts'
