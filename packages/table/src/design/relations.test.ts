import { describe, expect, test } from 'vitest'
import * as am from '../../test/hardest/account-management.ts'
import * as az from '../../test/hardest/authorization.ts'
import * as re from '../../test/hardest/edges.ts'
import * as pf from '../../test/hardest/platform.ts'
import { design, entity, mirror, ulid } from '../language.ts'
import type { AnyDesign } from './design.ts'
import type { Entity } from './form.ts'
import type { Dependant, Known, KnownAttributes } from './relations.ts'

/** One line for each thing that hangs on an item: what, what becomes of it, and the query that finds it. */
function dependants({ form }: AnyDesign, target: Entity): string[] {
  return form.dependantsOf(target).map(shown)
}

function shown({ kind, onRemove, entity: of, reference, enumeration }: Dependant): string {
  const through = reference === undefined ? '' : ` by ${reference.attribute}`
  if (enumeration === undefined) return `${kind} ${of.name}${through}, ${onRemove}: not to be found`
  const { side, partition, sortPrefix, filters } = enumeration
  const known = ({ attribute, otherwise }: Known) =>
    [attribute && `its ${attribute}`, otherwise && `'${otherwise}'`].filter((each) => each !== undefined).join(' or ')
  const pairs = (record: KnownAttributes) => Object.entries(record).map(([own, theirs]) => `${own} = ${known(theirs)}`)
  const where = Object.keys(filters).length === 0 ? '' : ` where ${pairs(filters).join(' and ')}`
  return `${kind} ${of.name}${through}, ${onRemove}: ${side.name} with ${pairs(partition).join(' and ')} under '${sortPrefix}'${where}`
}

function followers({ form }: AnyDesign, target: Entity): string[] {
  return form
    .followersOf(target)
    .map(
      ({ side, copies }) =>
        `${side.name}: ${copies.map(({ attribute, from, through }) => `${attribute} from ${from} through ${through}`).join(', ')}`,
    )
}

describe('of edges', () => {
  test('what hangs on a user is found from the user', () => {
    expect(dependants(re.edges, re.User)).toEqual([
      "edge EmailIdentity by userId, cascade: UserEmailEdge with userId = its userId under 'EMAIL#'",
      "edge UserLocationEdge by userId, cascade: UserLocationEdge with userId = its userId under 'LOCATION#'",
      "edge UserGroupEdge by userId, cascade: UserGroupEdge with userId = its userId under 'GROUP#'",
    ])
  })

  test('what hangs on a location is its users, and its groups by their mirror', () => {
    expect(dependants(re.edges, re.Location)).toEqual([
      "edge UserLocationEdge by locationId, cascade: LocationUserEdge with locationId = its locationId under 'USER#'",
      "reference UserGroup by locationId, cascade: LocationGroup with locationId = its locationId under 'GROUP#'",
    ])
  })

  test('leaving a location leaves the groups that are there', () => {
    expect(dependants(re.edges, re.UserLocationEdge)).toEqual([
      "within UserGroupEdge, cascade: UserGroupEdge with userId = its userId under 'GROUP#' where locationId = its locationId",
    ])
    expect(dependants(re.edges, re.LocationUserEdge)).toEqual(dependants(re.edges, re.UserLocationEdge))
  })

  test('copies follow on the side that has them', () => {
    expect(followers(re.edges, re.User)).toEqual([
      'LocationUserEdge: userDisplayName from displayName through userId, userType from userType through userId',
      'GroupUserEdge: userDisplayName from displayName through userId',
    ])
    expect(followers(re.edges, re.UserGroup)).toEqual([
      'UserGroupEdge: locationId from locationId through groupId, groupType from groupType through groupId, groupName from name through groupId',
    ])
    expect(followers(re.edges, re.Location)).toEqual([
      'UserLocationEdge: locationCode from locationCode through locationId, locationName from name through locationId',
    ])
    expect(followers(re.edges, re.UserGroupEdge)).toEqual([])
  })
})

