import type { Entity } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import { type ListedRange, mergedRanges } from '../decision/merged-ranges.ts'
import { nameOf } from '../decision/question.ts'
import type { Sources } from '../decision/sources.ts'
import type { Hub } from './chain.ts'
import { type Declared, soleId } from './declared.ts'
import type { Looking } from './finding.ts'
import { idsIn, placeIn, textOf } from './link.ts'
import type { Reads } from './reads.ts'
import type { Route } from './route.ts'
import { type Ids, isLack, type Lack, type Listing, type Naming, ownNaming, type Sort, type Tie } from './tie.ts'
import type { Allowing } from './way.ts'

// Where lists find candidates: ranges of items that lead from a place to subjects, or from a subject to places. They only say where to look.

/** Where a list finds candidates: a range of items, and what their ids go with. */
export interface Source {
  readonly route: Route
  readonly listing: Listing
  /** The node by which the range lists. */
  readonly by: Naming
  readonly ids: Ids
  /** Places are found from these, the nearest first. */
  readonly above: readonly Ids[]
  readonly group?: Ids | undefined
  /** The role that the item of a candidate names. */
  readonly role?: readonly [Entity, Ids] | undefined
}

/** The role that an item of a tie names, as it lies in the table: what names none makes the item malformed once it is judged. */
function roleIn(allowing: Allowing | undefined, item: object): Source['role'] {
  if (allowing?.kind !== 'role') return undefined
  const { role, attribute } = allowing
  const told = Reflect.get(item, attribute)
  const id = typeof told === 'string' ? nameOf(role, soleId(role))(told) : undefined
  return typeof id === 'string' ? [role, { [soleId(role)]: id }] : undefined
}

const source = (route: Route, listing: Listing | Lack, by: Naming, ids: Ids, more: Partial<Source> = {}): readonly Source[] =>
  isLack(listing) ? [] : [{ route, listing, by, ids, above: [], ...more }]

/** The nodes that a range lists. */
function idsListed(reads: Reads, listing: Listing | Lack, by: Naming, ids: Ids, to: Naming, sort: Sort): readonly Ids[] {
  if (isLack(listing)) return []
  const range = reads.range(listing, by, ids, sort)
  return (range?.found ?? []).flatMap((item): readonly Ids[] => {
    const listed = idsIn(to, item)
    return listed === undefined ? [] : [listed]
  })
}

/** The nodes that ties list. Their groups and roles are read beside the candidates, since their confirmation wants them. */
function idsTied(reads: Reads, tie: Tie, from: 'near' | 'far', ids: Ids, group: Naming | undefined, sort: Sort): readonly Ids[] {
  const [listing, by, to] = from === 'near' ? [tie.toFar, tie.near, tie.far] : [tie.toNear, tie.far, tie.near]
  if (isLack(listing)) return []
  const { allowing } = tie
  for (const item of reads.range(listing, by, ids, sort)?.found ?? []) {
    const groupIds = group && idsIn(group, item)
    if (group !== undefined && groupIds !== undefined) reads.ahead(group.node, groupIds)
    const role = roleIn(allowing, item)
    if (role !== undefined) reads.ahead(...role)
  }
  return idsListed(reads, listing, by, ids, to, sort)
}

/** Where the subjects of a place are listed, as far as that is known. */
export function sourcesOfWho(
  reads: Reads,
  { grantors }: Looking,
  route: Route,
  hub: Hub | undefined,
  action: string,
  flag: string | undefined,
): readonly Source[] {
  const [inner, outer] = route.ties
  if (hub === undefined) return []
  if (outer === undefined) return source(route, inner.toFar, inner.near, hub.ids)
  // Items by which roles are tied to groups of a tenant name it.
  const isOwn = route.tied?.flagged !== undefined
  const all = isOwn ? [] : idsTied(reads, inner, 'near', hub.ids, route.tied === undefined ? inner.far : undefined, 'definition')
  const granting = grantors(route.tied, { action, flag, hub: hub.ids })
  const groups = isOwn ? [...(granting?.values() ?? [])] : granting === undefined ? all : all.filter((group) => granting.has(textOf(group)))
  if (route.tied !== undefined) for (const group of groups) reads.aheadTied(route.tied.ofGroup, group)
  return groups.flatMap((group) => source(route, outer.toFar, outer.near, group, { group }))
}

/** Where places are listed by what lies just above them: the last node of `above`, else a group, else the subject. */
function placesOf(route: Route, ids: Ids, above: readonly Ids[], group: Ids | undefined): readonly Source[] {
  const [first] = route.references
  const [{ toNear, far }] = route.ties
  return first === undefined ? source(route, toNear, far, ids, { group }) : source(route, first.down, first.to, ids, { above, group })
}

