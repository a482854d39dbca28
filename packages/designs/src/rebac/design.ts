import { changeAttributes, changeContent, changesOfActorKey, created, stamps, uniqueName, untold } from '@freehold/frame/attributes'
import { beginsWith, code, design, edge, email, entity, flag, get, mirror, oneOf, query, stamp, text, ulid, unique } from '@freehold/table'

const renaming = ulid().optional().addition('the job that renames it: until that is done, flows change neither name')

// Nodes (document §1-7)

export const User = entity('User', {
  attributes: {
    userId: ulid().made(),
    displayName: text(),
    userType: oneOf('MEMBER', 'LEAD').default('MEMBER'),
    isAdmin: flag().default(false),
    ...stamps,
  },
  key: ['USER#{userId}', 'META'],
})

export const Location = entity('Location', {
  attributes: { locationId: ulid().made(), locationCode: code(), name: uniqueName, address: text().optional(), ...stamps },
  key: ['LOCATION#{locationId}', 'META'],
})

/** Guards the code: changing it swaps this item in the same transaction. */
export const LocationCodeLookup = unique('LocationCodeLookup', Location, ['LOCATION_CODE#{locationCode}', 'META'], ['createdAt'])

export const UserGroup = entity('UserGroup', {
  attributes: {
    groupId: ulid().made(),
    locationId: ulid(),
    groupType: oneOf('TEACHER', 'VOLUNTEER').default('VOLUNTEER'),
    name: uniqueName,
    ...stamps,
  },
  key: ['GROUP#{groupId}', 'META'],
  refers: { locationId: Location },
  fixed: ['locationId'],
})

export const Role = entity('Role', {
  attributes: { roleName: uniqueName, description: text().optional(), renaming, ...stamps },
  key: ['ROLE#{roleName}', 'META'],
})

export const Page = entity('Page', {
  attributes: { pageName: uniqueName, description: text().optional(), renaming, ...created },
  key: ['PAGE#{pageName}', 'META'],
})

// Relationships (document §1, §8-11): the items of an edge are written and removed together, and go when an end goes

/** The document's providers, and `import`: an address with which nobody has signed in yet. */
const provider = oneOf('google', 'github', 'microsoft', 'import')

export const { EmailIdentity, UserEmailEdge } = edge({
  ends: { userId: User },
  attributes: { email: email(), provider, ...stamps },
  items: { EmailIdentity: ['EMAIL#{email}', 'META'], UserEmailEdge: ['USER#{userId}', 'EMAIL#{email}'] },
  additions: { UserEmailEdge: 'a deleted user leaves no e-mail address behind' },
})

export const { SignInIdentity, UserSignInEdge } = edge({
  ends: { userId: User },
  attributes: { provider, subject: uniqueName, ...created },
  items: {
    SignInIdentity: ['IDENTITY#{provider}#{subject}', 'IDENTITY#{provider}#{subject}'],
    UserSignInEdge: ['USER#{userId}', 'IDENTITY#{provider}'],
  },
  additions: {
    SignInIdentity: 'a provider may change the e-mail address of an account; its subject stays',
    UserSignInEdge: 'a user has one subject at each provider, and a deleted user leaves none behind',
  },
})

export const { UserLocationEdge, LocationUserEdge } = edge({
  ends: { userId: User, locationId: Location },
  attributes: { joinedAt: stamp.onCreate().mayBeAbsent(untold) },
  items: { UserLocationEdge: ['USER#{userId}', 'LOCATION#{locationId}'], LocationUserEdge: ['LOCATION#{locationId}', 'USER#{userId}'] },
  copies: {
    UserLocationEdge: { locationCode: 'locationId.locationCode', locationName: 'locationId.name' },
    LocationUserEdge: { userDisplayName: 'userId.displayName', userType: 'userId.userType' },
  },
})

export const { UserGroupEdge, GroupUserEdge } = edge({
  ends: { userId: User, groupId: UserGroup },
  within: UserLocationEdge, // leaving a location leaves its groups
  attributes: { joinedAt: stamp.onCreate().mayBeAbsent(untold) },
  items: { UserGroupEdge: ['USER#{userId}', 'GROUP#{groupId}'], GroupUserEdge: ['GROUP#{groupId}', 'USER#{userId}'] },
  copies: {
    UserGroupEdge: { locationId: 'groupId.locationId', groupType: 'groupId.groupType', groupName: 'groupId.name' },
    GroupUserEdge: { userDisplayName: 'userId.displayName' },
  },
})

export const { GroupRole, RoleGroupEdge } = edge({
  ends: { groupId: UserGroup, roleName: Role },
  attributes: { assignedAt: stamp.onCreate().mayBeAbsent(untold) },
  items: { GroupRole: ['GROUP#{groupId}', 'ROLE#{roleName}'], RoleGroupEdge: ['ROLE#{roleName}', 'GROUP#{groupId}'] },
  additions: { RoleGroupEdge: 'a deleted role leaves its groups; who may open a page' },
})

export const { RolePagePermission, PageRoleEdge } = edge({
  ends: { roleName: Role, pageName: Page },
  attributes: { permission: oneOf('ALLOW', 'DENY'), ...stamps },
  items: { RolePagePermission: ['ROLE#{roleName}', 'PAGE#{pageName}'], PageRoleEdge: ['PAGE#{pageName}', 'ROLE#{roleName}'] },
  additions: { PageRoleEdge: 'a deleted page leaves its roles; who may open a page' },
})

