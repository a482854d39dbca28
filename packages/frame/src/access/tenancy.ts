import type { Entity } from '@freehold/table'
import { readRange } from '../decision/load.ts'
import { parseRecords } from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import type { Pair } from './chain.ts'
import type { Declared, Tenancy } from './declared.ts'
import { type Fields, type Link, placeIn, tiedIds } from './link.ts'
import { type Ids, isLack, type Sort } from './tie.ts'

// Within a tenant, a subject has to be of the tenant, and of a part of it that was asked for a member. What denies is told with all that is wrong with it.

type Look = (entity: Entity, id: Ids, sort: Sort, rests: readonly string[]) => Link | undefined

/** True for an item that is of this tenant, or says nothing of one. */
export const isOfTenant = ({ by }: Tenancy, item: Fields, tenant: string): boolean => item[by] === undefined || item[by] === tenant

/** A part of a place. */
export function partAt({ place, within: part }: Declared, look: Look, { place: at, within }: Pick<Pair, 'place' | 'within'>) {
  if (part === undefined || within === undefined) return undefined
  return look(part.entity, { [part.ofPlace.by[place.id] ?? '']: at, [part.id]: within }, 'fact', [])
}

/** What ties a subject to a part of a place. Whatever is wrong with that, the subject is no member. */
export function memberAt({ subject, within: part, tenancy }: Declared, look: Look, pair: Pair): Link | undefined {
  if (part === undefined || pair.within === undefined || tenancy === undefined) return undefined
  const { entity, near, far } = part.member
  const read = look(entity, tiedIds(near, { [part.id]: pair.within }, far, { [subject.id]: pair.subject }), 'fact', [tenancy.by])
  if (read?.result.state !== 'found') return read
  const { item } = read.result
  // The id of a part is unique within its place alone. A membership that says no tenant is of that of its subject.
  if (item[tenancy.by] === pair.place) return read
  const state = isOfTenant(tenancy, item, pair.place) ? 'found' : 'denies'
  return { ...read, state, result: { state: 'found', item: { [tenancy.by]: pair.place, ...item } } }
}

/** Groups that are read before it is known which of them a subject is in. Of more, the requests would cost more than the round trip that they save. */
const groupsAheadMax = 250

/** The groups of a tenant; none if it has more than are read ahead. */
export function groupsOfTenant({ place, grants: [route] }: Declared, { tied }: Tenancy, sources: Sources, tenant: string) {
  const [group] = route?.ties ?? []
  if (group === undefined || isLack(group.toFar)) return []
  const { side, last } = group.toFar
  const { partition, range } = placeIn(group.toFar, group.near, { [place.id]: tenant })
  return sources.definitions.take(`first ${side.name} of ${tenant}`, async (): Promise<readonly Ids[]> => {
    const { items, isLast } = await readRange(sources.runtime, partition, range, { limit: groupsAheadMax })
    const [id = ''] = Object.keys(tied.roles.near.by)
    return isLast ? parseRecords(side, items).found.map((item: Fields) => ({ [id]: String(item[last]) })) : []
  })
}

const none: readonly Link[] = []

/** All that is wrong with a subject or a place, each as a link of its own. */
export function refusals({ where, tenancy, subject }: Declared, link: Link | undefined, tenant: string, now_ms: number): readonly Link[] {
  if (link?.result.state !== 'found') return none
  const { entity, result, end } = link
  const { item } = result
  const isForeign = entity === subject.entity && tenancy !== undefined && item[tenancy.ofSubject] !== tenant
  if (link.state === 'found' && !isForeign) return none
  const states = {
    inactive: Object.entries(where.get(entity.name) ?? {}).some(([name, value]) => item[name] !== value),
    expired: end !== undefined && end.at_ms <= now_ms,
    denies: isForeign,
  }
  return (['inactive', 'expired', 'denies'] as const).flatMap((state) => (states[state] ? [{ ...link, state }] : []))
}
