import { FreeholdError } from '@freehold/table'
import { compareKeys } from '@freehold/table/runtime'
import type { Reason } from '../decision/decision.ts'
import { malformedRecord } from '../decision/fault.ts'
import type { Name } from '../decision/lookup.ts'
import type { HowTaken } from '../decision/question.ts'
import type { LoadResult } from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import { takenDuring } from '../decision/taken.ts'
import { type Asked, look } from './answers.ts'
import { bestChains, type Chain, type Finding } from './chain.ts'
import type { Declared } from './declared.ts'
import type { Link } from './link.ts'
import { confirmedAt, placesListed } from './lists.ts'
import { isOwn, namedIn, placesOfOwn } from './own-places.ts'
import { closedReason, nothingGranted, told } from './reason.ts'
import { permissionsShown, shownOf } from './shown.ts'
import type { AccessData, AccessGrant, GivingItem } from './snapshot/access-snapshot.ts'

/** Places that a snapshot holds at most. */
const placesMax = 1000

/** What was found of a subject, at a place or at all of its places. */
interface Found {
  readonly subject: string | undefined
  readonly place?: string | undefined
  readonly findings: readonly Finding[]
  readonly link?: Link | undefined
  /** Parts of the place. */
  readonly parts?: readonly Link[] | undefined
  readonly loaded: readonly LoadResult<unknown>[]
  readonly closed: Reason | undefined
}

async function foundAt(declared: Declared, sources: Sources, asked: Pick<Asked, 'subject' | 'place' | 'within'>): Promise<Found> {
  const { names, unusable, finding, loaded } = await look(declared, sources, asked)
  const all = names()
  const [one, other] = all
  return {
    subject: one?.id,
    link: one?.link,
    place: other?.id,
    findings: finding === undefined ? [] : [finding],
    loaded: loaded(),
    closed: closedReason(declared, unusable, all, finding?.member),
  }
}

/** Throws `InvalidInput` for more places than a snapshot holds. */
function few<T>({ place: { field } }: Declared, all: readonly T[]): readonly T[] {
  if (all.length <= placesMax) return all
  const message = `holds more than ${placesMax} places: ask at one of them`
  throw new FreeholdError('InvalidInput', `access: ${field} is missing. A snapshot of everything ${message}.`, {
    question: 'access',
    issues: [{ path: [field], message }],
  })
}

async function foundEverywhere(declared: Declared, sources: Sources, name: Name): Promise<Found> {
  if (isOwn(declared)) {
    const { ids, unusable, read } = await placesOfOwn(declared, sources, name, { hasParts: true }, undefined)
    const named = namedIn(declared, name, ids.subject, read)
    const { findings = [], parts, flaws = [] } = read ?? {}
    const closed = closedReason(declared, unusable, named)
    return { subject: ids.subject, link: read?.link, findings: few(declared, findings), parts, loaded: [...unusable, ...flaws], closed }
  }
  const { ids, unusable, read } = await placesListed(declared, sources, name, undefined, placesMax + 1)
  const closed = closedReason(declared, unusable, [{ node: declared.subject, name, id: ids.subject, link: read?.link }])
  if (ids.subject === undefined || read === undefined) return { subject: ids.subject, findings: [], loaded: unusable, closed }
  const { candidates, reads } = read
  await candidates.read(placesMax + 1, Number.POSITIVE_INFINITY)
  const all = candidates.take(placesMax + 1, Number.POSITIVE_INFINITY)
  const findings = await confirmedAt(sources, read, { lists: 'place', of: ids.subject }, few(declared, all))
  return { subject: ids.subject, findings, loaded: [...unusable, ...reads.unusable(), ...candidates.unusable], closed }
}

const giving = (declared: Declared, { links }: Chain): readonly GivingItem[] =>
  links().map((link) => {
    const { step, entity, id, as } = told(declared, link, 'found')
    return { step, entity, id, ...(as === undefined ? {} : { as }) }
  })

