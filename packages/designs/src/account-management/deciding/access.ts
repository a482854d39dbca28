import { type LoadResult, type Reads, readsOf, type Sources, type Unusable } from '@freehold/frame/decision'
import { compareKeys, parallel } from '@freehold/table/runtime'
import type { Permission } from '../permission/permission.ts'
import { grantingPattern, type Hierarchy, hierarchyOf, type RoleStep } from './hierarchy.ts'
import { type Flaw, flawOf, isEntitled, isLiveScope, ofClient } from './live-checks.ts'
import type { Access, Grant, WhatAsked } from './question.ts'
import { clientOf, type Ids, pathLookup, resolveAt, userLookup } from './resolve.ts'
import { type AssignedRole, allRoles } from './roles.ts'
import { type Assignment, isBuildingGone, recordsOf, type Situation, settled, situationAt } from './situation.ts'

/** A grant: an assignment, the role by which it grants, and the pattern of that role that covers the permission. */
export interface Granting {
  readonly assignment: Assignment
  /** The assigned role and those above it, up to the one that grants. */
  readonly roles: readonly RoleStep[]
  readonly pattern: Permission
}

/** From its definition, if that was read whole. */
export const roleName = (step: RoleStep | undefined): string | undefined =>
  step?.definition.node.state === 'found' ? step.definition.node.item.name : undefined

export function grantOf({ assignment: { scope_type, scope_id, role_id, expires_at }, roles }: Granting): Grant {
  const [first] = roles
  // The assigned role comes first: whoever grants has one.
  const role_owner = first?.role_owner ?? ''
  const last = roles.at(-1)
  const role_name = roleName(first)
  const through_name = roleName(last)
  return {
    ...{ scope_type, scope_id, role_id, role_owner },
    ...(role_name === undefined ? {} : { role_name }),
    ...(expires_at === undefined ? {} : { expires_at }),
    ...(last === undefined || last === first ? {} : { through: last.role_id, ...(through_name === undefined ? {} : { through_name }) }),
  }
}

const nearness = { building: 0, project: 1, client: 2 } as const

/**
 * The assignments of one user, those first that lists tell where several grant: of the nearest scope, then of the latest end, then by ids. So the
 * same question is answered by the same grant, although the reads come back in another order.
 */
