import type { AnyDesign } from '../../design/design.ts'
import { grouped } from '../../grouped.ts'
import { code, codes, prose, table } from './markdown.ts'
import { itemLink, thingsOf } from './thing.ts'

interface Added {
  readonly why: string
  readonly item?: string
  readonly attribute?: string
  readonly pattern?: string
}

function addedItems({ form }: AnyDesign): Added[] {
  return [...form.entities.values()].flatMap((entity) =>
    entity.form.addition === undefined ? [] : [{ why: entity.form.addition, item: itemLink(entity) }],
  )
}

/** Derived items have attributes of their owner, so they are left out. Of an edge's items only the first with an attribute is listed. */
function addedAttributes(design: AnyDesign): Added[] {
  return thingsOf(design).flatMap(({ items }) => {
    const found = items.flatMap((item) => Object.entries(item.attributes).map(([name, { why }]) => ({ name, why, of: item.name })))
    const first = new Map(found.toReversed().map((each) => [each.name, each]))
    return [...first.values()].toReversed().flatMap(({ name, why, of }) => (why === undefined ? [] : [{ why, attribute: `${of}.${name}` }]))
  })
}

function addedPatterns({ form }: AnyDesign): Added[] {
  return [...form.patterns.values()].flatMap(({ name, addition }) => (addition === undefined ? [] : [{ why: addition, pattern: name }]))
}

/** The additions to the source document, by reason. */
export function additionSection(design: AnyDesign): string[] {
  const all = [...addedItems(design), ...addedAttributes(design), ...addedPatterns(design)]
  if (all.length === 0) return []
  const rows = [...grouped(all, ({ why }) => why)].map(([why, added]) => [
    prose(why),
    added.flatMap(({ item }) => item ?? []).join(', '),
    codes(added.flatMap(({ attribute }) => attribute ?? [])),
    codes(added.flatMap(({ pattern }) => pattern ?? [])),
  ])
  return [
    '## Additions',
    'The source document does not have these. No added item lies in a range that one of its access patterns reads.',
    table(['why', 'items', 'attributes', 'access patterns'], rows),
  ]
}

/** The parts that a deployer may leave out. */
export function featureSection({ features, form }: AnyDesign): string[] {
  const rows = Object.entries(features).map(([name, parts]) => {
    const gone = [...form.patterns.values()].filter(({ entities }) => entities.every((entity) => parts.includes(entity)))
    return [code(name), parts.map(itemLink).join(', '), codes(gone.map((pattern) => pattern.name))]
  })
  if (rows.length === 0) return []
  return [
    '## Features',
    'A deployer may leave these parts out. Nothing else needs them. Their items that are already in the table stay there.',
    table(['feature', 'items left out', 'access patterns left out'], rows),
  ]
}
