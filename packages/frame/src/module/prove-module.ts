import { setImmediate } from 'node:timers/promises'
import { type FindingCode, type Proof, prove, proving } from '@freehold/table/prove'
import type { AccessFinding } from '../access/findings.ts'
import type { DesignModule } from './design-module.ts'

type Proven = Pick<DesignModule, 'design' | 'access'>
export type ModuleProof = Proof<FindingCode | AccessFinding['code']>

function withAccess({ access }: Proven, proof: Proof): ModuleProof {
  const { findings = [] } = access ?? {}
  return { ...proof, isProven: proof.isProven && findings.length === 0, findings: [...findings, ...proof.findings] }
}

/** Proves a module's design, and that the lists of its access declaration are complete. */
export const proveModule = (module: Proven): ModuleProof => withAccess(module, prove(module.design))

/** The same for a server, which answers others in between: a design of 50 patterns takes a second. */
export async function proveInTurns(module: Proven): Promise<ModuleProof> {
  const parts = proving(module.design)
  for (;;) {
    const part = parts.next()
    if (part.done === true) return withAccess(module, part.value)
    await setImmediate()
  }
}
