import type { Entity } from '@freehold/table'
import type { LoadResult, Records } from '../decision/record.ts'
import type { Group, Groups, Pair } from './chain.ts'
import type { Declared, Spec } from './declared.ts'
import { type Fields, filled, idsIn, type Link, textOf, tiedIds } from './link.ts'
import type { Reads } from './reads.ts'
import type { Route } from './route.ts'
import { type Ids, isLack, type Sort, type Tie } from './tie.ts'

const noGrants: ReadonlyMap<string, Fields> = new Map()
export const noGroups: Groups = { all: [], unusable: [] }

/** Looks at the groups of subjects, as far as they have been read. */
export function lookingAtGroups(
  { subject: subjectNode, place: placeNode }: Declared,
  reads: Reads,
  ofTenant: (tie: Link | undefined, place: string) => Link | undefined,
  specOfTie: (tie: Tie) => Spec,
  linked: (spec: Spec, entity: Entity, id: Ids, result: LoadResult<unknown>) => Link,
  look: (spec: Spec, entity: Entity, id: Ids, sort: Sort) => Link | undefined,
) {
  /** The item by which a subject is in a group. */
  const outerAt = (outer: Tie, own: Ids, ids: Ids) => {
    const side = isLack(outer.toNear) ? outer.entity : outer.toNear.side
    return look(specOfTie(outer), side, tiedIds(outer.near, ids, outer.far, own), 'fact')
  }

  /** The groups of a subject, each with the item that says so: all of them, or these alone. What is not read yet is undefined. */
  const groupsOf = ({ ties: [, outer], copied }: Route, pair: Pair, via: readonly Ids[] | undefined, hub?: Ids): Groups | undefined => {
    if (outer === undefined || isLack(outer.toNear)) return noGroups
    const own: Ids = { [subjectNode.id]: pair.subject }
    if (via !== undefined)
      return { all: via.map((ids) => ({ ids, tie: ofTenant(outerAt(outer, own, ids), pair.place) })), unusable: noGroups.unusable }
    const { side } = outer.toNear
    const range = reads.range(outer.toNear, outer.far, own, 'fact', copied && hub && filled(copied, hub))
    if (range === undefined) return undefined
    const all: Group[] = []
    for (const item of range.found as readonly Fields[]) {
      const ids = idsIn(outer.near, item)
      if (ids === undefined) continue
      const id = tiedIds(outer.near, ids, outer.far, own)
      all.push({ ids, tie: ofTenant(linked(specOfTie(outer), side, id, { state: 'found', item }), pair.place) })
    }
    return { all, unusable: range.unusable }
  }

  /** The groups of a subject, each with its place: as the item says by which the subject is in it, or as the group itself. */
  const groupsWithPlaces = (route: Route, subject: string): readonly { readonly ids: Ids; readonly at: string }[] => {
    const { copied, ties } = route
    const [inner, outer] = ties
    if (outer === undefined || isLack(outer.toNear)) return []
    const { side } = outer.toNear
    const range = reads.range(outer.toNear, outer.far, { [subjectNode.id]: subject }, 'fact')
    if (range !== undefined) reads.keep(side, range)
    return (range?.found ?? []).flatMap((item: Fields) => {
      const ids = idsIn(outer.near, item)
      const node = ids === undefined || copied !== undefined ? undefined : look(specOfTie(inner), inner.entity, ids, 'definition')
      const told =
        copied === undefined ? (node?.result.state === 'found' ? idsIn(inner.near, node.result.item) : undefined) : idsIn(copied, item)
      const at = told?.[placeNode.id]
      return ids === undefined || at === undefined ? [] : [{ ids, at }]
    })
  }

  const byGroups = new Map<object, ReadonlyMap<string, Fields>>()
  /** What is granted at a hub, by group. All candidates of a page ask for the same. */
  const grantsByGroup = ({ far }: Tie, granted: Records<Fields> | undefined): ReadonlyMap<string, Fields> => {
    if (granted === undefined) return noGrants
    const known = byGroups.get(granted) ?? new Map(granted.found.map((item) => [textOf(idsIn(far, item) ?? {}), item]))
    byGroups.set(granted, known)
    return known
  }

  return { groupsOf, groupsWithPlaces, grantsByGroup }
}
