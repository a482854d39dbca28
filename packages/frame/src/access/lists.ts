import { type Entity, FreeholdError } from '@freehold/table'
import { grouped, keyPlaceholders, parallel } from '@freehold/table/runtime'
import { confirmedPage } from '../decision/confirmed-page.ts'
import type { AnswerPage, Reason } from '../decision/decision.ts'
import type { Listed } from '../decision/list.ts'
import { type Name, resolveNames } from '../decision/lookup.ts'
import { type Candidate, type ListedRange, mergedRanges } from '../decision/merged-ranges.ts'
import type { LoadResult } from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import { withoutAbsent } from '../decision/without-absent.ts'
import { type Asked, lookupOf } from './answers.ts'
import { type Declared, soleId } from './declared.ts'
import { allowing, type Finding, type Hub, idsIn, lookingAt, type Pair, placeIn, rememberHub, textOf } from './finding.ts'
import { type Reads, readsOf, type Sort } from './reads.ts'
import { closedReason } from './reason.ts'
import { type Ids, isLack, type Lack, type Listing, type Naming, type Route, type Tie } from './route.ts'

/** Where a list finds candidates: a range of items, and what their ids go with. */
interface Source {
  readonly route: Route
  readonly listing: Listing
  /** The node by which the range lists. */
  readonly by: Naming
  readonly ids: Ids
  /** Places are found from these, the nearest first. */
  readonly above: readonly Ids[]
  readonly group?: Ids | undefined
}

/** What an incomplete list lacks, by the question. */
export function lacksOf(question: 'who' | 'where', { references, ties }: Route): readonly Lack[] {
  const [inner, outer] = ties
  const all =
    question === 'who'
      ? [(outer ?? inner).toFar]
      : [...(outer === undefined ? [inner.toNear] : [inner.toNear, outer.toNear]), ...references.map(({ down }) => down)]
  return all.filter(isLack)
}

function checkComplete(question: 'who' | 'where', { grants, design }: Declared): void {
  const [lack] = grants.flatMap((route) => lacksOf(question, route))
  if (lack === undefined) return
  throw new FreeholdError(
    'InvalidDesign',
    `${question} cannot be complete: no items of ${design.name} list each ${lack.lists} by ${lack.by}. Add ${lack.addition}; \`freehold prove\` names all.`,
  )
}

const source = (route: Route, listing: Listing | Lack, by: Naming, ids: Ids, more: Partial<Source> = {}): readonly Source[] =>
  isLack(listing) ? [] : [{ route, listing, by, ids, above: [], ...more }]

/** The nodes that a range lists. */
function idsListed(reads: Reads, listing: Listing | Lack, by: Naming, ids: Ids, to: Naming, sort: Sort): readonly Ids[] {
  if (isLack(listing)) return []
  const range = reads.range(listing.side, placeIn(listing, by, ids), sort)
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
  for (const item of reads.range(listing.side, placeIn(listing, by, ids), sort)?.found ?? []) {
    const groupIds = group && idsIn(group, item)
    if (group !== undefined && groupIds !== undefined) reads.ahead(group.node, groupIds)
    const id = allowing?.kind === 'role' ? Reflect.get(item, allowing.attribute) : undefined
    if (allowing?.kind === 'role' && typeof id === 'string') reads.ahead(allowing.role, { [soleId(allowing.role)]: id })
  }
  return idsListed(reads, listing, by, ids, to, sort)
}

const ownNames = (node: Entity): Naming => ({ node, by: Object.fromEntries(keyPlaceholders(node).map((name) => [name, name])) })

/** Where the subjects of a place are listed, as far as that is known. */
function sourcesOfWho(reads: Reads, route: Route, hub: Hub | undefined): readonly Source[] {
  const [inner, outer] = route.ties
  if (hub === undefined) return []
  if (outer === undefined) return source(route, inner.toFar, inner.near, hub.ids)
  const groups = idsTied(reads, inner, 'near', hub.ids, inner.far, 'definition')
  return groups.flatMap((group) => source(route, outer.toFar, outer.near, group, { group }))
}

