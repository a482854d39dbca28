import type { AnyDesign } from '../../design/design.ts'
import type { Kind } from '../../kind/kind.ts'
import { attributeTable } from './attribute-table.ts'
import { keyTable } from './key-table.ts'
import { kindMeanings } from './kind-words.ts'
import { code, codes, listed, prose } from './markdown.ts'
import { itemLink, type Thing, thingsOf } from './thing.ts'

function edgeWords({ edge, items }: Thing): string {
  if (edge === undefined) return ''
  const ends = edge.ends.map(({ to, attribute }) => `${itemLink(to)} (${code(attribute)})`)
  const one = ends.length === 1 ? `Belongs to one ${ends[0]}, and is stored` : `One relationship of ${listed(ends)}, stored`
  const within = edge.within === undefined ? '' : ` It lies within ${itemLink(edge.within)}: it needs that edge, and is removed with it.`
  return `${one} as ${items.length} items, which are written and removed together.${within}`
}

function featureWords({ features }: AnyDesign, { items }: Thing): string {
  const names = Object.entries(features).flatMap(([name, parts]) => (items.some((item) => parts.includes(item)) ? [name] : []))
  return names.length === 0 ? '' : `Part of the feature ${codes(names)}.`
}

/** Facts that a reader should know before the tables. */
function facts(design: AnyDesign, thing: Thing): string {
  const { appendOnly = false, expires, sequence } = thing.items[0]?.form ?? {}
  return [
    edgeWords(thing),
    appendOnly ? 'Append-only: written once; updates and removals are refused.' : '',
    sequence === undefined ? '' : `A sequence: only taking numbers changes it, and ${code(sequence)} is the last one taken.`,
    expires === undefined ? '' : `Expires at ${code(expires)}, from which ${code('ttl')} is written.`,
    featureWords(design, thing),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** The kinds of a design's attributes that need an explanation. */
function kindsOf({ form }: AnyDesign): string {
  const kinds = new Set(
    [...form.entities.values()].flatMap(({ attributes }) => Object.values(attributes).map(({ kind }): Kind['name'] => kind.name)),
  )
  return Object.entries(kindMeanings)
    .filter(([name]) => kinds.has(name))
    .map(([name, meaning]) => `- *${name}*: ${prose(meaning)}`)
    .join('\n')
}

const legend = [
  'Every item has the name of its entity as `Type`, a `version` that counts its writes, and `deleting` while it is being removed. It also has `writeId`, the random id of its last write, which reads do not return (an addition: after a lost answer it shows whether a write was applied).',
  'A *uniqueness guard* is an item whose key only one owner can have. A *lookup item* is another key by which its owner is found. Both are written, changed and removed with their owner, in one transaction.',
  'A value is *given* when the item is created, *optional*, has a *default*, or is a *copy* that follows its original.',
  'A *secret* is returned only if a caller asks for it by name, and never logged.',
]

/** Every entity with its keys and attributes. */
export function entitySection(design: AnyDesign): string[] {
  const each = thingsOf(design).flatMap((thing) => [
    `### ${prose(thing.heading)}`,
    facts(design, thing),
    keyTable(thing),
    attributeTable(thing),
  ])
  return ['## Entities', legend.map((line) => `- ${line}`).join('\n'), `The kinds:\n\n${kindsOf(design)}`, ...each]
}
