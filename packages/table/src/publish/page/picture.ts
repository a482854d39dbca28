import type { AnyDesign } from '../../design/design.ts'
import type { Reference } from '../../design/form.ts'
import { ownerOf } from '../../design/relations.ts'
import { type Thing, thingsOf } from './thing.ts'

/**
 * A quoted name for Mermaid. Even in quotes it interprets quotes, backslashes, percent signs, semicolons and HTML, so these are replaced.
 */
const quoted = (text: string) => `"${text.replace(/[^\p{L}\p{N} _.,()-]/gu, '_')}"`

/** The name of a box is that of its first item. The table of keys has the others. */
const box = ({ items }: Thing) => quoted(items[0]?.name ?? '')

/** `from` refers to `to`. The line is solid if `from` is removed with `to`, dotted if it refuses or stays. */
function referenceLine(from: Thing, to: Thing, { attribute, onRemove, by }: Reference): string {
  const { attributes } = from.items[0] ?? {}
  const mayBeAbsent = Object.values(by).some((own) => attributes?.[own]?.presence === 'optional')
  const words = { cascade: attribute, refuse: `${attribute} (refuses)`, keep: `${attribute} (stays)` }[onRemove]
  return `${box(to)} ${mayBeAbsent ? '|o' : '||'}${onRemove === 'cascade' ? '--' : '..'}o{ ${box(from)} : ${quoted(words)}`
}

/**
 * The entities of a design and their references, as a Mermaid diagram. An edge between two ends is a line between them, labelled with its
 * items, unless an entity refers to it. The diagram leaves out derived items.
 */
export function picture(design: AnyDesign): string {
  const things = thingsOf(design)
  const thingOf = new Map(things.flatMap((thing) => [...thing.items, ...thing.derivedItems].map((item) => [item, thing])))
  const target = ({ to }: Reference) => thingOf.get(to) ?? thingOf.get(ownerOf(to))
  const referred = new Set(things.flatMap((thing) => thing.references.map(target)))
  const lines = things.flatMap((thing): string[] => {
    const [one, other] = thing.references.map(target)
    if (thing.edge?.ends.length === 2 && one !== undefined && other !== undefined && !referred.has(thing))
      return [`${box(one)} }o--o{ ${box(other)} : ${quoted(thing.items.map(({ name }) => name).join(', '))}`]
    const references = thing.references.flatMap((reference) => {
      const to = target(reference)
      return to === undefined ? [] : [referenceLine(thing, to, reference)]
    })
    return [box(thing), ...references]
  })
  return ['```mermaid', 'erDiagram', ...[...new Set(lines)].map((line) => `  ${line}`), '```'].join('\n')
}
