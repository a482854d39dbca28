import type { Evidence, Reason } from '@freehold/frame/decision'
import { type BasisItem, notHeld, undecided } from '@freehold/frame/flow'
import { FreeholdError } from '@freehold/table'
import { grouped } from '@freehold/table/runtime'
import { Building, Project, Role, UserRoleAssignment } from '../../design.ts'
import { coveringTexts, permissionText, permissionWords } from '../../permission/patterns.ts'
import type { PermissionPattern } from '../../permission/permission.ts'
import type { AccessData, AccessEvidence } from '../../snapshot/access-data.ts'
import { type AccountContext, type AccountScope, basisOf } from '../account-host.ts'

/** An error names no more of them. */
const namedMax = 10

/** When something ends: an ISO instant, or null for never. */
export type End = string | null

export const laterEnd = (one: End, other: End): End => (one === null || other === null ? null : one > other ? one : other)
export const isWithinEnd = (asked: End, end: End): boolean => end === null || (asked !== null && asked <= end)

/** An assignment by which the calling user has something. */
interface Holder {
  readonly end: End
  /** The assignment and its roles, the assignment first; none where the decider does not say. */
  readonly basis: readonly BasisItem[]
}

function basisOfHolder(
  user_id: string,
  { role_id, role_owner, roles = [] }: AccessEvidence,
  { scope_type, scope_id, start_at, expires_at, says_owner = true }: AccessEvidence['assignments'][number],
  scope: AccountScope,
): readonly BasisItem[] {
  const as = { role_owner: says_owner ? role_owner : null, start_at: start_at ?? null, expires_at: expires_at ?? null }
  const { client_id, project_id, building_id } = scope
  const step = (entity: { readonly name: string }, id: Evidence['id'], told?: Evidence['as']) =>
    ({ entity: entity.name, id, state: 'found', ...(told && { as: told }) }) as const
  const chain = [
    step(UserRoleAssignment, { user_id, scope_type, scope_id, role_id }, as),
    ...(project_id === undefined ? [] : [step(Project, { client_id, id: project_id })]),
    ...(project_id === undefined || building_id === undefined ? [] : [step(Building, { project_id, id: building_id })]),
    ...roles.map((role) => step(Role, { role_owner, id: role.role_id }, { version: role.version })),
  ]
  return chain.flatMap((each) => basisOf(each, chain) ?? [])
}

/** The part of a calling user's permissions that was read. */
interface HeldThere {
  /** The holders of each pattern, by its text. */
  readonly held: ReadonlyMap<string, readonly Holder[]>
  /** Why there may be more. */
  readonly fault?: Reason | undefined
}

/** The permissions that the calling user has at a scope. The design's own decisions say so, which read everything. */
async function heldAt({ user, decider }: AccountContext, scope: AccountScope): Promise<HeldThere> {
  const question = { user: user?.id, client: scope.client_id, project: scope.project_id, building: scope.building_id }
  const taken = await decider().access?.(question, { consistency: 'strong', evidence: true })
  // Every decider tells access as this design does; with one that cannot tell it, nothing is held.
  const { grants = [] } = (taken?.toJSON() ?? {}) as Partial<AccessData>
  const held = grants.flatMap(({ permissions, evidence }) => {
    if (evidence === undefined) return []
    const holders = evidence.assignments.map(
      (assignment): Holder => ({ end: assignment.expires_at ?? null, basis: basisOfHolder(user?.id ?? '', evidence, assignment, scope) }),
    )
    return permissions.flatMap((permission) => holders.map((holder) => [permissionText(permission), holder] as const))
  })
  const byPattern = grouped(
    held,
    ([pattern]) => pattern,
    ([, holder]) => holder,
  )
  return { held: byPattern, fault: taken?.reason?.kind === 'fault' ? taken.reason : undefined }
}

interface Wanted {
  readonly pattern: PermissionPattern
  /** The end of the grant; undefined while nobody gets it. */
  readonly until: End | undefined
  readonly holders: readonly Holder[]
}

const latestEnd = (holders: readonly Holder[]): End => holders.map(({ end }) => end).reduce(laterEnd)

/**
 * A few of the holders that together have all of it for long enough, so that a write checks few: those that have most of it, and of two equal ones
 * the one that is in the permission basis already.
 */
