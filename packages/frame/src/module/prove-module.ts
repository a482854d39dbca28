import { type FindingCode, type Proof, prove } from '@freehold/table/prove'
import type { AccessFinding } from '../access/findings.ts'
import type { DesignModule } from './design-module.ts'

/** Proves a module's design, and that the lists of its access declaration are complete. */
export function proveModule({ design, access }: Pick<DesignModule, 'design' | 'access'>): Proof<FindingCode | AccessFinding['code']> {
  const { findings = [] } = access ?? {}
  const proof = prove(design)
  return { ...proof, isProven: proof.isProven && findings.length === 0, findings: [...findings, ...proof.findings] }
}