// Additions: ways to list what the document can only look up, without an index and without a Scan

const listing = { why: 'lists without an index' }

export const LocationGroup = mirror('LocationGroup', UserGroup, ['LOCATION#{locationId}', 'GROUP#{groupId}'], ['name', 'groupType'], {
  why: 'a deleted location takes its groups',
})
export const UserEntry = mirror('UserEntry', User, ['DIRECTORY#USER', 'USER#{userId}'], ['displayName'], listing)
export const LocationEntry = mirror(
  'LocationEntry',
  Location,
  ['DIRECTORY#LOCATION', 'LOCATION#{locationId}'],
  ['locationCode', 'name'],
  listing,
)
export const GroupEntry = mirror('GroupEntry', UserGroup, ['DIRECTORY#GROUP', 'GROUP#{groupId}'], ['locationId', 'name'], listing)
export const RoleEntry = mirror('RoleEntry', Role, ['DIRECTORY#ROLE', 'ROLE#{roleName}'], [], listing)
export const PageEntry = mirror('PageEntry', Page, ['DIRECTORY#PAGE', 'PAGE#{pageName}'], [], listing)

// What flows changed, kept for a year

export const Change = entity('Change', {
  attributes: { locationId: ulid().optional(), ...changeAttributes },
  key: ['CHANGES#LOCATION#{locationId}|CHANGES#SYSTEM', 'CHANGE#{changedAt}#{changeId}'],
  appendOnly: true,
  expires: 'expiresAt',
  addition: { why: 'who changed what, listed by location; what belongs to no location is listed apart' },
})
export const ActorChange = mirror('ActorChange', Change, changesOfActorKey, ['locationId', ...changeContent], {
  why: 'what one actor changed',
})

// The entities in the order of the document, and the additions

const nodes = { EmailIdentity, User, Location, LocationCodeLookup, UserGroup, Role, Page }
const memberships = { UserLocationEdge, LocationUserEdge, UserGroupEdge, GroupUserEdge, GroupRole, RolePagePermission }
const edges = { UserEmailEdge, SignInIdentity, UserSignInEdge, RoleGroupEdge, PageRoleEdge, LocationGroup }
const directory = { UserEntry, LocationEntry, GroupEntry, RoleEntry, PageEntry }
const changes = { Change, ActorChange }

/** Relationship-based access in one table, with no index and no Scan; the whole table is one tenant. */
export const rebac = design({
  name: 'rebac',
  table: 'rebac',
  description: 'People in locations and their groups, and the pages that the roles of a group open; the whole table is one tenant.',
  noIndexes: true,
  entities: { ...nodes, ...memberships, ...edges, ...directory, ...changes },
  features: { changes: [Change, ActorChange] },
  patterns: {
    userIdOfEmail: get(EmailIdentity),
    user: get(User),
    location: get(Location),
    locationIdOfCode: get(LocationCodeLookup),
    group: get(UserGroup),
    role: get(Role),
    page: get(Page),
    locationsOfUser: query('USER#{userId}', beginsWith('LOCATION#')).returns(UserLocationEdge),
    usersOfLocation: query('LOCATION#{locationId}', beginsWith('USER#')).returns(LocationUserEdge),
    usersOfLocationByType: query('LOCATION#{locationId}', beginsWith('USER#')).where('userType').returns(LocationUserEdge),
    locationOfUser: get(UserLocationEdge),
    groupsOfUser: query('USER#{userId}', beginsWith('GROUP#')).returns(UserGroupEdge),
    groupsOfUserAtLocation: query('USER#{userId}', beginsWith('GROUP#')).where('locationId').returns(UserGroupEdge),
    groupOfUser: get(UserGroupEdge),
    usersOfGroup: query('GROUP#{groupId}', beginsWith('USER#')).returns(GroupUserEdge),
    rolesOfGroup: query('GROUP#{groupId}', beginsWith('ROLE#')).returns(GroupRole),
    roleOfGroup: get(GroupRole),
    permissionsOfRole: query('ROLE#{roleName}', beginsWith('PAGE#')).returns(RolePagePermission),
    permission: get(RolePagePermission),
    // additions
    emailsOfUser: query('USER#{userId}', beginsWith('EMAIL#')).returns(UserEmailEdge),
    signIn: get(SignInIdentity),
    signInsOfUser: query('USER#{userId}', beginsWith('IDENTITY#')).returns(UserSignInEdge),
    groupsOfRole: query('ROLE#{roleName}', beginsWith('GROUP#')).returns(RoleGroupEdge),
    rolesOfPage: query('PAGE#{pageName}', beginsWith('ROLE#')).returns(PageRoleEdge),
    groupsOfLocation: query('LOCATION#{locationId}', beginsWith('GROUP#')).returns(LocationGroup),
    users: query('DIRECTORY#USER').returns(UserEntry),
    locations: query('DIRECTORY#LOCATION').returns(LocationEntry),
    groups: query('DIRECTORY#GROUP').returns(GroupEntry),
    roles: query('DIRECTORY#ROLE').returns(RoleEntry),
    pages: query('DIRECTORY#PAGE').returns(PageEntry),
    changesOfLocation: query('CHANGES#LOCATION#{locationId}', beginsWith('CHANGE#')).descending().returns(Change),
    changesOfSystem: query('CHANGES#SYSTEM', beginsWith('CHANGE#')).descending().returns(Change),
    changesOfActor: query('CHANGES#ACTOR#{actor}', beginsWith('CHANGE#')).descending().returns(ActorChange),
  },
})
