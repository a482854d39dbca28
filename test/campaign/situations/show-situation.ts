import { checkRound, describeFinding } from '../check/check-round.ts'
import { runSituation, type Situation } from './situation.ts'

/** What a situation has shown. */
export interface Shown {
  readonly name: string
  readonly s: number
  /** Each as a text of several lines. */
  readonly findings: readonly string[]
  /** It did not come about as it is written, so that it shows nothing. */
  readonly isMissed: boolean
}

export async function showSituation(situation: Situation): Promise<Shown> {
  const start_ms = performance.now()
  const record = await runSituation(situation)
  const findings = checkRound(record).findings
  return {
    name: situation.name,
    s: (performance.now() - start_ms) / 1000,
    findings: findings.map((finding) => describeFinding(finding, record)),
    isMissed: findings.some(({ rule }) => rule === 'situation'),
  }
}
