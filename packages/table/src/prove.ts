/** What can be proven of a design before it holds an item. */
export type { FindingCode } from './analyse/finding.ts'
export { prove } from './analyse/prove.ts'
export { describeProof } from './analyse/report.ts'
