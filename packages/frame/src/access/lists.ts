import { FreeholdError } from '@freehold/table'
import { compareKeys, parallel } from '@freehold/table/runtime'
import { confirmedPage } from '../decision/confirmed-page.ts'
import type { AnswerPage, Reason } from '../decision/decision.ts'
import type { Listed } from '../decision/list.ts'
import { type Name, resolveNames } from '../decision/lookup.ts'
import type { Candidate } from '../decision/merged-ranges.ts'
import type { LoadResult } from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import { type Asked, asItem, flagOf, lookupOf } from './answers.ts'
import { type Candidates, candidatesOf, guessed, remembered, type Source, sourcesOfWhere, sourcesOfWho } from './candidates.ts'
import { bestChain, type Chain, type Finding, type Pair } from './chain.ts'
import type { Declared } from './declared.ts'
import { type Looking, lookingAt } from './finding.ts'
import { rememberHub } from './hub.ts'
import { type Link, textOf } from './link.ts'
import { isOwn, namedIn, placesOfOwn } from './own-places.ts'
import { type Reads, readsOf } from './reads.ts'
import { closedReason, type Named } from './reason.ts'
import type { Route } from './route.ts'
import { grantedIn, itemShown, shownOf } from './shown.ts'
import { type Ids, isLack, type Lack } from './tie.ts'

