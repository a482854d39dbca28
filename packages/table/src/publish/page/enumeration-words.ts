import type { Enumeration, Known } from '../../design/relations.ts'
import type { Alternative } from '../../key/template.ts'
import { code, listed } from './markdown.ts'

/** What an attribute of a dependant is: in braces, an attribute of the item that it hangs on. */
function wordsFor({ attribute, otherwise }: Known = {}): string {
  if (attribute === undefined) return otherwise ?? ''
  return otherwise === undefined ? `{${attribute}}` : `{${attribute} or ${otherwise}}`
}

export function knownWords([name, known]: readonly [name: string, known: Known]): string {
  return code(`${name} = ${wordsFor(known)}`)
}

function filled({ segments }: Alternative, known: Enumeration['partition']): string {
  return segments.map(({ literal, placeholder }) => literal ?? wordsFor(known[placeholder ?? ''])).join('#')
}

/** Where what hangs on an item is found from it: the items, their partition, what their sort keys begin with. */
export function enumerationWords({ side, partition, sortPrefix, filters }: Enumeration): string {
  const [first] = side.form.key.partition.alternatives
  const kept = Object.entries(filters).map(knownWords)
  const key = `${first === undefined ? '' : filled(first, partition)}${sortPrefix === '' ? '' : ` / ${sortPrefix}…`}`
  return `${code(side.name)} at ${code(key)}${kept.length === 0 ? '' : ` where ${listed(kept)}`}`
}