export function asTold(assignments: readonly Assignment[]): readonly Assignment[] {
  // One without an end ends after all others; its text sorts after every instant.
  const endOf = ({ expires_at = 'never' }: Assignment) => expires_at
  return [...assignments].sort(
    (a, b) =>
      nearness[a.scope_type] - nearness[b.scope_type] ||
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
  readonly asked: WhatAsked
  readonly ids: Ids
  /** Looked-up names that are not there. */
  readonly unusable: readonly Unusable[]
}

/** The facts by which one question about a user at a scope is decided. */
export interface UserAtScope extends Known {
  readonly situation: Situation | undefined
  readonly isEntitled: boolean
  readonly judged: readonly Judged[]
  /** Absent if no role was read: the user, the scope or the module is not there, or denies regardless of roles. */
  readonly hierarchy: Hierarchy | undefined
}

/** The facts about a user at a scope, by what was read; undefined until that is all. */
function factsAt(reads: Reads, sources: Sources, known: Known, situation: Situation): UserAtScope | undefined {
  const { asked } = known
  const now = sources.runtime.now().toISOString()
  const entitled = isEntitled(situation.scope, asked, now)
  const nothing: UserAtScope = { ...known, situation, isEntitled: entitled, judged: [], hierarchy: undefined }
  const { user, scope, assignments } = situation
  if (!entitled || !isLiveScope(scope) || user.state !== 'found' || user.item.status !== 'active') return nothing
  const { client_id } = scope.path
  const judged = assignments.found.map((each) => {
    const assignment = ofClient(each, client_id)
    return { assignment, flaw: flawOf(assignment, user.item, client_id, now) }
  })
  const effective = judged.flatMap(({ assignment, flaw }) => (flaw === undefined ? [assignment] : []))
  const hierarchy = hierarchyOf(reads, effective)
  return hierarchy && { ...nothing, judged, hierarchy }
}

/**
 * The facts about a user at a scope. One round trip with warm definitions, two cold or strong, and one more for roles above roles and for links; one
 * more where a bare building's or project's id is looked up for the first time.
 */
export async function userAtScope(sources: Sources, asked: WhatAsked): Promise<UserAtScope> {
  const { module_id } = asked
  const named = userLookup(sources, asked.user)
  const names = { user: named, path: pathLookup(sources, asked, clientOf(sources, asked.user, named)) }
  // Of an e-mail address that was never looked up the roles are read ahead, so that the look-up costs no round trip more.
  const owner = asked.user.by === 'lookup' && names.user.guess === undefined ? names.path.guess?.client_id : undefined
  // So they are beside what is read of another user, who has the address now.
  const isAnother = (user: string) => names.user.guess !== undefined && names.user.guess !== user
  const [{ ids: found, unusable, read }] = await parallel(
    () =>
      resolveAt(
        names,
        asked,
        async ({ user, path }) => {
          const reads = readsOf(sources)
          const look = () => situationAt(reads, user, path, module_id)
          look()
          if (isAnother(user)) allRoles(reads, path.client_id)
          await reads.readOnce()
          return { reads, situation: look() }
        },
        ({ situation }) => isBuildingGone(situation?.scope),
      ),
    () => {
      if (owner === undefined) return undefined
      const ahead = readsOf(sources)
      allRoles(ahead, owner)
      return ahead.readOnce()
    },
  )
  const isNobody = names.user.isNobody(read?.situation?.user)
  const known = { asked, ids: isNobody ? { path: found.path } : found, unusable }
  const { reads, situation } = read ?? {}
  if (reads === undefined || situation === undefined || isNobody)
    return { ...known, situation: undefined, isEntitled: false, judged: [], hierarchy: undefined }
  return settled(reads, () => factsAt(reads, sources, known, situation))
}

/** The role and those above it up to the one that grants a permission, and its pattern; undefined if none does. */
export function rolesGranting(at: AssignedRole, hierarchy: Hierarchy, asked: Permission): Omit<Granting, 'assignment'> | undefined {
  const chain = hierarchy.chain(at)
  for (const [index, step] of chain.entries()) {
    const pattern = grantingPattern(step, hierarchy.catalogue, asked)
    if (pattern !== undefined) return { roles: chain.slice(0, index + 1), pattern }
  }
  return undefined
}

export function grantedBy(assignment: Assignment, hierarchy: Hierarchy, asked: Permission): Granting | undefined {
  const granting = rolesGranting(assignment, hierarchy, asked)
  return granting === undefined ? undefined : { assignment, ...granting }
}

/** Everything that a question of access was decided by. */
export interface Findings extends UserAtScope {
  readonly permission: Permission
  readonly grants: readonly Granting[]
}

export async function findingsOf(sources: Sources, asked: Access): Promise<Findings> {
  const at = await userAtScope(sources, asked)
  const { hierarchy, judged } = at
  const grants = judged.flatMap(({ assignment, flaw }) =>
    flaw !== undefined || hierarchy === undefined ? [] : (grantedBy(assignment, hierarchy, asked.permission) ?? []),
  )
  return { permission: asked.permission, grants, ...at }
}

/** All records that were loaded: lists report the malformed ones. */
export function loadedFor({ unusable, situation, hierarchy }: UserAtScope): readonly LoadResult<unknown>[] {
  const names = [...unusable, ...(hierarchy?.flaws() ?? [])]
  if (situation === undefined) return names
  return [...names, situation.user, ...recordsOf(situation.scope), ...situation.assignments.unusable]
}
