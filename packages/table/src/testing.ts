/** For tests of a design: items as no flow and no repository would write them, and conflicts as the embedded engine never raises them. */
export { restoreItems } from './run/restore.ts'
export { type ConflictRefusal, conflictRefusal, namedItems, UnderWay } from './testing/under-way.ts'
