import type { PatternProof } from '../../analyse/pattern-proof.ts'
import type { Proof } from '../../analyse/prove.ts'
import type { CompiledPattern } from '../../design/compiled-pattern.ts'
import type { AnyDesign } from '../../design/design.ts'
import { code, link, prose, table } from './markdown.ts'
import { lastSign, requestWords } from './request-words.ts'
import { itemLink } from './thing.ts'

/** The letter that stands for a cost. */
function letterOf(costs: readonly string[], { cost }: PatternProof): string {
  return String.fromCodePoint('A'.charCodeAt(0) + costs.indexOf(cost))
}

function patternTable(patterns: readonly CompiledPattern[], proofs: ReadonlyMap<string, PatternProof>, costs: readonly string[]): string {
  const rows = patterns.map((pattern) => {
    const proof = proofs.get(pattern.name)
    return [
      code(pattern.name),
      requestWords(pattern),
      pattern.entities.map(itemLink).join(', '),
      proof === undefined ? '' : letterOf(costs, proof),
    ]
  })
  return table(['pattern', 'request', 'returns', 'cost'], rows)
}

const legend =
  `Each is one GetItem or one Query; the placeholders in braces are its parameters. ${code(lastSign)} stands for U+10FFFF, the last character, ` +
  `which no key contains: a range from ${code('X#')} to ${code(`X#${lastSign}`)} is all keys that begin with ${code('X#')}. Lists go ` +
  'on page by page.'

/** Every access pattern with its request, results and cost. Those of the document come first, then the additions. */
export function patternSection({ form }: AnyDesign, { patterns: proven }: Proof): string[] {
  const patterns = [...form.patterns.values()]
  const proofs = new Map(proven.map((proof) => [proof.name, proof]))
  const costs = [...new Set(proven.map(({ cost }) => cost))]
  const documented = patterns.filter(({ addition }) => addition === undefined)
  const added = patterns.filter(({ addition }) => addition !== undefined)
  return [
    '## Access patterns',
    legend,
    `What a request costs:\n\n${costs.map((cost, index) => `- **${String.fromCodePoint('A'.charCodeAt(0) + index)}** ${prose(cost)}`).join('\n')}`,
    ...(documented.length === 0 ? [] : [patternTable(documented, proofs, costs)]),
    ...(added.length === 0
      ? []
      : [
          '### Added access patterns',
          `The source document does not have these. ${link('Additions', 'Additions')} gives the reasons.`,
          patternTable(added, proofs, costs),
        ]),
  ]
}
