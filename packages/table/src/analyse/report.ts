import type { Finding } from './finding.ts'
import type { PartitionHeat } from './heat.ts'
import type { PatternProof } from './pattern-proof.ts'
import type { Proof } from './prove.ts'

/** Breaks text into lines behind an indent. */
type Wrap = (text: string, indent: number) => string[]

function plural(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

/** Lines of at most so many columns. A longer word gets its own line. */
function wrapAt(columns: number): Wrap {
  return (text, indent) => {
    const lines: string[] = []
    let line = ''
    for (const word of text.split(' ')) {
      if (line !== '' && indent + line.length + 1 + word.length > columns) {
        lines.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    return [...lines, line].map((each) => ' '.repeat(indent) + each)
  }
}

function section(title: string, blocks: readonly (readonly string[])[]): string[] {
  return blocks.length === 0 ? [] : ['', title, '', ...blocks.flat()]
}

function findingLines(wrapped: Wrap, { severity, code, subject, message }: Finding<string>): string[] {
  return [`  ${severity}  ${code}  ${subject}`, ...wrapped(message, 4), '']
}

function patternLines(wrapped: Wrap, { name, request, returns, addition }: PatternProof): string[] {
  const note = addition === undefined ? '' : ` (addition: ${addition})`
  return [`  ${name}`, ...wrapped(request, 4), ...wrapped(`returns ${returns.join(', ')}${note}`, 4)]
}

/** Each cost, followed by its patterns: most patterns have the same cost. */
function costLines(wrapped: Wrap, patterns: readonly PatternProof[]): string[][] {
  const costs = [...new Set(patterns.map(({ cost }) => cost))]
  return costs.map((cost) => {
    const alike = patterns.filter((pattern) => pattern.cost === cost)
    const verb = alike[0]?.operation === 'get' ? 'GetItem' : 'Query'
    return [...wrapped(`${verb}: ${cost}.`, 0), ...alike.flatMap((pattern) => patternLines(wrapped, pattern)), '']
  })
}

/** The partitions with the same heat and reason, followed by both. */
function heatLines(wrapped: Wrap, partitions: readonly PartitionHeat[]): string[][] {
  const sentences = ({ heat, reason, watch }: PartitionHeat) => `${heat}: ${reason}\n${watch}`
  return [...new Set(partitions.map(sentences))].map((text) => {
    const alike = partitions.filter((each) => sentences(each) === text)
    const places = alike.map(({ partition, index }) => (index === undefined ? partition : `${partition} in ${index}`))
    const width = Math.max(...places.map(({ length }) => length)) + 2
    const rows = alike.flatMap(({ entities }, row) => {
      const [first = '', ...rest] = wrapped(entities.join(', '), 2 + width)
      return [`  ${(places[row] ?? '').padEnd(width)}${first.trimStart()}`, ...rest]
    })
    return [...text.split('\n').flatMap((sentence) => wrapped(sentence, 0)), ...rows, '']
  })
}

/** The claim of a proof, as a sentence. */
export const shownOfAll =
  'This holds for every item that the kinds of attributes allow: each access pattern is one GetItem or one Query and returns only the ' +
  'entities that it names; no two keys collide; no addition enters a range of the source document; the dependants of an item are ' +
  "found from that item; every copy can follow its original; DynamoDB's limits hold."

/** `0 errors, 1 warning, 27 access patterns`. */
export function countsOf({ findings, patterns }: Proof<string>): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return [plural(errors, 'error'), plural(findings.length - errors, 'warning'), plural(patterns.length, 'access pattern')].join(', ')
}

/**
 * A proof as plain text for a person: the findings, then the cost and results of each access pattern, then the partitions.
 * @param columns the width of its lines
 */
export function describeProof(proof: Proof<string>, columns = 100): string {
  const { design, isProven, findings, patterns, partitions } = proof
  const wrapped = wrapAt(columns)
  const lines = [
    `${design} is ${isProven ? 'proven' : 'not proven'}: ${countsOf(proof)}`,
    ...(isProven ? ['', ...wrapped(shownOfAll, 0)] : []),
    ...section(
      'Findings',
      findings.map((finding) => findingLines(wrapped, finding)),
    ),
    ...section('Access patterns', costLines(wrapped, patterns)),
    ...section('Partitions, the hottest first', heatLines(wrapped, partitions)),
  ]
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`
}
