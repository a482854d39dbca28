import { FreeholdError } from '@freehold/table'
import { compareKeys } from '@freehold/table/runtime'
import type { Reason } from '../decision/decision.ts'
import { malformedRecord, policy } from '../decision/fault.ts'
import type { Name } from '../decision/lookup.ts'
import type { HowTaken } from '../decision/question.ts'
import type { LoadResult } from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import { takenDuring } from '../decision/taken.ts'
import { look } from './answers.ts'
import { bestChains, type Chain, type Finding } from './chain.ts'
import type { Declared } from './declared.ts'
import { confirmedAt, placesListed } from './lists.ts'
import { isOwn, placesOfOwn } from './own-places.ts'
import { closedReason, told } from './reason.ts'
import type { AccessData, AccessGrant, GivingItem } from './snapshot/access-snapshot.ts'

/** Places that a snapshot holds at most. */
const placesMax = 1000

/** What was found of a subject, at a place or at all of its places. */
interface Found {
  readonly subject: string | undefined
  readonly place?: string | undefined
  readonly findings: readonly Finding[]
  readonly loaded: readonly LoadResult<unknown>[]
  readonly closed: Reason | undefined
}

async function foundAt(declared: Declared, sources: Sources, subject: Name, place: Name): Promise<Found> {
  const { names, unusable, finding, loaded } = await look(declared, sources, { subject, place })
  const all = names()
  const [one, other] = all
  return {
    subject: one?.id,
    place: other?.id,
    findings: finding === undefined ? [] : [finding],
    loaded: loaded(),
    closed: closedReason(unusable, all),
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
    const { ids, unusable, read } = await placesOfOwn(declared, sources, name, undefined, undefined)
    const closed = closedReason(unusable, [{ node: declared.subject, name, id: ids.subject, link: read?.link }])
    return { subject: ids.subject, findings: few(declared, read?.findings ?? []), loaded: [...unusable, ...(read?.flaws ?? [])], closed }
  }
  const { ids, unusable, read } = await placesListed(declared, sources, name, undefined, placesMax + 1)
  const closed = closedReason(unusable, [{ node: declared.subject, name, id: ids.subject, link: read?.link }])
  const flaws: LoadResult<unknown>[] = [...unusable, ...(read?.flaws ?? [])]
  if (ids.subject === undefined || read === undefined) return { subject: ids.subject, findings: [], loaded: flaws, closed }
  const { candidates } = read
  while (!candidates.areAllRead) await candidates.read(placesMax + 1, Number.POSITIVE_INFINITY)
  const all = candidates.take(placesMax + 1, Number.POSITIVE_INFINITY)
  const findings = await confirmedAt(declared, sources, { lists: 'place', of: ids.subject }, few(declared, all), flaws)
  return { subject: ids.subject, findings, loaded: [...flaws, ...candidates.unusable], closed }
}

const giving = (declared: Declared, { links }: Chain): readonly GivingItem[] =>
  links().map((link) => {
    const { step, entity, id, as } = told(declared, link, 'found')
    return { step, entity, id, ...(as === undefined ? {} : { as }) }
  })

/**
 * What a subject may do, at a place or without one at each of its places, until the first of the grants ends that hold longest. A subject or a place that denies
 * is an answer, with its reason. The same round trips as `can` at a place, and as `where` without one, and one more for each further 1,000 places.
 */
export async function takeAccess(
  declared: Declared,
  sources: Sources,
  subject: Name,
  place: Name | undefined,
  how: HowTaken,
): Promise<AccessData> {
  const taken = takenDuring(sources, how)
  const found = await (place === undefined ? foundEverywhere(declared, sources, subject) : foundAt(declared, sources, subject, place))
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
  const nothing = grants.length > 0 ? undefined : (found.closed ?? policy('NoGrant', 'Nothing is granted.'))
  const reason = found.loaded.some(({ state }) => state === 'malformed') ? malformedRecord : nothing
  return {
    ...taken(found.subject === undefined ? {} : { subject: found.subject }, ends_ms),
    ...(found.place === undefined ? {} : { place: found.place }),
    grants,
    ...(reason === undefined ? {} : { reason }),
  }
}
