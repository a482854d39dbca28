import { compareKeys, grouped, invalidInput } from '@freehold/table/runtime'
import type { Reason } from '../../decision/decision.ts'
import { malformedRecord, policy } from '../../decision/fault.ts'
import { resolveNames } from '../../decision/lookup.ts'
import type { LoadResult } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import type { Fields } from '../link.ts'
import { readsOf } from '../reads.ts'
import { denialAtScope, scopeReason, subjectRefusal, unknownThere } from './denial.ts'
import { loadedFor, nameIn, subjectAtScope } from './findings.ts'
import { judgedEverywhere } from './flaws.ts'
import type { Hierarchy } from './hierarchy.ts'
import type { ScopedAsked } from './need.ts'
import { factsOf } from './path-lookup.ts'
import type { Pattern } from './patterns.ts'
import { type RoleAt, roleText } from './roles.ts'
import { type Path, scopeText } from './scope-chain.ts'
import type { ScopeFacts } from './scope-nodes.ts'
import type { Scoped } from './scoped.ts'
import { type Assignment, isLiveScope, presenceOf, recordsOf, rootOf, scopeAt, settled } from './situation.ts'
import { subjectLookup } from './subject-lookup.ts'

// The parts of a snapshot.

/** An assignment that counts, and the scope at which its permissions are held. */
export interface Holding {
  readonly assignment: Assignment
  readonly at: Path
}

/** The permissions that a role of the subject gives, with all above it. */
export interface Held {
  readonly role: RoleAt
  /** It and all above it, itself first, as they were read. */
  readonly roles: readonly { readonly role_id: string; readonly version: number }[]
  readonly permissions: readonly Pattern[]
  readonly holdings: readonly Holding[]
}

/** The findings about a subject, at a scope or everywhere. */
export interface AllHeld {
  /** Undefined if there is no such subject. Within a tenant scope that includes those of other tenants. */
  readonly subject: string | undefined
  /** The one scope that was asked about, if something is held there. */
  readonly scope?: Path | undefined
  readonly held: readonly Held[]
  /** The item by which the scope has what the question needs. */
  readonly met?: Fields | undefined
  readonly reason: Reason | undefined
}

/** Scopes that one snapshot holds. Beyond that it is no longer small, and asking at a scope costs one round trip. */
const scopesMax = 10_000

/** By role, in the order of their ids; a role that grants nothing is left out. */
function heldBy({ roles: reading, patterns }: Scoped, hierarchy: Hierarchy, holdings: readonly Holding[]): readonly Held[] {
  return [...grouped(holdings, ({ assignment }) => roleText(hierarchy.roleOf(assignment)))]
    .sort(([a], [b]) => compareKeys(a, b))
    .flatMap(([, of]): Held[] => {
      const [first] = of
      if (first === undefined) return []
      const role = hierarchy.roleOf(first.assignment)
      const chain = hierarchy.chain(role)
      const roles = chain.flatMap(({ role_id: id, definition: { node } }) =>
        node.state === 'found' ? [{ role_id: id, version: node.item.version }] : [],
      )
      const all = chain.flatMap((step) => [...reading.ownPatterns(step, hierarchy.catalogue)])
      const permissions = [...new Map(all.map((each) => [patterns.textOf(each), each]))]
        .sort(([a], [b]) => compareKeys(a, b))
        .map(([, pattern]) => patterns.partsOf(pattern))
      return permissions.length === 0 ? [] : [{ role, roles, permissions, holdings: of }]
    })
}

/** Why nothing is held, or why the answer might lack something. */
function reasonFor(
  { subject }: Scoped,
  held: readonly Held[],
  looked: readonly LoadResult<unknown>[],
  nothing: () => Reason | undefined,
): Reason | undefined {
  if (looked.some(({ state }) => state === 'malformed')) return malformedRecord
  return held.length > 0 ? undefined : (nothing() ?? policy('NoGrant', `No role that the ${subject.field} has grants anything.`))
}

/** The permissions that a subject holds at a scope. The same round trips as `can`. */
export async function heldAt(declared: Scoped, sources: Sources, asked: ScopedAsked): Promise<AllHeld> {
  const { need } = declared
  const at = await subjectAtScope(declared, sources, asked)
  const { situation, judged, hierarchy } = at
  const { scope, subject } = situation ?? {}
  const holdings = judged.flatMap(({ assignment, flaw }) =>
    flaw === undefined && scope !== undefined ? [{ assignment, at: scope.path }] : [],
  )
  const held = hierarchy === undefined ? [] : heldBy(declared, hierarchy, holdings)
  const now = sources.runtime.now().toISOString()
  return {
    subject: subject?.state === 'found' ? String(subject.item[declared.subject.id]) : undefined,
    scope: held.length === 0 ? undefined : scope?.path,
    held,
    met: scope !== undefined && need?.isAsked(asked) === true ? need.metBy(scope, asked, now) : undefined,
    reason: reasonFor(declared, held, loadedFor(at), () => denialAtScope(declared, at)),
  }
}

