import { compareKeys, parallel } from '@freehold/table/runtime'
import type { Name } from '../../decision/lookup.ts'
import type { LoadResult, Unusable } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { type Reads, readsOf } from '../reads.ts'
import { type Flaw, flawOf, within } from './flaws.ts'
import type { Hierarchy, RoleStep } from './hierarchy.ts'
import type { ScopedAsked } from './need.ts'
import { pathLookup, resolveAt } from './path-lookup.ts'
import type { Pattern } from './patterns.ts'
import type { AssignedRole } from './roles.ts'
import type { Path } from './scope-chain.ts'
import { isGone } from './scope-nodes.ts'
import type { Scoped } from './scoped.ts'
import { type Assignment, isLive, isLiveScope, isMet, recordsOf, type Situation, settled, situationAt } from './situation.ts'
import { scopeOfSubject, subjectLookup } from './subject-lookup.ts'

/** A grant: an assignment, the role by which it grants, and the pattern of that role that covers the permission. */
export interface Grant {
  readonly assignment: Assignment
  /** The assigned role and those above it, up to the one that grants. */
  readonly roles: readonly RoleStep[]
  readonly pattern: Pattern
}

/** Ids of names, without those that stand for nothing. */
export interface Ids {
  readonly subject?: string | undefined
  readonly path?: Path | undefined
}

/** From its definition, if that was read whole. */
export const roleName = (step: RoleStep | undefined): string | undefined =>
  step?.definition.node.state === 'found' ? step.definition.node.item.name : undefined

/** The part of a grant that lists tell; `why` tells all. */
export function grantOf({ assigned }: Scoped, { assignment: { scope_type, scope_id, role_id, until }, roles }: Grant) {
  const [first] = roles
  const last = roles.at(-1)
  const role_name = roleName(first)
  const through_name = roleName(last)
  return {
    ...{ [assigned.type]: scope_type, [assigned.id]: scope_id, [assigned.role]: role_id },
    // The assigned role comes first: a subject who is granted something has one.
    ...(assigned.owner === undefined ? {} : { [assigned.owner]: first?.role_owner ?? '' }),
    ...(role_name === undefined ? {} : { role_name }),
    ...(until === undefined ? {} : { [assigned.until ?? '']: until }),
    ...(last === undefined || last === first ? {} : { through: last.role_id, ...(through_name === undefined ? {} : { through_name }) }),
  }
}

/**
 * The assignments of one subject, those first that lists tell where several grant: of the nearest scope, then of the latest end, then by ids. So the
 * same question is answered by the same grant, although the reads come back in another order.
 */
export function asTold({ chain }: Scoped, assignments: readonly Assignment[]): readonly Assignment[] {
  if (assignments.length < 2) return assignments
  const depthOf = ({ scope_type }: Assignment) => chain.levels.findIndex(({ type }) => type === scope_type)
  // One without an end ends after all others; its text sorts after every instant.
  const endOf = ({ until = 'never' }: Assignment) => until
  return [...assignments].sort(
    (a, b) =>
      depthOf(b) - depthOf(a) ||
      compareKeys(endOf(b), endOf(a)) ||
      compareKeys(a.role_id, b.role_id) ||
      compareKeys(a.scope_id, b.scope_id),
  )
}

/** An assignment with the reason why it does not count, if any. */
export interface Judged {
  readonly assignment: Assignment
  readonly flaw: Flaw | undefined
}

/** The names of a question, and what they stand for. */
interface Known {
  readonly asked: ScopedAsked
  readonly ids: Ids
  /** Looked-up names that are not there. */
  readonly unusable: readonly Unusable[]
}

/** The facts by which one question about a subject at a scope is decided. */
export interface SubjectAtScope extends Known {
  readonly situation: Situation | undefined
  /** The scope has what else is needed. */
  readonly isMet: boolean
  readonly judged: readonly Judged[]
  /** Absent if no role was read: the subject, the scope or what is needed is not there, or denies regardless of roles. */
  readonly hierarchy: Hierarchy | undefined
}

/** The subject of a question. */
// A question was read by its fields.
export const nameIn = ({ subject }: Scoped, asked: ScopedAsked) => asked[subject.field] as Name
/** The permission of a question. */
export const permissionIn = ({ permission }: ScopedAsked) => permission as Pattern