/** What an incomplete list lacks, by the question. */
export function lacksOf(question: 'who' | 'where', { references, ties }: Route): readonly Lack[] {
  const [inner, outer] = ties
  const all =
    question === 'who'
      ? [(outer ?? inner).toFar, ...(inner.isNode ? [inner.toFar] : [])]
      : // Groups that refer to the place tell it themselves.
        [...(inner.isNode ? [] : [inner.toNear]), ...(outer === undefined ? [] : [outer.toNear]), ...references.map(({ down }) => down)]
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

interface AskedList extends Pick<Pair, 'within' | 'action' | 'flag'> {
  readonly lists: 'subject' | 'place'
  /** The id of the other one. */
  readonly of: string
}

/** What a question has read so far. */
interface Reading {
  readonly reads: Reads
  readonly looking: Looking
}

function readingOf(declared: Declared, sources: Sources): Reading {
  const reads = readsOf(sources)
  return { reads, looking: lookingAt(declared, sources, reads) }
}

const byText = (one: Ids, other: Ids) => compareKeys(textOf(one), textOf(other))

/** What is found of candidates, in their order. One round trip: their items name the roles, which are read beside them. */
export async function confirmedAt(
  sources: Sources,
  { reads, looking }: Reading,
  { lists, of: other, within, action, flag }: AskedList,
  batch: readonly Candidate<Source>[],
): Promise<readonly Finding[]> {
  const pairs = batch.map(([id, all]): Pair => {
    const [subject, place] = lists === 'subject' ? [id, other] : [other, id]
    const by: [Route, Ids[] | undefined][] = []
    for (const { route, group, above } of all) {
      rememberHub(sources, route, place, above)
      const known = by.find(([each]) => each === route)
      if (known === undefined) by.push([route, group && [group]])
      else if (group !== undefined) known[1] = [...(known[1] ?? []), group]
    }
    for (const of of by) {
      const [route, groups] = of
      // The first one is told: the reads come back in any order.
      if (groups?.some((each, index) => index > 0 && byText(groups[index - 1] ?? each, each) > 0)) groups.sort(byText)
      // A member of a part of the place may be in any group.
      else if (groups === undefined && route.tied === undefined) of[1] = []
    }
    return { subject, place, within, action, flag, by }
  })
  for (const [, all] of batch) for (const { role } of all) if (role !== undefined) reads.ahead(...role)
  return reads.settle(() => pairs.map(looking.find))
}

/** A page of the candidates that `can` would allow: of subjects at a place, or of places of a subject. */
async function pageOf(
  declared: Declared,
  sources: Sources,
  list: Listed,
  asked: AskedList & { readonly action: string },
  { candidates, steps, ...reading }: Candidates & Reading,
  flaws: readonly LoadResult<unknown>[],
): Promise<AnswerPage<unknown>> {
  const of = { ...asked, action: asItem(declared, asked.action) }
  const confirm = async (batch: readonly Candidate<Source>[]) =>
    (await confirmedAt(sources, reading, of, batch)).flatMap((finding) => {
      const chain = bestChain(finding, asked.action)
      return chain === undefined ? [] : [{ id: finding.pair[asked.lists], item: itemShown(declared, asked.lists, finding, chain) }]
    })
  const page = await confirmedPage(
    list,
    candidates,
    steps,
    confirm,
    ({ id }) => id,
    () => [...flaws, ...reading.reads.unusable()],
  )
  return { ...page, items: page.items.map(({ item }) => item) }
}

const closedPage = (list: Listed, flaws: readonly LoadResult<unknown>[], reason: Reason | undefined) =>
  list.page([], undefined, flaws, reason)

/**
 * One page of the distinct subjects who may do this at a place, in the order of their ids. It takes two round trips with warm definitions. Cold, each of these
 * takes one more: groups, roles, a reference from a place that is new, a new name. Candidates that do not count take more, too.
 */
export async function who(declared: Declared, sources: Sources, asked: Omit<Asked, 'subject'>, list: Listed): Promise<AnswerPage<unknown>> {
  checkComplete('who', declared)
  const { grants: routes, place: node, within: part } = declared
  const flag = flagOf(declared, asked)
  const [{ ids, unusable, read: goOn }, beside] = await parallel(
    () =>
      resolveNames({ place: lookupOf(sources, node, asked.place) }, async ({ place }) => {
        const { reads, looking } = readingOf(declared, sources)
        const isThere = () => (looking.placeAt(place)?.state ?? 'found') === 'found'
        const all = () =>
          (isThere() ? routes : []).flatMap((route) =>
            sourcesOfWho(reads, looking, route, looking.hubOf(route, place, false), asked.action, flag),
          )
        const begin = async (from: readonly Source[]) => {
          const candidates = candidatesOf(sources, from, list.after)
          const begun = () => candidates.read(list.limit + 1, 1)
          if (asked.within === undefined) return { candidates, steps: await begun() }
          const members = candidatesOf(sources, membersOf(declared, from, asked.within), list.after)
          const [steps] = await parallel(begun, () => members.read(membersMax, 1))
          return { candidates, members, steps }
        }
        // What is remembered of the place says which hubs to begin with.
        const found = await guessed(
          begin,
          (known) => known,
          reads,
          () => ({
            all: all(),
            link: looking.placeAt(place),
            within: looking.withinAt({ place, within: asked.within }),
            action: looking.actionAt(asked.action)?.link,
          }),
        )
        return async () => {
          const listed = await found()
          const on = { action: asked.action, flag, hub: { [node.id]: place } }
          const granting = new Map<Ids, boolean>()
          const mayGrant = ({ route, group }: Source): boolean => {
            if (group === undefined) return true
            const known = granting.get(group) ?? looking.mayGrant(route, group, on)
            granting.set(group, known)
            return known
          }
          listed.candidates.keep(mayGrant)
          const { members } = listed
          const areFew = members?.areAllRead === true && listed.all.some(mayGrant)
          return { ...listed, reads, looking, candidates: areFew ? members : listed.candidates }
        }
      }),
    () => actionBeside(declared, sources, asked.place, asked.action),
  )
  const read = await goOn?.()
  const action = beside ?? actionIn(declared, asked.action, read?.action)
  const { within: id } = asked
  const inside =
    part === undefined || id === undefined ? [] : [{ node: part, name: { by: 'id', text: id } as const, id, link: read?.within }]
  const places: readonly Named[] = [{ node, name: asked.place, id: ids.place, link: read?.link }, ...inside]
  const flaws = [...unusable, ...action.flaws]
  const reason = closedReason(declared, unusable, [...places, ...action.named])
  if (read === undefined || places.some(({ link }) => link?.state !== 'found') || action.isClosed)
    return closedPage(list, [...flaws, ...(read?.reads.unusable() ?? [])], reason)
  const how = { lists: 'subject', of: ids.place ?? '', action: asked.action, within: id, flag } as const
  return pageOf(declared, sources, list, how, read, flaws)
}

/** Members of a part of a place, up to which they are gone through instead of the members of the groups. */
const membersMax = 1000

/** Where the members of a part are listed, once it is known that something may be granted to them. */
function membersOf({ within: part }: Declared, [any]: readonly Source[], within: string | undefined): readonly Source[] {
  if (part === undefined || within === undefined || any === undefined || isLack(part.member.toFar)) return []
  return [{ route: any.route, listing: part.member.toFar, by: part.member.near, ids: { [part.id]: within }, above: [] }]
}

const noAction = { named: [], flaws: [], isClosed: false } as const

/** An action that is an item, as it was found. */
function actionIn({ action: node }: Declared, action: string, link: Link | undefined) {
  if (node === undefined) return noAction
  const named: Named = { node, name: { by: 'id', text: action }, id: action, link }
  return { named: [named], flaws: [], isClosed: link?.state !== 'found' }
}

/** The same, read beside the look-up of a name: what hangs on an id is read with the action. */
async function actionBeside(declared: Declared, sources: Sources, { by }: Name, action: string) {
  if (by === 'id') return undefined
  if (declared.action === undefined) return noAction
  const { reads, looking } = readingOf(declared, sources)
  const link = (await reads.settle(() => looking.actionAt(action)))?.link
  return { ...actionIn(declared, action, link), flaws: reads.unusable() }
}

/** The places that might be granted to a subject, with the subject. */
export async function placesListed(declared: Declared, sources: Sources, name: Name, after: string | undefined, count: number) {
  checkComplete('where', declared)
  const { grants: routes, subject: node } = declared
  const resolved = await resolveNames({ subject: lookupOf(sources, node, name) }, async ({ subject }) => {
    const { reads, looking } = readingOf(declared, sources)
    const all = () => routes.flatMap((route) => sourcesOfWhere(reads, route, { [node.id]: subject }))
    const begin = async (from: readonly Source[]) => {
      const candidates = candidatesOf(sources, from, after)
      return { candidates, steps: await candidates.read(count, 1) }
    }
    const isDirect = routes.every(({ references, ties }) => references.length === 0 && ties.length === 1)
    const memory = remembered(sources, declared, subject)
    const found = await guessed(
      begin,
      (known) => (isDirect ? known : memory.recall()),
      reads,
      () => ({ all: all(), link: looking.subjectAt(subject) }),
    )
    return async () => {
      const listed = await found()
      if (!isDirect) memory.keep(listed.all)
      return { ...listed, reads, looking }
    }
  })
  return { ...resolved, read: await resolved.read?.() }
}

/**
 * One page of the distinct places at which a subject may do this, in the order of their ids. It takes the round trips of `who`. Cold, each reference down to the
 * places takes one more.
 */
export async function where(declared: Declared, sources: Sources, asked: Omit<Asked, 'place'>, list: Listed): Promise<AnswerPage<unknown>> {
  if (isOwn(declared)) return whereOwn(declared, sources, asked, list)
  const { ids, unusable, read } = await placesListed(declared, sources, asked.subject, list.after, list.limit + 1)
  const reason = closedReason(declared, unusable, [{ node: declared.subject, name: asked.subject, id: ids.subject, link: read?.link }])
  if (read === undefined || read.link?.state !== 'found') return closedPage(list, [...unusable, ...(read?.reads.unusable() ?? [])], reason)
  return pageOf(declared, sources, list, { lists: 'place', of: ids.subject ?? '', action: asked.action }, read, [])
}

/** Of a subject whose own items name its places: as many round trips as `can`, and of one that names its tenant one more, unless it is cold. */
async function whereOwn(declared: Declared, sources: Sources, asked: Omit<Asked, 'place'>, list: Listed): Promise<AnswerPage<unknown>> {
  const how = { action: asItem(declared, asked.action), flag: flagOf(declared, asked), hasParts: list.isExpanded }
  const [{ ids, unusable, read }, beside] = await parallel(
    () => placesOfOwn(declared, sources, asked.subject, how, list.after),
    () => actionBeside(declared, sources, asked.subject, asked.action),
  )
  const action = beside ?? actionIn(declared, asked.action, read?.action)
  const looked = [...unusable, ...action.flaws, ...(read?.flaws ?? [])]
  const reason = closedReason(declared, unusable, [...namedIn(declared, asked.subject, ids.subject, read), ...action.named])
  if (read === undefined || read.isClosed || action.isClosed) return closedPage(list, looked, reason)
  const items = read.findings.flatMap((finding) => {
    const chain = bestChain(finding, asked.action)
    return chain === undefined ? [] : placesShown(declared, finding, chain, read.parts)
  })
  // A tenant comes before its parts, whose ids are looked at now.
  const ahead =
    declared.tenancy === undefined ? items : items.filter(({ id }) => list.after === undefined || compareKeys(id, list.after) > 0)
  const page = list.pageOf(ahead, ({ id }) => id, looked, undefined, items.length > 0 ? undefined : reason)
  return { ...page, items: page.items.map(({ item }) => item) }
}

/** A place with the parts of it that a subject is a member of, in the order of their ids. */
function placesShown(declared: Declared, finding: Finding, chain: Chain, parts: readonly Link[]) {
  const { shows, within, tenancy } = declared
  const item = itemShown(declared, 'place', finding, chain)
  if (tenancy === undefined) return [{ id: finding.pair.place, item }]
  const beneath = parts.flatMap(({ id, result }) =>
    result.state === 'found'
      ? [{ id: id[within?.id ?? ''] ?? '', item: { ...shownOf(shows.within, result.item), ...grantedIn(shows, chain) } }]
      : [],
  )
  return [{ id: '', item }, ...beneath.sort((one, other) => compareKeys(one.id, other.id))]
}
