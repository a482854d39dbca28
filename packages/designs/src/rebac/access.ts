import { accessOf, through } from '@freehold/frame/access'
import {
  EmailIdentity,
  GroupRole,
  Location,
  LocationCodeLookup,
  Page,
  RolePagePermission,
  rebac,
  User,
  UserGroup,
  UserGroupEdge,
  UserLocationEdge,
} from './design.ts'

/**
 * The document's access control flow: a user opens a page at a location by a role of one of its groups there. Any ALLOW wins. Permissions are by data alone:
 * `isAdmin` is no bypass.
 */
export const access = accessOf(rebac, {
  subject: User,
  place: Location,
  action: Page,
  verb: 'open',
  snapshots: false,
  names: [EmailIdentity, LocationCodeLookup],
  definitions: [Location],
  needs: [through(UserLocationEdge)],
  grants: through(UserGroup).byTies(GroupRole, RolePagePermission, { permission: 'ALLOW' }).through(UserGroupEdge),
  words: {
    UserLocationEdge: {
      is: 'membership',
      found: 'The user belongs to the location.',
      missing: 'The user does not belong to the location.',
    },
    UserGroupEdge: { is: 'group membership', found: 'The user is in the group.', missing: 'The user is in no group of the location.' },
    UserGroup: {
      is: 'group',
      found: 'The group is of the location.',
      missing: 'The group is of another location, whatever the edge to it says.',
    },
    GroupRole: { is: 'group role', found: 'The group has the role {roleName}.', missing: 'The group has no role.' },
    RolePagePermission: {
      is: 'permission',
      found: 'The role allows the page {pageName}.',
      denies: 'The role {roleName} denies the page.',
      missing: 'The role {roleName} does not allow the page.',
    },
    NoGrant: { is: 'grant', missing: "No role of the user's groups at the location allows the page." },
  },
  shows: {
    subject: { userId: 'userId', displayName: 'displayName', userType: 'userType' },
    place: { locationId: 'locationId', locationCode: 'locationCode', locationName: 'name' },
    grantedBy: GroupRole,
  },
})
