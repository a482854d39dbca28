import { type Attribute, type Attributes, type Entity, record, text } from '@freehold/table'
import { compareKeys, keyPlaceholders } from '@freehold/table/runtime'
import type { Chain, Finding } from './chain.ts'
import type { Declared, Node, Shown } from './declared.ts'

// What lists tell of each subject or place: its id, or the attributes that the declaration names, and the item by which it is granted.

/** By the item that grants. */
export function grantedIn({ grantedBy }: Shown, { links, holder }: Chain): { readonly grantedBy?: Readonly<Record<string, string>> } {
  if (grantedBy === undefined) return {}
  const held = holder()
  const link = held.entity === grantedBy ? held : links().find(({ entity }) => entity === grantedBy)
  return link === undefined ? {} : { grantedBy: link.id }
}

const attributeOf = (entity: Entity, name: string): Attribute => entity.attributes[name] ?? text()

/** The values of an item of a list. Within a tenant, another program may have left out all but ids. */
export function valuesShown({ subject, place, within, routes, shows, tenancy, until }: Declared): {
  readonly subject: Attributes
  readonly place: Attributes
  readonly all: Attributes
  /** The id of a subject. */
  readonly id: Attributes
} {
  const { grantedBy } = shows
  const ids = { [subject.field]: attributeOf(subject.entity, subject.id), [place.field]: attributeOf(place.entity, place.id) }
  const mayLack = ({ entity, id }: Node, own: string): Attribute => {
    // As in `optional`, only the presence differs.
    const attribute = { ...attributeOf(entity, own), description: undefined, presence: own === id ? 'given' : 'optional' }
    return attribute as unknown as Attribute
  }
  const of = (node: Node, names: Shown['subject']): Attributes =>
    names === undefined
      ? ids
      : Object.fromEntries(
          Object.entries(names).map(([told, own]) => [told, tenancy === undefined ? attributeOf(node.entity, own) : mayLack(node, own)]),
        )
  const hasEnd = (tenancy === undefined && until.size > 0) || routes.some(({ ties }) => ties.some(({ until }) => until !== undefined))
  const keyOf = (entity: Entity) => record(Object.fromEntries(keyPlaceholders(entity).map((name) => [name, attributeOf(entity, name)])))
  const all: Attributes = { ...(grantedBy && { grantedBy: keyOf(grantedBy) }), ...(hasEnd && { until: text().optional() }) }
  const parts: Attributes =
    within === undefined
      ? {}
      : Object.fromEntries(Object.entries(shows.within ?? {}).map(([told, own]) => [told, mayLack({ ...within, id: '' }, own)]))
  const [idTold] = Object.entries(shows.subject ?? {}).find(([, own]) => own === subject.id) ?? []
  return {
    ...{ subject: of(subject, shows.subject), place: { ...parts, ...of(place, shows.place) }, all },
    id: idTold === undefined ? {} : { [idTold]: mayLack({ ...subject, id: '' }, subject.id) },
  }
}

/** The values of an item, by the names under which they are told. */
export function shownOf(names: Shown['subject'], item: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const all: Record<string, unknown> = {}
  for (const name in names) {
    const value = item[names[name] ?? '']
    if (value !== undefined) all[name] = value
  }
  return all
}

/** The item by which it is granted, and until when. */
export const grantedAs = (shows: Shown, chain: Chain) => ({ ...grantedIn(shows, chain), ...(chain.end && { until: chain.end.text }) })

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
  const told = names === undefined ? { [subject.field]: pair.subject, [place.field]: pair.place } : shownOf(names, item)
  return Object.assign(told, grantedAs(shows, chain))
}

/** Where actions are flags: what permissions are for, in its order, each with what any of them allows. */
export function permissionsShown({ tenancy }: Declared, chains: readonly Chain[]) {
  const all = new Map<string, Record<string, boolean>>()
  const flags = Object.values(tenancy?.flags ?? {})
  for (const { permissions = [] } of chains)
    for (const [on, item] of permissions) {
      const known = all.get(on)
      all.set(on, Object.fromEntries(flags.map((flag) => [flag, known?.[flag] === true || item[flag] === true])))
    }
  return [...all]
    .filter(([, allowed]) => Object.values(allowed).includes(true))
    .sort(([one], [other]) => compareKeys(one, other))
    .map(([id, allowed]) => ({ id, item: { [tenancy?.attribute ?? '']: id, ...allowed } }))
}
