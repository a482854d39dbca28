import {
  type Evidence,
  evidence,
  explained,
  malformedNames,
  type Name,
  type Sources,
  unusableAmong,
  unusableEvidence,
  type Why,
} from '@freehold/frame/decision'
import type { Entity } from '@freehold/table'
import {
  EmailIdentity,
  GroupRole,
  Location,
  LocationCodeLookup,
  Page,
  Role,
  RolePagePermission,
  User,
  UserGroup,
  UserGroupEdge,
  UserLocationEdge,
} from '../design.ts'
import { type Findings, findingsOf } from './access.ts'
import { verdictOf } from './can.ts'
import type { Grant } from './grants.ts'
import type { Access } from './question.ts'

/** The same as `can`, by the same reads, with the items that it rests on. */
export async function why(sources: Sources, asked: Access): Promise<Why> {
  const findings = await findingsOf(sources, asked)
  return explained(
    verdictOf(findings),
    findings.grants,
    (grant) => chainOf(findings, grant),
    () => missingIn(findings),
  )
}

type Ids = Readonly<Record<string, string>>

const quoted = (text: string) => JSON.stringify(text)

function chainOf({ asked, situation }: Findings, { groupId, roleName }: Grant): Evidence[] {
  if (situation === undefined) return []
  const { userId, locationId } = situation
  const pageName = asked.page
  const found = (step: string, entity: Entity, id: Ids, message: string) => evidence(step, entity, id, 'found', message)
  return [
    found('user', User, { userId }, 'The user exists.'),
    found('location', Location, { locationId }, 'The location exists.'),
    found('membership', UserLocationEdge, { userId, locationId }, 'The user belongs to the location.'),
    found('group membership', UserGroupEdge, { userId, groupId }, 'The user is in the group.'),
    found('group', UserGroup, { groupId }, 'The group is of the location.'),
    found('group role', GroupRole, { groupId, roleName }, `The group has the role ${quoted(roleName)}.`),
    found('role', Role, { roleName }, 'The role exists.'),
    found('permission', RolePagePermission, { roleName, pageName }, `The role allows the page ${quoted(pageName)}.`),
    found('page', Page, { pageName }, 'The page exists.'),
  ]
}

function nameEvidence(name: Name, what: 'user' | 'location', lookup: Entity, placeholder: string): Evidence {
  const message = name.by === 'nothing' ? `${quoted(name.text)} is no name of a ${what}.` : `No ${what} is called ${quoted(name.text)}.`
  return evidence(what, lookup, { [placeholder]: name.text }, 'missing', message)
}

function missingIn(findings: Findings): Evidence[] {
  const { asked, ids, unusable, situation, page } = findings
  const told: Evidence[] = []
  if (ids.user === undefined) told.push(nameEvidence(asked.user, 'user', EmailIdentity, 'email'))
  if (ids.location === undefined) told.push(nameEvidence(asked.location, 'location', LocationCodeLookup, 'locationCode'))
  told.push(...malformedNames(unusable))
  if (situation !== undefined) {
    const { userId, locationId } = situation
    told.push(
      ...unusableEvidence('user', User, { userId }, situation.user),
      ...unusableEvidence('location', Location, { locationId }, situation.location),
      ...unusableEvidence('membership', UserLocationEdge, { userId, locationId }, situation.membership),
    )
  }
  const ofPage = [
    ...unusableEvidence('page', Page, { pageName: asked.page }, page.node),
    ...page.unusable.flatMap((each) => unusableEvidence('permission', RolePagePermission, { ...each.key }, each)),
  ]
  const ofGroups =
    situation !== undefined && page.node.state === 'found' ? [...missingGroups(findings, situation), ...missingRoles(findings)] : []
  return [...told, ...ofPage, ...ofGroups]
}

function missingGroups({ groups }: Findings, { userId, locationId, groups: edges }: NonNullable<Findings['situation']>): Evidence[] {
  const told = [...unusableAmong('group membership', edges.unusable)]
  if (edges.found.length === 0)
    told.push(evidence('group membership', UserGroupEdge, { userId, locationId }, 'missing', 'The user is in no group of the location.'))
  for (const [groupId, { node, roles, unusable }] of groups) {
    for (const each of [...unusableEvidence('group', UserGroup, { groupId }, node), ...unusableAmong('group role', unusable)])
      told.push(each)
    if (node.state !== 'found') continue
    if (node.item.locationId !== locationId)
      told.push(evidence('group', UserGroup, { groupId }, 'missing', 'The group is of another location, whatever the edge to it says.'))
    else if (roles.size === 0) told.push(evidence('group role', GroupRole, { groupId }, 'missing', 'The group has no role.'))
  }
  return told
}

/** The permission of each role of the user's groups for the page. */
function missingRoles({ asked, page, groups, roles: onPage }: Findings): Evidence[] {
  const pageName = asked.page
  const held = new Set([...groups.values()].flatMap(({ roles }) => [...roles]))
  return [...held].flatMap((roleName): Evidence[] => {
    const known = onPage.get(roleName)
    const id = { roleName, pageName }
    if (known !== undefined) {
      const { role, permission } = known
      return [
        ...unusableEvidence('role', Role, { roleName }, role),
        ...unusableEvidence('permission', RolePagePermission, id, permission),
        ...(permission.state === 'found' && permission.item.permission !== 'ALLOW' ? [denies(id)] : []),
      ]
    }
    if (page.roles.get(roleName) === 'DENY') return [denies(id)]
    return [evidence('permission', RolePagePermission, id, 'missing', `The role ${quoted(roleName)} does not allow the page.`)]
  })
}

function denies(id: { readonly roleName: string; readonly pageName: string }): Evidence {
  return evidence('permission', RolePagePermission, id, 'denies', `The role ${quoted(id.roleName)} denies the page.`)
}