/** Where places are listed by what lies just above them: the last node of `above`, else a group, else the subject. */
function placesOf(route: Route, ids: Ids, above: readonly Ids[], group: Ids | undefined): readonly Source[] {
  const [first] = route.references
  const [{ toNear, far }] = route.ties
  return first === undefined ? source(route, toNear, far, ids, { group }) : source(route, first.down, first.to, ids, { above, group })
}

/** Where the places of a subject are listed, as far as that is known. */
function sourcesOfWhere(reads: Reads, route: Route, subject: Ids): readonly Source[] {
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
        all.flatMap((above) => idsListed(reads, down, to, above[0] ?? {}, ownNames(node), 'fact').map((ids) => [ids, ...above])),
      hubs.map((hub) => [hub]),
    )
    return chains.flatMap((above) => placesOf(route, above[0] ?? {}, above, group))
  })
}

/** Of more sources the memory would cost more than the round trip. */
const rememberedMax = 100

/** Where the places of a subject were listed the last time: a guess, which the read of its ties confirms or refutes. */
function remembered({ names }: Sources, { grants: routes }: Declared, subject: string) {
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

function candidatesOf(sources: Sources, all: readonly Source[], after: string | undefined) {
  const once = [...new Map(all.map((each) => [textOfSource(each), each])).values()]
  const ranges = once.map((of): ListedRange<Source> => ({ of, ...placeIn(of.listing, of.by, of.ids) }))
  return mergedRanges(sources, (of) => of.listing.side, ranges, after)
}

interface Candidates {
  readonly candidates: ReturnType<typeof candidatesOf>
  readonly steps: number
}

/**
 * Candidates from the sources that are guessed, read side by side with what says which sources there are; read anew if the guess was wrong.
 * @param settle reads what says so
 */
async function guessed<T extends { readonly all: readonly Source[] }>(
  begin: (all: readonly Source[]) => Promise<Candidates>,
  guess: readonly Source[] | undefined,
  reads: Reads,
  settle: () => T,
): Promise<T & Candidates> {
  const [known, early] = await parallel(
    () => reads.settle(settle),
    async () => (guess === undefined ? undefined : begin(guess)),
  )
  const isSame = guess !== undefined && guess.map(textOfSource).join() === known.all.map(textOfSource).join()
  if (early !== undefined && isSame) return { ...known, ...early }
  const [found] = await parallel(
    () => begin(known.all),
    () => reads.readAhead(),
  )
  return { ...known, ...found }
}

interface AskedList {
  readonly lists: 'subject' | 'place'
  /** The id of the other one. */
  readonly of: string
}

/** What is found of candidates, in their order. One round trip, and one more for roles that are not in memory. */
export async function confirmedAt(
  declared: Declared,
  sources: Sources,
  { lists, of: other }: AskedList,
  batch: readonly Candidate<Source>[],
  flaws: LoadResult<unknown>[],
): Promise<readonly Finding[]> {
  const pairs = batch.map(([id, all]): Pair => {
    const pair = lists === 'subject' ? { subject: id, place: other } : { subject: other, place: id }
    for (const { route, above } of all) rememberHub(sources, route, pair.place, above)
    const groups = grouped(all, ({ route }) => route)
    const by = [...groups].map(
      ([route, of]) => [route, of.flatMap(({ group }): readonly Ids[] => (group === undefined ? [] : [group]))] as const,
    )
    return { ...pair, by: new Map(by) }
  })
  const reads = readsOf(sources)
  const looking = lookingAt(declared, sources, reads)
  const findings = await reads.settle(() => pairs.map(looking.find))
  for (const each of reads.all()) flaws.push(each)
  return findings
}

/** A page of the candidates that `can` would allow: of subjects at a place, or of places of a subject. */
async function pageOf(
  declared: Declared,
  sources: Sources,
  list: Listed,
  asked: AskedList & { readonly action: string },
  { candidates, steps }: Candidates,
  flaws: LoadResult<unknown>[],
): Promise<AnswerPage<unknown>> {
  const { subject, place } = declared
  const confirm = async (batch: readonly Candidate<Source>[]) =>
    (await confirmedAt(declared, sources, asked, batch, flaws)).flatMap((finding) => {
      const [chain] = allowing(finding, asked.action)
      return chain === undefined ? [] : [{ ...finding.pair, until: chain.end?.text }]
    })
  const page = await confirmedPage(list, candidates, steps, confirm, (pair) => pair[asked.lists], flaws)
  const items = page.items.map((pair) => ({
    [subject.field]: pair.subject,
    [place.field]: pair.place,
    ...withoutAbsent({ until: pair.until }),
  }))
  return { ...page, items }
}

const closedPage = (list: Listed, flaws: readonly LoadResult<unknown>[], reason: Reason | undefined) =>
  list.page([], undefined, flaws, reason)

/**
 * One page of the distinct subjects who may do this at a place, in the order of their ids. It takes two round trips with warm definitions. Cold, each of these
 * takes one more: groups, roles, a reference from a place that is new, a new name. Candidates that do not count take more, too.
 */
export async function who(declared: Declared, sources: Sources, asked: Omit<Asked, 'subject'>, list: Listed): Promise<AnswerPage<unknown>> {
  checkComplete('who', declared)
  const { grants: routes, place: node } = declared
  const { ids, unusable, read } = await resolveNames({ place: lookupOf(sources, node, asked.place) }, async ({ place }) => {
    const reads = readsOf(sources)
    const looking = lookingAt(declared, sources, reads)
    const all = () => routes.flatMap((route) => sourcesOfWho(reads, route, looking.hubOf(route, place, false)))
    const begin = async (from: readonly Source[]) => {
      const candidates = candidatesOf(sources, from, list.after)
      return { candidates, steps: await candidates.read(list.limit + 1, 1) }
    }
    // What is remembered of the place says which hubs to begin with.
    const found = await guessed(begin, all(), reads, () => ({ all: all(), link: looking.placeAt(place) }))
    return { ...found, flaws: [...reads.all()] }
  })
  const reason = closedReason(unusable, [{ node, name: asked.place, id: ids.place, link: read?.link }])
  if (read === undefined || read.link?.state !== 'found') return closedPage(list, [...unusable, ...(read?.flaws ?? [])], reason)
  return pageOf(declared, sources, list, { lists: 'subject', of: ids.place ?? '', action: asked.action }, read, read.flaws)
}

/** The places that might be granted to a subject, with the subject. */
export function placesListed(declared: Declared, sources: Sources, name: Name, after: string | undefined, count: number) {
  checkComplete('where', declared)
  const { grants: routes, subject: node } = declared
  return resolveNames({ subject: lookupOf(sources, node, name) }, async ({ subject }) => {
    const reads = readsOf(sources)
    const looking = lookingAt(declared, sources, reads)
    const all = () => routes.flatMap((route) => sourcesOfWhere(reads, route, { [node.id]: subject }))
    const begin = async (from: readonly Source[]) => {
      const candidates = candidatesOf(sources, from, after)
      return { candidates, steps: await candidates.read(count, 1) }
    }
    const isDirect = routes.every(({ references, ties }) => references.length === 0 && ties.length === 1)
    const memory = remembered(sources, declared, subject)
    const guess = isDirect ? all() : memory.recall()
    const found = await guessed(begin, guess, reads, () => ({ all: all(), link: looking.subjectAt(subject) }))
    if (!isDirect) memory.keep(found.all)
    return { ...found, flaws: [...reads.all()] }
  })
}

/**
 * One page of the distinct places at which a subject may do this, in the order of their ids. It takes the round trips of `who`. Cold, each reference down to the
 * places takes one more.
 */
export async function where(declared: Declared, sources: Sources, asked: Omit<Asked, 'place'>, list: Listed): Promise<AnswerPage<unknown>> {
  const { ids, unusable, read } = await placesListed(declared, sources, asked.subject, list.after, list.limit + 1)
  const reason = closedReason(unusable, [{ node: declared.subject, name: asked.subject, id: ids.subject, link: read?.link }])
  if (read === undefined || read.link?.state !== 'found') return closedPage(list, [...unusable, ...(read?.flaws ?? [])], reason)
  return pageOf(declared, sources, list, { lists: 'place', of: ids.subject ?? '', action: asked.action }, read, read.flaws)
}
