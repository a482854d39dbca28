import { parallel } from '@freehold/table/runtime'
import type { Reason } from '../../decision/decision.ts'
import { malformedRecord, policy, unknownReason } from '../../decision/fault.ts'
import { resolveNames } from '../../decision/lookup.ts'
import type { LoadResult, Unusable } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { type Groups, groups as groupDefinitions, type RolesOnMenu, readGroupsAhead, rolesOnMenu } from './definitions.ts'
import { type Facts, factsOf, userLookup } from './facts.ts'
import { distinctRoles, type Grant, grantsAmong, heldRoles, isGroupOf, recordsOfGroups } from './grants.ts'
import type { Access, WhatAsked } from './question.ts'
import { type Refusal, refusalReason, refusalsOf } from './refusals.ts'

/** A user at a place, with the roles that it has there. */
export interface UserAtPlace {
  readonly asked: WhatAsked
  /** Undefined for a name that stands for nothing. */
  readonly userId: string | undefined
  /** The record of a name that stands for nothing. */
  readonly unusable: readonly Unusable[]
  readonly facts: Facts | undefined
  readonly refusals: readonly Refusal[]
  /** Read only if nothing refuses. */
  readonly groups: Groups
  readonly held: readonly Grant[]
}

/** As days are stored, in UTC. */
export const todayOf = ({ runtime }: Sources): string => runtime.now().toISOString().slice(0, 10)

/** True if user, account and workstream are there. */
const areThere = ({ user, account, workstream }: Facts) =>
  [user, account, workstream].every((each) => each === undefined || each.state === 'found')

/**
 * One round trip with warm definitions. Cold or strong two: also if the user's e-mail address is looked up for the first time, unless the account has
 * more than 250 groups; then three.
 */
export async function userAtPlace(sources: Sources, asked: WhatAsked): Promise<UserAtPlace> {
  const user = userLookup(sources, asked.user)
  const isNew = asked.user.by === 'lookup' && user.guess === undefined
  const [{ ids, unusable, read: facts }] = await parallel(
    () => resolveNames({ user }, (known) => factsOf(sources, known.user, asked)),
    async () => (isNew ? readGroupsAhead(sources, asked.account) : undefined),
  )
  const refusals = facts === undefined ? [] : refusalsOf(asked.account, facts, todayOf(sources))
  const at = { asked, userId: ids.user, unusable, facts, refusals }
  if (facts === undefined || !areThere(facts) || refusals.length > 0) return { ...at, groups: new Map(), held: [] }
  const edges = facts.groups.found
  const groups = await groupDefinitions.takeAll(
    sources,
    edges.map(({ groupId }) => groupId),
  )
  return { ...at, groups, held: heldRoles(asked.account, edges, groups) }
}

/** Everything that one question of access was decided by. */
export interface Findings extends UserAtPlace {
  readonly asked: Access
  readonly roles: RolesOnMenu
  readonly grants: readonly Grant[]
}

/** One round trip more than `userAtPlace` if the roles are not in memory. */
export async function findingsOf(sources: Sources, asked: Access): Promise<Findings> {
  const at = await userAtPlace(sources, asked)
  const roles = await rolesOnMenu(sources, distinctRoles(at.held), asked.menu)
  return { ...at, asked, roles, grants: grantsAmong(asked.account, at.held, roles, asked.action) }
}

/** All records that were loaded for a user at a place. */
export function recordsOf({ unusable, facts, groups }: UserAtPlace): readonly LoadResult<unknown>[] {
  const { user, account, workstream, membership } = facts ?? {}
  const found = [user, account, workstream, membership].flatMap((each) => each ?? [])
  return [...unusable, ...found, ...(facts?.groups.unusable ?? []), ...recordsOfGroups(groups)]
}

/** Why nothing is allowed, or listed, if something that was asked about is not there or refuses: faults before names, names before policy (spec rule 19). */
export function closedReason({ asked, userId, unusable, facts, refusals }: UserAtPlace): Reason | undefined {
  const unknown = unknownReason(unusable, [
    { what: 'User', name: asked.user.text, id: userId, result: facts?.user },
    { what: 'Account', name: asked.account, id: asked.account, result: facts?.account },
    { what: 'Workstream', name: asked.workstream, id: asked.workstream, result: facts?.workstream },
  ])
  const [first] = refusals
  return unknown ?? (first && refusalReason(first))
}

/** Why nothing allows, whatever the menu. Undefined if the user is in a group of the account. */
export function denialAtPlace(at: UserAtPlace): Reason | undefined {
  if (recordsOf(at).some(({ state }) => state === 'malformed')) return malformedRecord
  const isInGroup = [...at.groups.values()].some((group) => isGroupOf(at.asked.account, group))
  return closedReason(at) ?? (isInGroup ? undefined : policy('NoGroup', 'The user is in no group of the account.'))
}
