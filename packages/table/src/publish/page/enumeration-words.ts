import type { Enumeration, Known } from '../../design/relations.ts'
import { type Alternative, segmentText } from '../../key/template.ts'
import { code, listed } from './markdown.ts'

/** The value of a dependant's attribute. Braces name an attribute of the removed item. */
function wordsFor({ attribute, otherwise }: Known = {}): string {
  if (attribute === undefined) return otherwise ?? ''
  return otherwise === undefined ? `{${attribute}}` : `{${attribute} or ${otherwise}}`
}

export function knownWords([name, known]: readonly [name: string, known: Known]): string {
  return code(`${name} = ${wordsFor(known)}`)
}

function filled({ segments }: Alternative, known: Enumeration['partition']): string {
  return segments.map((segment) => segmentText(segment, wordsFor(known[segment.placeholder ?? '']))).join('#')
}

/** How the dependants of an item are found: their entity, their partition and the prefix of their sort keys. */
export function enumerationWords({ side, partition, sortPrefix, filters }: Enumeration): string {
  const [first] = side.form.key.partition.alternatives
  const kept = Object.entries(filters).map(knownWords)
  const key = `${first === undefined ? '' : filled(first, partition)}${sortPrefix === '' ? '' : ` / ${sortPrefix}…`}`
  return `${code(side.name)} at ${code(key)}${kept.length === 0 ? '' : ` where ${listed(kept)}`}`
}
