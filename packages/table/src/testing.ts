/** For tests of a design: items as no flow and no repository would write them. */
export { restoreItems } from './run/restore.ts'