/** The facts about a subject at a scope, by what was read; undefined until that is all. */
function factsAt(declared: Scoped, reads: Reads, sources: Sources, known: Known, situation: Situation): SubjectAtScope | undefined {
  const now = sources.runtime.now().toISOString()
  const { subject, scope, assignments } = situation
  const isScopeMet = isMet(declared, scope, known.asked, now)
  const nothing: SubjectAtScope = { situation, isMet: isScopeMet, judged: [], hierarchy: undefined, ...known }
  if (!isScopeMet || !isLiveScope(declared, scope) || subject.state !== 'found') return nothing
  if (!isLive(declared, declared.subject.entity.name, subject.item)) return nothing
  const [outermost] = scope.path
  const judged = assignments.found.map((each) => {
    const assignment = within(each, outermost)
    return { assignment, flaw: flawOf(declared, assignment, subject.item, outermost, now) }
  })
  const effective = judged.flatMap(({ assignment, flaw }) => (flaw === undefined ? [assignment] : []))
  const hierarchy = declared.roles.hierarchyOf(reads, effective)
  return hierarchy && { ...nothing, judged, hierarchy }
}

/**
 * The facts about a subject at a scope. One round trip with warm definitions, two cold or strong, and one more for roles above roles and for links; one
 * more where a bare id of a scope is looked up for the first time.
 */
export async function subjectAtScope(declared: Scoped, sources: Sources, asked: ScopedAsked): Promise<SubjectAtScope> {
  const { chain, roles } = declared
  const name = nameIn(declared, asked)
  const named = subjectLookup(declared, sources, name)
  const names = { subject: named, path: pathLookup(chain, sources, asked, scopeOfSubject(declared, sources, name, named)) }
  // Of a name that was never looked up the roles are read ahead, so that the look-up costs no round trip more.
  const owner = name.by === 'lookup' && named.guess === undefined ? names.path.guess?.[0] : undefined
  // So they are beside what is read of another subject, who has the name now.
  const isAnother = (subject: string) => named.guess !== undefined && named.guess !== subject
  const resolve = () =>
    resolveAt(
      chain,
      names,
      asked,
      async ({ subject, path }) => {
        const reads = readsOf(sources)
        const look = () => situationAt(declared, reads, subject, path, asked)
        look()
        if (isAnother(subject)) roles.allRoles(reads, path[0])
        await reads.readOnce()
        return { reads, situation: look() }
      },
      ({ situation }) => isGone(situation?.scope),
    )
  const [{ ids: found, unusable, read }] = await parallel(resolve, () => {
    if (owner === undefined) return undefined
    const ahead = readsOf(sources)
    roles.allRoles(ahead, owner)
    return ahead.readOnce()
  })
  const isNobody = named.isNobody(read?.situation?.subject)
  const known = { asked, ids: isNobody ? { path: found.path } : found, unusable }
  const { reads, situation } = read ?? {}
  if (reads === undefined || situation === undefined || isNobody)
    return { ...known, situation: undefined, isMet: false, judged: [], hierarchy: undefined }
  return settled(reads, () => factsAt(declared, reads, sources, known, situation))
}

/** A test by which roles a permission is granted: the assigned one and those above it up to the one that grants, and its pattern. */
export function granter({ roles, patterns }: Scoped, hierarchy: Hierarchy, permission: Pattern) {
  const covering = patterns.covering(permission)
  return (at: AssignedRole): Omit<Grant, 'assignment'> | undefined => {
    const chain = hierarchy.chain(at)
    for (const [index, step] of chain.entries()) {
      const pattern = roles.grantingPattern(step, hierarchy.catalogue, permission, covering)
      if (pattern !== undefined) return { roles: chain.slice(0, index + 1), pattern }
    }
    return undefined
  }
}

/** The same of assignments. */
export function grantedBy(declared: Scoped, hierarchy: Hierarchy, permission: Pattern) {
  const granting = granter(declared, hierarchy, permission)
  return (assignment: Assignment): Grant | undefined => {
    const by = granting(assignment)
    return by && { assignment, ...by }
  }
}

/** Everything that a question of access was decided by. */
export interface Findings extends SubjectAtScope {
  readonly permission: Pattern
  readonly grants: readonly Grant[]
}

export async function findingsOf(declared: Scoped, sources: Sources, asked: ScopedAsked): Promise<Findings> {
  const at = await subjectAtScope(declared, sources, asked)
  const { hierarchy, judged } = at
  const permission = permissionIn(asked)
  const by = hierarchy && grantedBy(declared, hierarchy, permission)
  const grants = judged.flatMap(({ assignment, flaw }) => (flaw !== undefined ? [] : (by?.(assignment) ?? [])))
  return { permission, grants, ...at }
}

/** All records that were loaded: lists report the malformed ones. */
export function loadedFor({ unusable, situation, hierarchy }: SubjectAtScope): readonly LoadResult<unknown>[] {
  const names = [...unusable, ...(hierarchy?.flaws() ?? [])]
  if (situation === undefined) return names
  return [...names, situation.subject, ...recordsOf(situation.scope), ...situation.assignments.unusable]
}
