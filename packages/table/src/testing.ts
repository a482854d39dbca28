/** For tests of a design: items that no flow or repository would write, conflicts that the embedded engine never raises, and rules that it lacks. */
export { restoreItems } from './run/restore.ts'
export { type BrokenRule, brokenRule } from './testing/request-rules.ts'
export { keysCreated, type TableKeys } from './testing/rules/asked.ts'
export { type ConflictRefusal, conflictRefusal, namedItems, UnderWay } from './testing/under-way.ts'
