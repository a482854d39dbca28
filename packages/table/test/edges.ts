import { beginsWith, design, edge, email, entity, equals, get, mirror, oneOf, query, stamp, text, ulid } from '../src/language.ts'

// The edges of the rebac design: the whole design is proven and typed beside itself, in the package that holds it.

const created = { createdAt: stamp.onCreate() }

export const User = entity('User', {
  attributes: { userId: ulid().made(), displayName: text(), userType: oneOf('MEMBER', 'LEAD').made('MEMBER'), ...created },
  key: ['USER#{userId}', 'META'],
})
export const Location = entity('Location', {
  attributes: { locationId: ulid().made(), locationCode: text(), name: text(), ...created },
  key: ['LOCATION#{locationId}', 'META'],
})
export const UserGroup = entity('UserGroup', {
  attributes: { groupId: ulid().made(), locationId: ulid(), groupType: oneOf('TEACHER', 'VOLUNTEER'), name: text(), ...created },
  key: ['GROUP#{groupId}', 'META'],
  refers: { locationId: Location },
  fixed: ['locationId'],
})
export const LocationGroup = mirror('LocationGroup', UserGroup, ['LOCATION#{locationId}', 'GROUP#{groupId}'], ['name', 'groupType'])
export const { EmailIdentity, UserEmailEdge } = edge({
  ends: { userId: User },
  attributes: { email: email(), provider: oneOf('google', 'github', 'microsoft'), ...created },
  items: { EmailIdentity: ['EMAIL#{email}', 'META'], UserEmailEdge: ['USER#{userId}', 'EMAIL#{email}'] },
  additions: { UserEmailEdge: 'a deleted user leaves no e-mail address behind' },
})
export const { UserLocationEdge, LocationUserEdge } = edge({
  ends: { userId: User, locationId: Location },
  attributes: { joinedAt: stamp.onCreate() },
  items: { UserLocationEdge: ['USER#{userId}', 'LOCATION#{locationId}'], LocationUserEdge: ['LOCATION#{locationId}', 'USER#{userId}'] },
  copies: {
    UserLocationEdge: { locationCode: 'locationId.locationCode', locationName: 'locationId.name' },
    LocationUserEdge: { userDisplayName: 'userId.displayName', userType: 'userId.userType' },
  },
})
export const { UserGroupEdge, GroupUserEdge } = edge({
  ends: { userId: User, groupId: UserGroup },
  within: UserLocationEdge,
  attributes: { joinedAt: stamp.onCreate() },
  items: { UserGroupEdge: ['USER#{userId}', 'GROUP#{groupId}'], GroupUserEdge: ['GROUP#{groupId}', 'USER#{userId}'] },
  copies: {
    UserGroupEdge: { locationId: 'groupId.locationId', groupType: 'groupId.groupType', groupName: 'groupId.name' },
    GroupUserEdge: { userDisplayName: 'userId.displayName' },
  },
})

/** Edges with copies, one within another, in a design that has no indexes. */
export const edges = design({
  name: 'edges',
  table: 'edges',
  noIndexes: true,
  entities: {
    User,
    Location,
    UserGroup,
    LocationGroup,
    EmailIdentity,
    UserEmailEdge,
    UserLocationEdge,
    LocationUserEdge,
    UserGroupEdge,
    GroupUserEdge,
  },
  patterns: {
    userIdOfEmail: get(EmailIdentity),
    locationsOfUser: query('USER#{userId}', beginsWith('LOCATION#')).returns(UserLocationEdge),
    leadsOfLocation: query('LOCATION#{locationId}', beginsWith('USER#')).where('userType').returns(LocationUserEdge),
    groupsOfUserAtLocation: query('USER#{userId}', beginsWith('GROUP#')).where('locationId').returns(UserGroupEdge),
    isInGroup: query('USER#{userId}', equals('GROUP#{groupId}')).returns(UserGroupEdge),
    all: query('USER#{userId}').returns(User, UserEmailEdge, UserLocationEdge, UserGroupEdge),
  },
})