/** Where the places of a subject are listed, as far as that is known. */
export function sourcesOfWhere(reads: Reads, route: Route, subject: Ids): readonly Source[] {
  const [inner, outer] = route.ties
  const [first, ...further] = route.references
  const groups = outer === undefined ? [undefined] : idsTied(reads, outer, 'far', subject, outer.near, 'fact')
  return groups.flatMap((group) => {
    const from = group ?? subject
    if (first === undefined) return placesOf(route, from, [], group)
    const hubs = idsTied(reads, inner, 'far', from, undefined, group === undefined ? 'fact' : 'definition')
    // Down from the hub to what lies just above the places.
    const chains = further.reduceRight<readonly (readonly Ids[])[]>(
      (all, { down, to, from: node }) =>
        all.flatMap((above) => idsListed(reads, down, to, above[0] ?? {}, ownNaming(node), 'fact').map((ids) => [ids, ...above])),
      hubs.map((hub) => [hub]),
    )
    return chains.flatMap((above) => placesOf(route, above[0] ?? {}, above, group))
  })
}

/** Of more sources the memory would cost more than the round trip. */
const rememberedMax = 100

/** Where the places of a subject were listed the last time: a guess, which the read of its ties confirms or refutes. */
export function remembered({ names }: Sources, { grants: routes }: Declared, subject: string) {
  const name = `places of ${subject}`
  return {
    recall: (): readonly Source[] | undefined => {
      const text = names.get(name)
      if (text === undefined) return undefined
      // Only `keep` writes it.
      const all = JSON.parse(text) as (readonly [route: number, ids: Ids, above: readonly Ids[], group: Ids | null])[]
      return all.flatMap(([index, ids, above, group]) => {
        const route = routes[index]
        return route === undefined ? [] : placesOf(route, ids, above, group ?? undefined)
      })
    },
    keep: (all: readonly Source[]): void => {
      if (all.length > rememberedMax) return
      names.set(name, JSON.stringify(all.map(({ route, ids, above, group = null }) => [routes.indexOf(route), ids, above, group])))
    },
  }
}

const textOfSource = ({ route, ids, group }: Source) => `${route.name} ${textOf(ids)} ${group === undefined ? '' : textOf(group)}`

export function candidatesOf(sources: Sources, all: readonly Source[], after: string | undefined) {
  const once = [...new Map(all.map((each) => [textOfSource(each), each])).values()]
  const ranges = once.map((of): ListedRange<Source> => ({ of, ...placeIn(of.listing, of.by, of.ids) }))
  const tieOf = ({ route, listing }: Source) => route.ties.find(({ toFar, toNear }) => toFar === listing || toNear === listing)
  const allowing = new Map(once.map((of) => [of, tieOf(of)?.allowing]))
  const told = (of: Source, item: object): Source => {
    const role = roleIn(allowing.get(of), item)
    return role === undefined ? of : { ...of, role }
  }
  return mergedRanges(sources, (of) => of.listing.side, ranges, after, told)
}

export interface Candidates {
  readonly candidates: ReturnType<typeof candidatesOf>
  /** The members of a part of the place, as far as they were read. */
  readonly members?: ReturnType<typeof candidatesOf>
  readonly steps: number
}

/**
 * Candidates from the sources that are guessed, read side by side with what says which sources there are; read anew if the guess was wrong. It begins with one
 * round trip, and goes on when the function that it gives is called.
 * @param guessOf a guess, by those that are known without a read
 * @param settle reads what says so
 */
export async function guessed<T extends { readonly all: readonly Source[] }>(
  begin: (all: readonly Source[]) => Promise<Candidates>,
  guessOf: (known: readonly Source[]) => readonly Source[] | undefined,
  reads: Reads,
  settle: () => T,
): Promise<() => Promise<T & Candidates>> {
  const first = settle()
  const isKnown = !reads.isLacking()
  const guess = isKnown ? first.all : guessOf(first.all)
  const early = isKnown
    ? await begin(first.all)
    : (
        await parallel(
          async () => (guess === undefined ? undefined : begin(guess)),
          () => reads.readOnce(),
        )
      )[0]
  return async () => {
    const known = isKnown ? first : await reads.settle(settle)
    const isSame = isKnown || (guess !== undefined && guess.map(textOfSource).join() === known.all.map(textOfSource).join())
    if (early !== undefined && isSame) return { ...known, ...early }
    const [found] = await parallel(
      () => begin(known.all),
      () => reads.readAhead(),
    )
    return { ...known, ...found }
  }
}