/** What snapshots of a tenant tell: what permissions are for, with their flags, and the roles that give them. */
function tenantData(declared: Declared, found: Found, hasEvidence: boolean, part: string | undefined) {
  const { shows, place, within } = declared
  const [finding] = found.findings
  const chains = finding?.chains ?? []
  const flags = Object.values(declared.tenancy?.flags ?? {})
  const givingOf = (on: string) =>
    chains.flatMap((chain) => {
      const item = chain.permissions?.get(on)
      const given = Object.fromEntries(flags.map((flag) => [flag, item?.[flag] === true]))
      return Object.values(given).includes(true) ? [{ ...chain.holder().id, ...given }] : []
    })
  const grants = permissionsShown(declared, chains).map(({ id, item }) => (hasEvidence ? { ...item, evidence: givingOf(id) } : item))
  const at = finding?.pair.place
  const ofPart = (id: string) => shownOf(shows.within, { [within?.ofPlace.by[place.id] ?? '']: at, [within?.id ?? '']: id })
  const parts = (found.parts ?? []).flatMap(({ id, result }) => (result.state === 'found' ? [id[within?.id ?? ''] ?? ''] : []))
  const places = [part === undefined ? shownOf(shows.place, { [place.id]: at }) : ofPart(part), ...parts.sort(compareKeys).map(ofPart)]
  const { end } = finding?.subject ?? {}
  return { grants, places: chains.length === 0 ? [] : places, ends_ms: end === undefined || grants.length === 0 ? [] : [end.at_ms] }
}

/**
 * What a subject may do, at a place or without one at each of its places, until the first of the grants ends that hold longest. A subject or a place that denies
 * is an answer, with its reason. The same round trips as `can` at a place, and as `where` without one, and one more for each further 1,000 places.
 */
export async function takeAccess(
  declared: Declared,
  sources: Sources,
  { subject, place, within }: Pick<Asked, 'subject' | 'within'> & Partial<Pick<Asked, 'place'>>,
  how: HowTaken,
): Promise<AccessData> {
  const taken = takenDuring(sources, how)
  const found = await (place === undefined
    ? foundEverywhere(declared, sources, subject)
    : foundAt(declared, sources, { subject, place, within }))
  const reasonOf = (grants: readonly unknown[]) => {
    const nothing = grants.length > 0 ? undefined : (found.closed ?? nothingGranted(declared))
    const reason = found.loaded.some(({ state }) => state === 'malformed') ? malformedRecord : nothing
    return reason === undefined ? {} : { reason }
  }
  if (declared.tenancy !== undefined) {
    const { grants, places, ends_ms } = tenantData(declared, found, how.evidence, within)
    const isThere = found.link?.result.state === 'found'
    const ids = isThere ? shownOf(declared.shows.subject, { [declared.subject.id]: found.subject }) : {}
    // The declaration's own function makes a snapshot of them.
    return { ...taken(ids, ends_ms), places, grants, ...reasonOf(grants) } as unknown as AccessData
  }
  const held = found.findings.flatMap((finding) => {
    const best = [...bestChains(finding)].sort(([one], [other]) => compareKeys(one, other))
    return best.length === 0 ? [] : [{ place: finding.pair.place, best }]
  })
  const grants = held.map(({ place: at, best }): AccessGrant => {
    const grant = { place: at, actions: best.map(([action]) => action) }
    return how.evidence
      ? { ...grant, evidence: Object.fromEntries(best.map(([action, chain]) => [action, giving(declared, chain)])) }
      : grant
  })
  const ends_ms = held.flatMap(({ best }) => best.flatMap(([, { end }]) => end?.at_ms ?? []))
  return {
    ...taken(found.subject === undefined ? {} : { subject: found.subject }, ends_ms),
    ...(found.place === undefined ? {} : { place: found.place }),
    grants,
    ...reasonOf(grants),
  }
}
