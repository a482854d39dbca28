import type { Proof } from '../../analyse/prove.ts'
import { countsOf, shownOfAll } from '../../analyse/report.ts'
import { code, prose, table } from './markdown.ts'

/** The result of the proof, and its findings. */
export function proofSection(proof: Proof): string[] {
  const { isProven, findings } = proof
  const verdict = isProven ? `Proven: ${countsOf(proof)}.` : `**Not proven**: ${countsOf(proof)}.`
  const rows = findings.map(({ severity, code: name, subject, message }) => [severity, code(name), code(subject), prose(message)])
  return [
    '## Proofs',
    isProven ? `${verdict} ${prose(shownOfAll)}` : verdict,
    ...(rows.length === 0 ? [] : [table(['severity', 'finding', 'about', 'meaning'], rows)]),
  ]
}
