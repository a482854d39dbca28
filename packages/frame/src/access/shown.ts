import { type Attribute, type Attributes, type Entity, record, text } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { withoutAbsent } from '../decision/without-absent.ts'
import type { Chain, Finding } from './chain.ts'
import type { Declared, Node, Shown } from './declared.ts'

// What lists tell of each subject or place: its id, or the attributes that the declaration names, and the item by which it is granted.

/** By the item that grants. */
export function grantedIn({ grantedBy }: Shown, { links, holder }: Chain): { readonly grantedBy?: Readonly<Record<string, string>> } {
  if (grantedBy === undefined) return {}
  const link = holder().entity === grantedBy ? holder() : links().find(({ entity }) => entity === grantedBy)
  return link === undefined ? {} : { grantedBy: link.id }
}

const attributeOf = (entity: Entity, name: string): Attribute => entity.attributes[name] ?? text()

/** The values of an item of a list. */
export function valuesShown({ subject, place, routes, shows }: Declared): {
  readonly subject: Attributes
  readonly place: Attributes
  readonly all: Attributes
} {
  const { grantedBy } = shows
  const ids = { [subject.field]: attributeOf(subject.entity, subject.id), [place.field]: attributeOf(place.entity, place.id) }
  const of = ({ entity }: Node, names: Shown['subject']): Attributes =>
    names === undefined ? ids : Object.fromEntries(Object.entries(names).map(([told, own]) => [told, attributeOf(entity, own)]))
  const hasEnd = routes.some(({ ties }) => ties.some(({ until }) => until !== undefined))
  const keyOf = (entity: Entity) => record(Object.fromEntries(keyPlaceholders(entity).map((name) => [name, attributeOf(entity, name)])))
  const all: Attributes = { ...(grantedBy && { grantedBy: keyOf(grantedBy) }), ...(hasEnd && { until: text().optional() }) }
  return { subject: of(subject, shows.subject), place: of(place, shows.place), all }
}

/** An item of a list: of subjects at a place, or of places of a subject. */
export function itemShown(
  { subject, place, shows }: Declared,
  lists: 'subject' | 'place',
  finding: Finding,
  chain: Chain,
): Readonly<Record<string, unknown>> {
  const { pair } = finding
  const { result } = finding[lists] ?? {}
  const names = shows[lists]
  const item: Readonly<Record<string, unknown>> = result?.state === 'found' ? result.item : {}
  const told =
    names === undefined
      ? { [subject.field]: pair.subject, [place.field]: pair.place }
      : Object.fromEntries(Object.entries(names).map(([name, own]) => [name, item[own]]))
  return { ...told, ...grantedIn(shows, chain), ...withoutAbsent({ until: chain.end?.text }) }
}
