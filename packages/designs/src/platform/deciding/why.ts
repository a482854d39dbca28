import {
  type Evidence,
  evidence,
  explained,
  malformedNames,
  type Sources,
  unusableAmong,
  unusableEvidence,
  type Why,
} from '@freehold/frame/decision'
import type { Entity } from '@freehold/table'
import { Account, Group, GroupRole, Role, RolePermission, User, UserEmail, UserGroup, UserWorkstream, Workstream } from '../design.ts'
import { type Findings, findingsOf } from './access.ts'
import { verdictOf } from './can.ts'
import { isOf } from './definitions.ts'
import { distinctRoles, type Grant, rolesOfGroup } from './grants.ts'
import { flagOf } from './menu-flags.ts'
import type { Access } from './question.ts'

/** The same as `can`, by the same reads, with the items that it rests on. */
export async function why(sources: Sources, asked: Access): Promise<Why> {
  const findings = await findingsOf(sources, asked)
  return explained(
    verdictOf(findings),
    findings.grants,
    (grant) => [...placeChain(findings), ...grantChain(findings, grant)],
    () => [...missingAtPlace(findings), ...missingGroups(findings), ...missingRoles(findings)],
  )
}

type Ids = Readonly<Record<string, string>>

const found = (step: string, entity: Entity, id: Ids, message: string, as?: Evidence['as']): Evidence =>
  evidence(step, entity, id, 'found', message, as)

/** The user, the account and, if one was asked for, the workstream. */
function placeChain({ asked: { account, workstream }, facts }: Findings): Evidence[] {
  if (facts?.user.state !== 'found') return []
  const { id: userId, endDate = null } = facts.user.item
  const until = endDate === null ? '' : ` until ${endDate}`
  const chain = [
    // Nothing refuses the user, who is active and of the account.
    found('user', User, { id: userId }, `The user is active${until}.`, { status: 'active', endDate, accountId: account }),
    found('account', Account, { id: account }, 'The account is active.', { status: 'active' }),
  ]
  if (workstream === undefined) return chain
  return [
    ...chain,
    found('workstream', Workstream, { accountId: account, id: workstream }, 'The workstream is of the account.'),
    found('membership', UserWorkstream, { userId, workstreamId: workstream }, 'The user is a member of the workstream.', {
      accountId: account,
    }),
  ]
}

function grantChain({ asked: { menu, action }, userId = '' }: Findings, { groupId, roleId }: Grant): Evidence[] {
  return [
    found('group membership', UserGroup, { userId, groupId }, 'The user is in the group.'),
    found('group', Group, { id: groupId }, 'The group is of the account.'),
    found('group role', GroupRole, { groupId, roleId }, 'The group has the role.'),
    found('role', Role, { id: roleId }, 'The role is of the account, or of none.'),
    found('permission', RolePermission, { roleId, menuKey: menu }, `The role may ${action} in the menu ${JSON.stringify(menu)}.`, {
      [flagOf[action]]: true,
    }),
  ]
}

function missingAtPlace({ asked, userId, unusable, facts, refusals }: Findings): Evidence[] {
  const { account, workstream: workstreamId = '' } = asked
  const { text } = asked.user
  if (userId === undefined || facts === undefined) {
    const nobody = evidence('user', UserEmail, { email: text }, 'missing', `No user has the e-mail address ${JSON.stringify(text)}.`)
    return [nobody, ...malformedNames(unusable)]
  }
  return [
    ...unusableEvidence('user', User, { id: userId }, facts.user),
    ...unusableEvidence('account', Account, { id: account }, facts.account),
    ...unusableEvidence('workstream', Workstream, { accountId: account, id: workstreamId }, facts.workstream),
    ...refusals.map(({ told }) => told),
    ...unusableAmong('group membership', facts.groups.unusable),
  ]
}

function missingGroups({ asked: { account }, userId = '', facts, groups, refusals }: Findings): Evidence[] {
  const edges = facts?.groups.found ?? []
  const told: Evidence[] = []
  if (edges.length === 0 && facts?.user.state === 'found' && refusals.length === 0)
    told.push(evidence('group membership', UserGroup, { userId }, 'missing', 'The user is in no group.'))
  for (const edge of edges) {
    const { groupId } = edge
    const group = groups.get(groupId)
    if (group === undefined) continue
    told.push(...unusableEvidence('group', Group, { id: groupId }, group.node), ...unusableAmong('group role', group.unusable))
    if (group.node.state !== 'found') continue
    if (group.node.item.accountId !== account || !isOf(account)(edge))
      told.push(evidence('group', Group, { id: groupId }, 'denies', 'The group is of another account.'))
    else if (rolesOfGroup(account, groupId, groups).length === 0)
      told.push(evidence('group role', GroupRole, { groupId }, 'missing', 'The group has no role.'))
  }
  return told
}

/** The permission of each role that the user has. */
function missingRoles({ asked: { account, menu, action }, held, roles }: Findings): Evidence[] {
  return distinctRoles(held).flatMap((roleId): Evidence[] => {
    const known = roles.get(roleId)
    if (known === undefined) return []
    const { role, permission } = known
    const id = { roleId, menuKey: menu }
    const flaws = [
      ...unusableEvidence('role', Role, { id: roleId }, role),
      ...unusableEvidence('permission', RolePermission, id, permission),
    ]
    if (role.state !== 'found' || permission.state !== 'found') return flaws
    if (![role.item, permission.item].every(isOf(account)))
      return [evidence('role', Role, { id: roleId }, 'denies', 'The role is of another account.')]
    return [evidence('permission', RolePermission, id, 'denies', `The role may not ${action} in the menu ${JSON.stringify(menu)}.`)]
  })
}
