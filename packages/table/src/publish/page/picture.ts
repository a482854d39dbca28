import type { AnyDesign } from '../../design/design.ts'
import type { Reference } from '../../design/form.ts'
import { ownerOf } from '../../design/relations.ts'
import { type Thing, thingsOf } from './thing.ts'

/** A name between quotes as Mermaid takes it. It obeys quotes, backslashes, percent signs, semicolons and HTML even there, so all such are replaced. */
const quoted = (text: string) => `"${text.replace(/[^\p{L}\p{N} _.,()-]/gu, '_')}"`

/** A box goes by the first of its items: the others stand in the table of keys. */
const box = ({ items }: Thing) => quoted(items[0]?.name ?? '')

/** `from` refers to `to`: solid where it goes with it, dotted where it refuses or stays. */
function referenceLine(from: Thing, to: Thing, { attribute, onRemove, by }: Reference): string {
  const { attributes } = from.items[0] ?? {}
  const mayBeAbsent = Object.values(by).some((own) => attributes?.[own]?.presence === 'optional')
  const words = { cascade: attribute, refuse: `${attribute} (refuses)`, keep: `${attribute} (stays)` }[onRemove]
  return `${box(to)} ${mayBeAbsent ? '|o' : '||'}${onRemove === 'cascade' ? '--' : '..'}o{ ${box(from)} : ${quoted(words)}`
}

/**
 * The entities of a design and what they refer to, as a Mermaid diagram. An edge between two ends is a line between them, labelled with its
 * items, unless something refers to it; guards and mirrors are left to the tables.
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
