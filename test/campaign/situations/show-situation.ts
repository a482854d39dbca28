import { checkRound, describeFinding } from '../check/check-round.ts'
import { runSituation, type Situation } from './situation.ts'

/** The findings of a situation. */
export interface Shown {
  readonly name: string
  readonly s: number
  /** Each as a text of several lines. */
  readonly findings: readonly string[]
  /** It did not come about as it is written, so that it shows nothing. */
  readonly isMissed: boolean
}

/** On a machine that is slow at the wrong moment a situation is missed: then it is brought about again. */
const attemptsMax = 3

export async function showSituation(situation: Situation): Promise<Shown> {
  const start_ms = performance.now()
  for (let attempt = 1; ; attempt++) {
    const record = await runSituation(situation)
    const { findings } = checkRound(record)
    const isMissed = findings.some(({ rule }) => rule === 'situation')
    if (isMissed && attempt < attemptsMax) continue
    const s = (performance.now() - start_ms) / 1000
    return { name: situation.name, s, isMissed, findings: findings.map((finding) => describeFinding(finding, record)) }
  }
}