function fewHolders(wanted: readonly Wanted[], isKnown: (name: string) => boolean): ReadonlySet<Holder> {
  const enough = wanted.map(({ holders, until }) => holders.filter(({ end }) => until === undefined || isWithinEnd(until, end)))
  const ranks = new Map<Holder, number>()
  for (const holders of enough) for (const holder of holders) ranks.set(holder, (ranks.get(holder) ?? 0) + 1)
  for (const [holder, rank] of ranks) if (isKnown(holder.basis[0]?.name ?? '')) ranks.set(holder, rank + 0.5)
  const rankOf = (holder: Holder) => ranks.get(holder) ?? 0
  const few = new Set<Holder>()
  for (const holders of enough) {
    const [first] = holders
    if (first !== undefined) few.add(holders.reduce((best, other) => (rankOf(other) > rankOf(best) ? other : best), first))
  }
  return few
}

function denied({ flow }: AccountContext, message: string, details: Readonly<Record<string, unknown>>): FreeholdError {
  return new FreeholdError('Denied', message, { flow, ...details })
}

/** Throws `Denied` for permissions that the caller holds for a shorter time than it grants them, and `Unavailable` if it may hold them for longer. */
function checkLongEnough(context: AccountContext, wanted: readonly Wanted[], fault: Reason | undefined): void {
  const short = wanted.flatMap(({ pattern, until, holders }) => {
    const end = latestEnd(holders)
    return until === undefined || end === null || isWithinEnd(until, end) ? [] : [{ pattern, end }]
  })
  const [first] = short.sort((a, b) => (a.end < b.end ? -1 : 1))
  if (first === undefined) return
  if (fault !== undefined) throw undecided(context.flow, fault)
  const named = short.slice(0, namedMax).map(({ pattern }) => permissionWords(pattern))
  const message = `Nobody grants for longer than they hold here, and this caller holds ${named.join(', ')} until ${first.end} at the latest.`
  throw denied(context, message, { reason: 'NotHeldSoLong', latest: first.end, missing: named })
}

/** Permissions, and until when somebody is granted them; `until` is undefined while nobody gets them. */
export interface GrantedUntil<U extends End | undefined = End> {
  readonly until: U
  readonly granted: readonly PermissionPattern[]
}

/** Grants with each pattern once, at its latest end. */
export function byEnd(grants: readonly GrantedUntil[]): readonly GrantedUntil[] {
  const latest = new Map<string, { readonly pattern: PermissionPattern; readonly until: End }>()
  for (const { until, granted } of grants)
    for (const pattern of granted) {
      const text = permissionText(pattern)
      const known = latest.get(text)
      latest.set(text, { pattern, until: known === undefined ? until : laterEnd(known.until, until) })
    }
  const ends = grouped(
    latest.values(),
    ({ until }) => until,
    ({ pattern }) => pattern,
  )
  return [...ends].map(([until, granted]) => ({ until, granted }))
}

/**
 * A caller that is a user grants no more than it has itself at the scope where it grants, and for no longer: for `*` in a part it must have `*` there
 * (spec rule 23). Several permissions that together amount to a wider one do not count for that one. The holders of what is granted join the
 * permission basis of the writes that follow. One decision about the scope says so of all grants. Throws `Denied`, and `Unavailable` if that could not
 * be decided.
 */
export async function checkHeld(
  context: AccountContext,
  grants: readonly GrantedUntil<End | undefined>[],
  scope: AccountScope | 'system',
): Promise<void> {
  if (grants.every(({ granted }) => granted.length === 0)) return
  if (context.user === undefined) {
    if (context.caller.actor.kind === 'operator') return
    throw denied(context, 'Whose permissions count is not known here.', { reason: 'NotHeld' })
  }
  const { held, fault }: HeldThere = scope === 'system' ? { held: new Map() } : await heldAt(context, scope)
  const wanted = grants.flatMap(({ granted, until }) =>
    granted.map((pattern): Wanted => ({ pattern, until, holders: coveringTexts(pattern).flatMap((text) => held.get(text) ?? []) })),
  )
  const missing = wanted.flatMap(({ pattern, holders }) => (holders.length === 0 ? [permissionWords(pattern)] : []))
  if (missing.length > 0 && fault !== undefined) throw undecided(context.flow, fault)
  if (missing.length > 0) throw notHeld(context.flow, 'does not hold', missing)
  checkLongEnough(context, wanted, fault)
  const { basis } = context
  for (const holder of fewHolders(wanted, (name) => basis?.has(name) === true)) basis?.add(holder.basis)
}
