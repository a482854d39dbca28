import { FreeholdError } from '@freehold/table'
import { compareKeys, grouped, parallel } from '@freehold/table/runtime'
import { confirmedPage } from '../decision/confirmed-page.ts'
import type { AnswerPage, Reason } from '../decision/decision.ts'
import type { Listed } from '../decision/list.ts'
import { type Name, resolveNames } from '../decision/lookup.ts'
import type { Candidate } from '../decision/merged-ranges.ts'
import type { LoadResult } from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import { type Asked, lookupOf } from './answers.ts'
import { type Candidates, candidatesOf, guessed, remembered, type Source, sourcesOfWhere, sourcesOfWho } from './candidates.ts'
import { allowing, type Finding, type Pair } from './chain.ts'
import type { Declared } from './declared.ts'
import { lookingAt } from './finding.ts'
import { rememberHub } from './hub.ts'
import { textOf } from './link.ts'
import { isOwn, placesOfOwn } from './own-places.ts'
import { readsOf } from './reads.ts'
import { closedReason, type Named } from './reason.ts'
import type { Route } from './route.ts'
import { itemShown } from './shown.ts'
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

interface AskedList {
  readonly lists: 'subject' | 'place'
  /** The id of the other one. */
  readonly of: string
  /** One that is an item. */
  readonly action?: string | undefined
}

/** What is found of candidates, in their order. One round trip, and one more for roles that are not in memory. */
export async function confirmedAt(
  declared: Declared,
  sources: Sources,
  { lists, of: other, action }: AskedList,
  batch: readonly Candidate<Source>[],
  flaws: LoadResult<unknown>[],
): Promise<readonly Finding[]> {
  const pairs = batch.map(([id, all]): Pair => {
    const pair = lists === 'subject' ? { subject: id, place: other } : { subject: other, place: id }
    for (const { route, above } of all) rememberHub(sources, route, pair.place, above)
    const groups = grouped(all, ({ route }) => route)
    const by = [...groups].map(([route, of]) => {
      const ids = of.flatMap(({ group }): readonly Ids[] => (group === undefined ? [] : [group]))
      // The first one is told: the reads come back in any order.
      return [route, [...ids].sort((one, other) => compareKeys(textOf(one), textOf(other)))] as const
    })
    return { ...pair, action, by: new Map(by) }
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
  const confirm = async (batch: readonly Candidate<Source>[]) =>
    (await confirmedAt(declared, sources, { ...asked, action: declared.action && asked.action }, batch, flaws)).flatMap((finding) => {
      const [chain] = allowing(finding, asked.action)
      return chain === undefined ? [] : [{ id: finding.pair[asked.lists], item: itemShown(declared, asked.lists, finding, chain) }]
    })
  const page = await confirmedPage(list, candidates, steps, confirm, ({ id }) => id, flaws)
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
  const { grants: routes, place: node } = declared
  const [{ ids, unusable, read: goOn }, action] = await parallel(
    () =>
      resolveNames({ place: lookupOf(sources, node, asked.place) }, async ({ place }) => {
        const reads = readsOf(sources)
        const looking = lookingAt(declared, sources, reads)
        const isThere = () => (looking.placeAt(place)?.state ?? 'found') === 'found'
        const all = () =>
          (isThere() ? routes : []).flatMap((route) =>
            sourcesOfWho(reads, looking, route, looking.hubOf(route, place, false), asked.action),
          )
        const begin = async (from: readonly Source[]) => {
          const candidates = candidatesOf(sources, from, list.after)
          return { candidates, steps: await candidates.read(list.limit + 1, 1) }
        }
        // What is remembered of the place says which hubs to begin with.
        const found = await guessed(
          begin,
          (known) => known,
          reads,
          () => ({ all: all(), link: looking.placeAt(place) }),
        )
        return async () => {
          const listed = await found()
          listed.candidates.keep(
            ({ route, group }) => group === undefined || looking.mayGrant(route, group, { [node.id]: place }, asked.action),
          )
          return { ...listed, flaws: [...reads.all()] }
        }
      }),
    () => actionOf(declared, sources, asked.action),
  )
  const read = await goOn?.()
  const looked = [...unusable, ...action.flaws, ...(read?.flaws ?? [])]
  const reason = closedReason(unusable, [{ node, name: asked.place, id: ids.place, link: read?.link }, ...action.named])
  if (read?.link?.state !== 'found' || action.isClosed) return closedPage(list, looked, reason)
  return pageOf(declared, sources, list, { lists: 'subject', of: ids.place ?? '', action: asked.action }, read, looked)
}

/** An action that is an item, read beside the look-up of names. */
async function actionOf(declared: Declared, sources: Sources, action: string) {
  const { action: node } = declared
  if (node === undefined) return { named: [], flaws: [], isClosed: false }
  const reads = readsOf(sources)
  const { actionAt } = lookingAt(declared, sources, reads)
  const link = (await reads.settle(() => actionAt(action)))?.link
  const named: Named = { node, name: { by: 'id', text: action }, id: action, link }
  return { named: [named], flaws: reads.all(), isClosed: link?.state !== 'found' }
}

/** The places that might be granted to a subject, with the subject. */
export async function placesListed(declared: Declared, sources: Sources, name: Name, after: string | undefined, count: number) {
  checkComplete('where', declared)
  const { grants: routes, subject: node } = declared
  const resolved = await resolveNames({ subject: lookupOf(sources, node, name) }, async ({ subject }) => {
    const reads = readsOf(sources)
    const looking = lookingAt(declared, sources, reads)
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
      return { ...listed, flaws: [...reads.all()] }
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
  const reason = closedReason(unusable, [{ node: declared.subject, name: asked.subject, id: ids.subject, link: read?.link }])
  if (read === undefined || read.link?.state !== 'found') return closedPage(list, [...unusable, ...(read?.flaws ?? [])], reason)
  return pageOf(declared, sources, list, { lists: 'place', of: ids.subject ?? '', action: asked.action }, read, read.flaws)
}

/** Of a subject whose own items name its places: as many round trips as `can`. */
async function whereOwn(declared: Declared, sources: Sources, asked: Omit<Asked, 'place'>, list: Listed): Promise<AnswerPage<unknown>> {
  const { action: node, subject } = declared
  const [{ ids, unusable, read }, action] = await parallel(
    () => placesOfOwn(declared, sources, asked.subject, node && asked.action, list.after),
    () => actionOf(declared, sources, asked.action),
  )
  const looked = [...unusable, ...action.flaws, ...(read?.flaws ?? [])]
  const reason = closedReason(unusable, [{ node: subject, name: asked.subject, id: ids.subject, link: read?.link }, ...action.named])
  if (read?.link?.state !== 'found' || action.isClosed) return closedPage(list, looked, reason)
  const items = read.findings.flatMap((finding) => {
    const [chain] = allowing(finding, asked.action)
    return chain === undefined ? [] : [{ id: finding.pair.place, item: itemShown(declared, 'place', finding, chain) }]
  })
  const page = list.pageOf(items, ({ id }) => id, looked)
  return { ...page, items: page.items.map(({ item }) => item) }
}
