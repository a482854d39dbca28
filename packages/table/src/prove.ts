/** The proofs of a design, which need no items. */
export type { FindingCode } from './analyse/finding.ts'
export { prove } from './analyse/prove.ts'
export { describeProof } from './analyse/report.ts'