/** One assignment of each scope, in the order of the scopes' texts. */
function distinctScopes({ chain, subject }: Scoped, assignments: readonly Assignment[]): readonly Assignment[] {
  const scopes = new Map(assignments.map((assignment) => [scopeText(assignment), assignment]))
  if (scopes.size > scopesMax) {
    const message = `is missing: the ${subject.field} has roles at more than ${scopesMax} places, so ask for one of them`
    throw invalidInput('access', [{ path: [chain.levels[0]?.type ?? ''], message }], { question: 'access' })
  }
  return [...scopes].sort(([a], [b]) => compareKeys(a, b)).map(([, assignment]) => assignment)
}

/**
 * The permissions that a subject holds at each scope of its assignments that is open. Two round trips with warm definitions, four cold or strong, and
 * one more for each further 1,000 assignments, or where a scope has moved.
 */
export async function heldEverywhere(declared: Scoped, sources: Sources, asked: ScopedAsked): Promise<AllHeld> {
  const { chain, subject: node } = declared
  const named = subjectLookup(declared, sources, nameIn(declared, asked))
  const { ids, unusable, read } = await resolveNames({ subject: named }, async (known) => {
    const reads = readsOf(sources)
    return { reads, ...(await settled(reads, () => presenceOf(declared, reads, known.subject))) }
  })
  const isNobody = named.isNobody(read?.subject)
  const looked: LoadResult<unknown>[] = [...unusable, ...(read === undefined ? [] : [read.subject, ...read.assignments.unusable])]
  const found = (held: readonly Held[], nothing: () => Reason | undefined): AllHeld => ({
    subject: read?.subject.state === 'found' ? ids.subject : undefined,
    held,
    reason: reasonFor(declared, held, looked, nothing),
  })
  if (read === undefined || read.subject.state !== 'found')
    return found([], () => unknownThere(declared, asked, { ids: isNobody ? {} : ids, unusable, subject: read?.subject }))
  const refusal = subjectRefusal(declared, read.subject)
  if (refusal !== undefined) return found([], () => refusal)
  const judged = judgedEverywhere(declared, read.assignments.found, read.subject.item, sources.runtime.now().toISOString())
  const effective = judged.flatMap(({ assignment, flaw }) => (flaw === undefined ? [assignment] : []))
  const [flaw] = judged.flatMap((each) => each.flaw ?? [])
  const { name, capital } = declared.assignment
  if (effective.length === 0)
    return found([], () =>
      flaw === undefined ? policy(`No${capital}`, `The ${node.field} has no ${name}.`) : policy(flaw.code, flaw.message),
    )
  const distinct = distinctScopes(declared, effective)
  const { reads } = read
  const { hierarchy, facts } = await settled(reads, () => {
    const at = (path: Path) => scopeAt(declared, reads, path, {})
    const scopes = distinct.flatMap((assignment) => {
      const scope = factsOf<ScopeFacts>(chain, sources, reads, rootOf(assignment), at)
      return scope === undefined ? [] : [{ assignment, scope }]
    })
    const roles = declared.roles.hierarchyOf(reads, effective)
    return roles && { hierarchy: roles, facts: scopes }
  })
  // Not push(...): as of a linked role, there may be more flaws than the stack holds arguments.
  for (const each of hierarchy.flaws()) looked.push(each)
  for (const { scope } of facts) looked.push(...recordsOf(scope))
  const isOpen = ({ scope, assignment }: (typeof facts)[number]) => isLiveScope(declared, scope) && scope.path[0] === assignment.within
  const open = new Map(facts.filter(isOpen).map(({ assignment, scope }) => [scopeText(assignment), scope.path]))
  const holdings = effective.flatMap((assignment) => {
    const at = open.get(scopeText(assignment))
    return at === undefined ? [] : [{ assignment, at }]
  })
  const [first] = facts
  return found(heldBy(declared, hierarchy, holdings), () =>
    holdings.length > 0 || first === undefined ? undefined : scopeReason(declared, first.scope),
  )
}
