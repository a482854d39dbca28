/** For tests of a design: its table in memory, what may go wrong, items that no flow or repository would write, and rules of requests that AWS writes down. */
export { restoreItems } from './run/restore.ts'
export { Clock } from './testing/clock.ts'
export { countedIds } from './testing/counted-ids.ts'
export { type Fault, type FaultRule, type FaultySender, faultySender, type LoggedRequest } from './testing/faulty-sender.ts'
export { type BrokenRule, brokenRule } from './testing/request-rules.ts'
export { keysCreated, type TableKeys } from './testing/rules/asked.ts'
export { type TestTableOptions, testTable } from './testing/test-table.ts'
export { type ConflictRefusal, namedItems, UnderWay } from './testing/under-way.ts'
