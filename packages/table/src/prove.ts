/** The proofs of a design, which need no items. */
export type { Finding, FindingCode } from './analyse/finding.ts'
export { type Proof, prove, proving } from './analyse/prove.ts'
export { describeProof } from './analyse/report.ts'
