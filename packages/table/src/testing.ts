/** For tests of a design: items that no flow or repository would write, and conflicts that the embedded engine never raises. */
export { restoreItems } from './run/restore.ts'
export { type ConflictRefusal, conflictRefusal, namedItems, UnderWay } from './testing/under-way.ts'
