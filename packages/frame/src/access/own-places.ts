import { compareKeys } from '@freehold/table/runtime'
import { type Name, resolveNames } from '../decision/lookup.ts'
import type { LoadResult } from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import { lookupOf } from './answers.ts'
import type { Pair } from './chain.ts'
import type { Declared, Tenancy } from './declared.ts'
import { type Looking, lookingAt } from './finding.ts'
import { asText, type Fields, idsIn, type Link } from './link.ts'
import { type Reads, readsOf } from './reads.ts'
import type { Named } from './reason.ts'
import type { Route } from './route.ts'
import { isOfTenant } from './tenancy.ts'
import { type Ids, isLack } from './tie.ts'

/** True if a subject's own items name all of its places: the groups that it is in refer to them. */
export const isOwn = ({ grants }: Declared): boolean =>
  grants.every(({ ties: [inner], references }) => inner.isNode && references.length === 0)

/** The places at which a subject has what is needed, by its own items. Undefined if these do not list them, or are not read yet. */
function placesNeeded(reads: Reads, { references, ties: [tie, outer] }: Route, own: Ids, placeId: string): ReadonlySet<string> | undefined {
  if (outer !== undefined || references.length > 0 || isLack(tie.toNear) || tie.toNear.side.form.part.kind === 'mirror') return undefined
  const { side } = tie.toNear
  const range = reads.range(tie.toNear, tie.far, own, 'fact')
  if (range === undefined) return undefined
  if (side === tie.entity) reads.keep(side, range)
  return new Set(range.found.map((item: Fields) => String(idsIn(tie.near, item)?.[placeId])))
}

/** The tenant of a subject, and the parts of it that the subject is a member of. It asks beside them for what will be wanted. */
function ofTenant(
  { place, within: part, subject: node, grants }: Declared,
  tenancy: Tenancy,
  looking: Looking,
  reads: Reads,
  subject: string,
  link: Link | undefined,
  hasParts: boolean,
) {
  const groups = grants.flatMap((route) => looking.groupsOf(route, { subject, place: '' }, undefined)?.all ?? [])
  const isListed = hasParts && part !== undefined && !isLack(part.member.toNear)
  const members =
    isListed && !isLack(part.member.toNear) ? reads.range(part.member.toNear, part.member.far, { [node.id]: subject }, 'fact') : undefined
  const at = link?.result.state === 'found' ? asText(link.result.item[tenancy.ofSubject]) : undefined
  if (at === undefined || reads.isLacking()) return { byPlace: new Map<string, undefined>(), parts: [] }
  if (looking.placeAt(at) === undefined) for (const { ids } of groups) reads.aheadTied(tenancy.tied.ofGroup, ids)
  const parts = ((members?.found ?? []) as readonly Fields[]).flatMap((item) => {
    const within = idsIn(part?.member.near ?? { node: place.entity, by: {} }, item)?.[part?.id ?? '']
    return within === undefined || !isOfTenant(tenancy, item, at) ? [] : (looking.withinAt({ place: at, within }) ?? [])
  })
  return { byPlace: new Map([[at, undefined]]), parts }
}

/**
 * What is found of a subject at each of its places, in the order of their ids. It reads all of the subject's groups: one round trip with warm definitions,
 * two cold, and one more for a name that is looked up for the first time, or for groups whose places only they themselves tell.
 * @param after places up to this one are passed over
 */
export async function placesOfOwn(
  declared: Declared,
  sources: Sources,
  name: Name,
  { action, flag, hasParts = false }: Pick<Pair, 'action' | 'flag'> & { readonly hasParts?: boolean },
  after: string | undefined,
) {
  const { subject: node, place, grants, needs, tenancy } = declared
  const lookup = lookupOf(sources, node, name)
  const resolved = await resolveNames({ subject: lookup }, async ({ subject }) => {
    const reads = readsOf(sources)
    const looking = lookingAt(declared, sources, reads)
    const own: Ids = { [node.id]: subject }
    const begin = () => {
      const known = looking.subjectAt(subject)
      if (tenancy !== undefined)
        return { link: known, action: undefined, ...ofTenant(declared, tenancy, looking, reads, subject, known, hasParts) }
      const asked = action === undefined ? undefined : looking.actionAt(action)
      const needed = needs.flatMap((route) => placesNeeded(reads, route, own, place.id) ?? [])
      const all = new Map<string, Map<Route, Ids[]>>()
      for (const route of grants)
        for (const { ids, at } of looking.groupsWithPlaces(route, subject)) {
          if ((after !== undefined && compareKeys(at, after) <= 0) || needed.some((places) => !places.has(at))) continue
          const routes = all.get(at) ?? new Map<Route, Ids[]>()
          routes.set(route, [...(routes.get(route) ?? []), ids])
          all.set(at, routes)
        }
      return { link: known, action: asked?.link, byPlace: all, parts: [] }
    }
    begin()
    await reads.readOnce()
    return async () => {
      const { link, action: asked, byPlace, parts } = await reads.settle(begin)
      const isUnknown = asked !== undefined && asked.state !== 'found'
      // All else that is wrong with a subject of a tenant is told.
      const isClosed = (tenancy === undefined ? link?.state : link?.result.state) !== 'found' || isUnknown
      const isLate = lookup.guess !== subject
      const pairs = [...byPlace].map(([at, by]): Pair => ({ subject, place: at, action, flag, by: by && [...by], isLate }))
      const inOrder = pairs.sort((one, other) => compareKeys(one.place, other.place))
      const findings = isClosed ? [] : await reads.settle(() => inOrder.map(looking.find))
      const flaws: readonly LoadResult<unknown>[] = reads.unusable()
      return { link, action: asked, isClosed, findings, parts, flaws }
    }
  })
  return { ...resolved, read: await resolved.read?.() }
}

/** The subject and, of one that names its tenant, that. */
export function namedIn(
  { subject, place, tenancy }: Declared,
  name: Name,
  id: string | undefined,
  read: NonNullable<Awaited<ReturnType<typeof placesOfOwn>>['read']> | undefined,
): readonly Named[] {
  const [finding] = read?.findings ?? []
  if (tenancy === undefined || finding === undefined) return [{ node: subject, name, id, link: read?.link }]
  const at = finding.pair.place
  return [
    { node: subject, name, id, link: finding.subject },
    { node: place, name: { by: 'id', text: at }, id: at, link: finding.place },
  ]
}
