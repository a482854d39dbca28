import {
  type LoadResult,
  loadRecords,
  malformedRecord,
  type Name,
  policy,
  type Reason,
  recordsOfNodes,
  resolveNames,
  type Sources,
  type Unusable,
  unknownReason,
  wanted,
} from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import { Account, Workstream } from '../design.ts'
import {
  type Groups,
  groups as groupDefinitions,
  groupsOfAccount,
  isOf,
  type RolesOnMenu,
  readGroupsAhead,
  rolesOnMenu,
} from './definitions.ts'
import { type Facts, factsOf, presenceOf, userLookup } from './facts.ts'
import { distinctRoles, type Grant, grantsAmong, heldRoles, isGroupOf } from './grants.ts'
import type { Access, WhatAsked } from './question.ts'
import { type Refusal, refusalReason, refusalsOf } from './refusals.ts'

/** A user at a place, as far as they were found. */
interface Looked {
  readonly asked: WhatAsked
  /** Undefined for a name that stands for nothing. */
  readonly userId: string | undefined
  /** The record of a name that stands for nothing. */
  readonly unusable: readonly Unusable[]
  readonly facts: Facts | undefined
}

/** A user at a place, with the roles that it has there. */
export interface UserAtPlace extends Looked {
  readonly refusals: readonly Refusal[]
  /** Read only if nothing refuses. */
  readonly groups: Groups
  readonly held: readonly Grant[]
}

function readGroups(sources: Sources, { groups }: Pick<Facts, 'groups'>) {
  const groupIds = groups.found.map(({ groupId }) => groupId)
  return groupDefinitions.takeAll(sources, groupIds)
}

/** One round trip if the groups are not in memory. */
async function withRoles(sources: Sources, looked: Looked): Promise<UserAtPlace> {
  const { asked, facts } = looked
  const refusals = facts === undefined ? [] : refusalsOf(asked.account, facts, sources.runtime.now())
  const { user, account, workstream } = facts ?? {}
  const areThere = [user, account, ...(asked.workstream === undefined ? [] : [workstream])].every((each) => each?.state === 'found')
  if (facts === undefined || !areThere || refusals.length > 0) return { refusals, groups: new Map(), held: [], ...looked }
  const groups = await readGroups(sources, facts)
  return { refusals, groups, held: heldRoles(asked.account, facts.groups.found, groups), ...looked }
}

/**
 * One round trip with warm definitions, two cold or strong. If the user's e-mail address is looked up for the first time, or is another user's since it
 * was looked up, the groups of the account are read ahead, unless it has more than 250; then it takes one more.
 */
export async function userAtPlace(sources: Sources, asked: WhatAsked): Promise<UserAtPlace> {
  const user = userLookup(sources, asked.user)
  // The list of groups comes beside the look-up, and the groups beside what hangs on it.
  const readFacts = async (userId: string) => {
    const read = () => factsOf(sources, userId, asked)
    if (userId === user.guess) return read()
    const [facts] = await parallel(read, () => readGroupsAhead(sources, asked.account))
    return facts
  }
  const [{ ids, unusable, read: facts }] = await parallel(
    () => resolveNames({ user }, (known) => readFacts(known.user)),
    async () => (asked.user.by === 'lookup' ? groupsOfAccount.take(sources, asked.account) : undefined),
  )
  return withRoles(sources, { asked, userId: ids.user, unusable, facts })
}

/** A user at its account, with the user's workstreams there. */
export interface UserEverywhere extends UserAtPlace {
  readonly workstreams: readonly LoadResult<Pick<Item<typeof Workstream>, 'id' | 'name'>>[]
}

/** Two round trips, also cold or strong, and one more if an e-mail address is looked up for the first time. */
export async function userEverywhere(sources: Sources, user: Name, hasWorkstreams: boolean): Promise<UserEverywhere> {
  const { ids, unusable, read } = await resolveNames({ user: userLookup(sources, user) }, (known) =>
    presenceOf(sources, known.user, hasWorkstreams),
  )
  const { accountId } = read?.user.state === 'found' ? read.user.item : {}
  if (read === undefined || accountId === undefined) {
    const nowhere = await withRoles(sources, { asked: { user, account: '' }, userId: ids.user, unusable, facts: read })
    return { workstreams: [], ...nowhere }
  }
  const at = wanted(Account, { id: accountId })
  const beneath = read.workstreams.found.filter(isOf(accountId)).map(({ workstreamId: id }) => wanted(Workstream, { accountId, id }))
  const [loaded] = await parallel(
    () => loadRecords(sources, [at, ...beneath]),
    () => readGroups(sources, read),
  )
  const looked = { asked: { user, account: accountId }, userId: ids.user, unusable, facts: { ...read, account: loaded(at) } }
  return {
    workstreams: [...beneath.map((each) => loaded(each)), ...read.workstreams.unusable],
    ...(await withRoles(sources, looked)),
  }
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
  return { roles, grants: grantsAmong(asked.account, at.held, roles, asked.action), ...at, asked }
}

/** All records that were loaded for a user at a place. */
export function recordsOf({ unusable, facts, groups }: UserAtPlace): readonly LoadResult<unknown>[] {
  const { user, account, workstream, membership } = facts ?? {}
  const found = [user, account, workstream, membership].flatMap((each) => each ?? [])
  return [...unusable, ...found, ...(facts?.groups.unusable ?? []), ...recordsOfNodes(groups)]
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

/** Why nothing allows in any menu. Undefined if the user is in a group of the account. */
export function denialAtPlace(at: UserAtPlace): Reason | undefined {
  if (recordsOf(at).some(({ state }) => state === 'malformed')) return malformedRecord
  const isInGroup = [...at.groups.values()].some((group) => isGroupOf(at.asked.account, group))
  return closedReason(at) ?? (isInGroup ? undefined : policy('NoGroup', 'The user is in no group of the account.'))
}