describe('of account-management', () => {
  test('a building hangs on its project, though it refers to its mirror, and copies the client from there', () => {
    expect(dependants(am.accountManagement, am.Project)).toEqual([
      "reference Building by project_id, cascade: Building with project_id = its id under 'BUILDING#'",
    ])
    expect(followers(am.accountManagement, am.Project)).toEqual(['Building: client_id from client_id through project_id'])
    expect(dependants(am.accountManagement, am.Building)).toEqual([
      "reference Device by building_id, cascade: Device with building_id = its id under 'DEVICE#'",
    ])
    expect(followers(am.accountManagement, am.Building)).toEqual(['Device: client_id from client_id through building_id'])
  })

  test('what hangs on a user lies in its partition', () => {
    expect(dependants(am.accountManagement, am.User)).toEqual([
      "reference UserRoleAssignment by user_id, cascade: UserRoleAssignment with user_id = its id under 'ROLE#'",
      "reference LoginSession by user_id, cascade: LoginSession with user_id = its id under 'SESSION#'",
    ])
  })

  test('what only an index would find is not found; what may lie in either of two partitions is looked for in the one that it is in', () => {
    expect(dependants(am.accountManagement, am.Client)).toEqual([
      "reference Project by client_id, cascade: Project with client_id = its id under 'PROJECT#'",
      'reference User by client_id, cascade: not to be found',
      "reference Role by client_id, cascade: Role with client_id = its id under 'ROLE#'",
    ])
  })
})

describe('of platform and authorization', () => {
  test('an edge whose end has a longer key is found, and told from those of another account', () => {
    expect(dependants(pf.platform, pf.Workstream)).toEqual([
      "edge UserWorkstream by workstreamId, cascade: WorkstreamUser with workstreamId = its id under 'USER#' where accountId = its accountId",
    ])
  })

  test('a reference may keep its target from going', () => {
    expect(dependants(pf.platform, pf.Enterprise)).toEqual(['reference License by enterpriseId, refuse: not to be found'])
  })

  test('the grants of a user are found by their mirror, those of a tenant by themselves', () => {
    expect(dependants(az.authorization, az.User)).toEqual([
      "reference TenantGrant by userId, cascade: UserTenantGrant with userId = its userId under 'TENANT#'",
    ])
    expect(dependants(az.authorization, az.Tenant)).toEqual([
      "reference TenantGrant by tenantId, cascade: TenantGrant with tenantId = its tenantId under 'USER#'",
    ])
  })
})

test('a target that may lack a part of its key is found without that part', () => {
  const Holder = entity('Holder', {
    attributes: { id: ulid(), role_id: ulid() },
    key: ['HOLDER#{id}', 'ROLE#{role_id}'],
    refers: { role_id: am.Role },
  })
  const RoleHolder = mirror('RoleHolder', Holder, ['HELD#{role_id}', 'HOLDER#{id}'])
  const { Client, ClientEntry, Role } = am
  const holding = design({ name: 'holding', table: 'holding', entities: { Client, ClientEntry, Role, Holder, RoleHolder }, patterns: {} })
  expect(dependants(holding, Role)).toEqual(["reference Holder by role_id, cascade: RoleHolder with role_id = its id under 'HOLDER#'"])
})

test('guards and mirrors belong to their owner', () => {
  const names = (of: AnyDesign, owner: Entity) => of.form.derivedItemsOf(owner).map(({ name }) => name)
  expect(names(az.authorization, az.User)).toEqual(['UserEmail', 'UserPhone', 'UserPreferredUsername'])
  expect(names(am.accountManagement, am.UserRoleAssignment)).toEqual(['ScopeAssignment', 'RoleHolder'])
  expect(names(am.accountManagement, am.RoleName)).toEqual([])
})

test('a design knows its indexes, and whether its items expire', () => {
  expect(am.accountManagement.form.indexes).toEqual(['GSI1', 'GSI2', 'GSI3', 'GSI4', 'GSI5'])
  expect(pf.platform.form.indexes).toEqual(['GSI1', 'GSI2', 'GSI3'])
  expect(re.edges.form.indexes).toEqual([])
  expect([am.accountManagement, pf.platform].map(({ form }) => form.expires)).toEqual([true, false])
  expect(am.SessionById.form.expires).toBe('expires_at')
})
