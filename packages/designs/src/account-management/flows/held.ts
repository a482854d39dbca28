import { FreeholdError } from '@freehold/table'
import { coveringTexts, permissionText, permissionWords } from '../deciding/permission.ts'
import type { AccessData } from '../snapshot/access-data.ts'
import type { AccountContext } from './account-context.ts'
import type { PermissionPattern } from './permission-pattern.ts'
import type { Place } from './place.ts'

/** An error names no more of them. */
const namedMax = 10

/** When something ends: an ISO instant, or null for never. */
export type End = string | null

export const laterEnd = (one: End, other: End): End => (one === null || other === null ? null : one > other ? one : other)
export const isWithinEnd = (asked: End, end: End): boolean => end === null || (asked !== null && asked <= end)

/** Each pattern that the calling user has at a place, by its text, with its latest end: by the design's own decisions, which read everything. */
async function heldAt({ user, decider }: AccountContext, { client_id, project_id, building_id }: Place): Promise<ReadonlyMap<string, End>> {
  const question = {
    user: user?.id,
    client: client_id,
    ...(project_id === undefined ? {} : { project: project_id }),
    ...(building_id === undefined ? {} : { building: building_id }),
  }
  const taken = await decider().access?.(question, { consistency: 'strong', evidence: true })
  // Whatever decides, it tells access as this design does; one that cannot tell leaves nothing held.
  const { grants = [] } = (taken?.toJSON() ?? {}) as Partial<AccessData>
  const held = new Map<string, End>()
  for (const { permissions, evidence } of grants) {
    const ends = (evidence?.assignments ?? []).map(({ expires_at = null }): End => expires_at)
    if (ends.length === 0) continue
    const latest = ends.reduce(laterEnd)
    for (const permission of permissions) {
      const text = permissionText(permission)
      const known = held.get(text)
      held.set(text, known === undefined ? latest : laterEnd(known, latest))
    }
  }
  return held
}

/** Until when a pattern is held; undefined where it is not. */
function endOf(wanted: PermissionPattern, held: ReadonlyMap<string, End>): End | undefined {
  const ends = coveringTexts(wanted).flatMap((text) => held.get(text) ?? (held.has(text) ? [null] : []))
  return ends.length === 0 ? undefined : ends.reduce(laterEnd)
}

function denied({ flow }: AccountContext, message: string, details: Readonly<Record<string, unknown>>): FreeholdError {
  return new FreeholdError('Denied', message, { flow, ...details })
}

/**
 * Holds a caller that is a user to granting no more than it has itself at the place where it grants: for `*` in a part it must have `*` there
 * (spec rule 23). Of several permissions that together amount to a wider one none counts for that. Throws `Denied`.
 * @param until when what is granted ends, which is no later than the caller itself has it; null for never. Left out where nobody gets it yet
 */
export async function checkHeld(
  context: AccountContext,
  granted: readonly PermissionPattern[],
  place: Place | 'system',
  until?: End,
): Promise<void> {
  if (granted.length === 0) return
  if (context.user === undefined) {
    if (context.caller.actor.kind === 'operator') return
    throw denied(context, 'Whose permissions count is not known here.', { reason: 'NotHeld' })
  }
  const held: ReadonlyMap<string, End> = place === 'system' ? new Map() : await heldAt(context, place)
  const wanted = granted.map((pattern) => ({ pattern, end: endOf(pattern, held) }))
  const missing = wanted.flatMap(({ pattern, end }) => (end === undefined ? [permissionWords(pattern)] : []))
  if (missing.length > 0) {
    const named = missing.slice(0, namedMax)
    const message = `Nobody grants more than they hold here, and this caller does not hold ${named.join(', ')}.`
    throw denied(context, message, { reason: 'NotHeld', missing: named })
  }
  if (until === undefined) return
  const short = wanted.flatMap(({ pattern, end }) =>
    end === undefined || end === null || isWithinEnd(until, end) ? [] : [{ pattern, end }],
  )
  const [first] = short.sort((a, b) => (a.end < b.end ? -1 : 1))
  if (first === undefined) return
  const named = short.slice(0, namedMax).map(({ pattern }) => permissionWords(pattern))
  const message = `Nobody grants for longer than they hold here, and this caller holds ${named.join(', ')} until ${first.end} at the latest.`
  throw denied(context, message, { reason: 'NotHeldSoLong', latest: first.end, missing: named })
}
