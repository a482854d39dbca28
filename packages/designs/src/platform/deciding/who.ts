import {
  type AnswerPage,
  confirmedPage,
  type Listed,
  type LoadResult,
  mergedRanges,
  placeOf,
  recordsOfNodes,
  type Sources,
  unknownReason,
} from '@freehold/frame/decision'
import { parallel } from '@freehold/table/runtime'
import { GroupMember, WorkstreamUser } from '../design.ts'
import { groups as groupDefinitions, groupsOfRole, isOf, type RolesOnMenu, rolesOfMenu, rolesOnMenu } from './definitions.ts'
import { placeFactsOf } from './facts.ts'
import { allows, rolesOfGroup } from './grants.ts'
import { type Granting, permittedMembers } from './members.ts'
import { flagOf } from './menu-flags.ts'
import type { Access, Permission, PermittedUser } from './question.ts'
import { accountRefusals, refusalReason } from './refusals.ts'

/** The roles of an account that grant a permission, and the groups that have them as far as roles list them. Two round trips cold or strong. */
async function listedGroups(sources: Sources, account: string, { menu, action }: Permission) {
  const listed = await rolesOfMenu.take(sources, menu)
  const roleIds = listed.roles.filter((each) => isOf(account)(each) && each.flags[flagOf[action]]).map(({ roleId }) => roleId)
  const [onMenu, having] = await parallel(
    () => rolesOnMenu(sources, roleIds, menu),
    () => groupsOfRole.takeAll(sources, roleIds),
  )
  const roles: RolesOnMenu = new Map([...onMenu].filter(([, role]) => allows(account, role, action)))
  const groupIds = [...having].flatMap(([roleId, { groups }]) => (roles.has(roleId) ? groups.filter(isOf(account)) : []))
  const flaws: readonly LoadResult<unknown>[] = [
    ...[...onMenu.values()].flatMap(({ role, permission }) => [role, permission]),
    ...[listed, ...having.values()].flatMap(({ unusable }) => unusable),
  ]
  return { roles, groupIds: [...new Set(groupIds.map(({ groupId }) => groupId))], flaws }
}

/** Members of a workstream, up to which they are gone through instead of the members of the groups. */
const membersMax = 1000

/** The users who might have a permission: the members of its groups or, if these are fewer, those of the workstream. */
async function candidatesOf(sources: Sources, asked: Omit<Access, 'user'>, { limit, after }: Listed) {
  const { account, workstream } = asked
  const { roles, groupIds, flaws } = await listedGroups(sources, account, asked)
  const ranges = groupIds.map((groupId) => ({ of: groupId, ...placeOf(GroupMember, { groupId }) }))
  const candidates = mergedRanges(sources, GroupMember, ranges, after)
  const within = workstream === undefined ? [] : [{ of: '', ...placeOf(WorkstreamUser, { workstreamId: workstream }) }]
  const members = mergedRanges(sources, WorkstreamUser, within, after)
  const [groups, steps] = await parallel(
    () => groupDefinitions.takeAll(sources, groupIds),
    () => candidates.read(limit + 1, 1),
    () => members.read(membersMax, 1),
  )
  const granting: Granting = new Map(
    groupIds.flatMap((groupId) => {
      const first = rolesOfGroup(account, groupId, groups).find((roleId) => roles.has(roleId))
      return first === undefined ? [] : [[groupId, first]]
    }),
  )
  candidates.keep((groupId) => granting.has(groupId))
  const areFew = workstream !== undefined && granting.size > 0 && members.areAllRead
  return { candidates: areFew ? members : candidates, steps, granting, flaws: [...flaws, ...recordsOfNodes(groups)] }
}

/**
 * One page of the distinct users who may do this in a menu here, in the order of their ids. Two round trips with warm definitions, four cold or strong;
 * more only if users that do not count have to be passed over. Roles that are unscoped list the groups of all accounts.
 */
export async function who(sources: Sources, asked: Omit<Access, 'user'>, list: Listed): Promise<AnswerPage<PermittedUser>> {
  const [{ account, workstream }, { candidates, steps, granting, flaws: defined }] = await parallel(
    () => placeFactsOf(sources, asked),
    () => candidatesOf(sources, asked, list),
  )
  const flaws: LoadResult<unknown>[] = [...defined, account, ...(workstream === undefined ? [] : [workstream])]
  const unknown = unknownReason(
    [],
    [
      { what: 'Account', name: asked.account, id: asked.account, result: account },
      { what: 'Workstream', name: asked.workstream, id: asked.workstream, result: workstream },
    ],
  )
  const [refusal] = account.state === 'found' ? accountRefusals(account.item) : []
  const reason = unknown ?? (refusal && refusalReason(refusal))
  if (reason !== undefined) return list.page([], undefined, flaws, reason)
  return confirmedPage(
    list,
    candidates,
    steps,
    (batch) => permittedMembers(sources, asked, batch, granting, flaws),
    ({ userId }) => userId,
    flaws,
  )
}
