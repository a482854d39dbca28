import {
  changeAttributes,
  changeContent,
  identityNames,
  identityProviders,
  signInReasons,
  unlinkedProviders,
} from '@freehold/frame/attributes'
import {
  beginsWith,
  beginsWithPart,
  design,
  edge,
  email,
  entity,
  get,
  list,
  map,
  mirror,
  oneOf,
  opaqueId,
  phone,
  query,
  queryOn,
  text,
  ulid,
  unique,
  username,
} from '@freehold/table'

const uniqueName = text({ lookAlikes: 'refused' })
/** Roles of a user, and of a grant: each is checked in the transaction that adds it. */
const rolesMax = 90
const byId = { why: 'an id is taken once, and is looked up with GetItem' }

// Item types (ADR 0002, "Item types (entities)")

export const Tenant = entity('Tenant', {
  attributes: {
    tenantId: ulid().made(),
    name: uniqueName,
    status: oneOf('active', 'suspended').default('active').addition('a tenant that is not active allows nothing'),
    identityProviders,
  },
  key: ['TENANT#{tenantId}', 'TENANT#{tenantId}'],
  indexes: { GSI1: ['TENANT_NAME#{name}', 'TENANT_NAME#{name}'] },
})

export const Role = entity('Role', {
  attributes: { roleId: ulid().made(), name: uniqueName, scope: oneOf('tenant', 'global') },
  key: ['ROLE_SCOPE#{scope}', 'ROLE_NAME#{name}'],
  indexes: { GSI1: ['ROLE#{roleId}', 'ROLE#{roleId}'] },
  fixed: ['roleId', 'scope'], // users and grants name it by its id, each of its scope
})
/** An addition: users and grants name roles by their ids. */
export const RoleById = unique('RoleById', Role, ['ROLE#{roleId}', 'ROLE#{roleId}'], [], byId)

export const User = entity('User', {
  attributes: {
    userId: ulid().made(),
    email: email(),
    phone: phone().optional(),
    preferredUsername: username().optional(),
    givenName: text().optional(),
    familyName: text().optional(),
    roles: list(ulid(), { max: rolesMax }).default([]), // global ones
    unlinkedProviders,
  },
  key: ['USER#{userId}', 'USER#{userId}'],
  refers: { roles: { each: RoleById, where: { scope: 'global' } } },
})

export const UserEmail = unique('UserEmail', User, ['USER_EMAIL#{email}', 'USER_EMAIL#{email}'])
export const UserPhone = unique('UserPhone', User, ['USER_PHONE#{phone}', 'USER_PHONE#{phone}'])
export const UserPreferredUsername = unique('UserPreferredUsername', User, [
  'USER_PREFERREDUSERNAME#{preferredUsername}',
  'USER_PREFERREDUSERNAME#{preferredUsername}',
])

export const TenantGrant = entity('TenantGrant', {
  attributes: {
    tenantGrantId: ulid().made().mayBeAbsent('it is found by tenant and user alone'),
    tenantId: ulid(),
    userId: ulid(),
    roles: list(ulid(), { max: rolesMax }).default([]),
  },
  key: ['TENANT#{tenantId}', 'USER#{userId}'],
  indexes: {
    GSI1: ['USER#{userId}', 'TENANT#{tenantId}'],
    GSI2: ['TENANT_GRANT#{tenantGrantId}', 'TENANT_GRANT#{tenantGrantId}'],
  },
  refers: { tenantId: Tenant, userId: User, roles: { each: RoleById, where: { scope: 'tenant' } } },
  fixed: ['tenantGrantId', 'tenantId', 'userId'],
})

export const Policy = entity('Policy', {
  attributes: { policyId: opaqueId(), name: uniqueName },
  key: ['GLOBAL', 'POLICY_NAME#{name}'],
  indexes: { GSI1: ['POLICY#{policyId}', 'POLICY#{policyId}'] },
})

// Additions: what the document leaves to an index, which neither refuses a second item nor is read consistently, under a key of the table

export const TenantName = unique('TenantName', Tenant, ['TENANT_NAME#{name}', 'TENANT_NAME#{name}'], [], {
  why: 'the names of tenants are unique, which an index cannot enforce',
})
export const TenantGrantById = unique(
  'TenantGrantById',
  TenantGrant,
  ['TENANT_GRANT#{tenantGrantId}', 'TENANT_GRANT#{tenantGrantId}'],
  [],
  byId,
)
export const PolicyById = unique('PolicyById', Policy, ['POLICY#{policyId}', 'POLICY#{policyId}'], [], byId)
export const UserTenantGrant = mirror('UserTenantGrant', TenantGrant, ['USER#{userId}', 'TENANT#{tenantId}'], ['tenantGrantId', 'roles'], {
  why: 'the grants of a user are read consistently, and go with the user',
})

// Additions: the identities by which people of an issuer sign in

export const { SignInIdentity, UserSignInEdge } = edge({
  ends: { userId: User },
  attributes: identityNames,
  items: {
    SignInIdentity: ['IDENTITY#{provider}#{subject}', 'IDENTITY#{provider}#{subject}'],
    UserSignInEdge: ['USER#{userId}', 'IDENTITY#{provider}'],
  },
  additions: signInReasons,
})

// Additions: resources that lists enumerate, and whose attributes policies read

export const Resource = entity('Resource', {
  attributes: {
    tenantId: ulid(),
    type: text({ max: 200, pattern: /[A-Za-z_]\w*(::[A-Za-z_]\w*)*/, saying: 'is not a type of an entity, such as Ticket or Shop::Order' }),
    id: text({ otherSpellings: 'refused' }), // Cedar compares ids exactly
    attributes: map().made(() => ({})),
  },
  key: ['RESOURCES#{tenantId}#{type}', '{id}'],
  refers: { tenantId: Tenant },
  addition: { why: 'the resources of a tenant, listed by type, with the attributes that policies read' },
})
export const TenantResource = mirror('TenantResource', Resource, ['TENANT#{tenantId}', 'RESOURCE#{type}#{id}'], [], {
  why: 'the resources of a tenant go with it',
})

// Additions: what flows changed. As the document has it, nothing in this table expires

const { expiresAt: _, ...kept } = changeAttributes
export const Change = entity('Change', {
  attributes: { tenantId: ulid().optional(), ...kept },
  key: ['CHANGES#TENANT#{tenantId}|CHANGES#SYSTEM', 'CHANGE#{changedAt}#{changeId}'],
  appendOnly: true,
  addition: { why: 'who changed what, listed by tenant; what belongs to no tenant is listed apart' },
})
export const ActorChange = mirror(
  'ActorChange',
  Change,
  ['CHANGES#ACTOR#{actor}', 'CHANGE#{changedAt}#{changeId}'],
  ['tenantId', ...changeContent],
  { why: 'what one actor changed' },
)

/** Tenants, users with unique names, roles, what a user may be in a tenant, and the policies that decide what a role may do. */
export const authorization = design({
  name: 'authorization',
  table: 'authorization',
  description: 'Tenants, users that are unique everywhere, their roles in each tenant, and the names of the policies that decide for them.',
  entities: {
    Tenant,
    User,
    UserEmail,
    UserPhone,
    UserPreferredUsername,
    Role,
    TenantGrant,
    Policy,
    TenantName,
    RoleById,
    TenantGrantById,
    PolicyById,
    UserTenantGrant,
    SignInIdentity,
    UserSignInEdge,
    Resource,
    TenantResource,
    Change,
    ActorChange,
  },
  features: { identities: [SignInIdentity, UserSignInEdge], changes: [Change, ActorChange], resources: [Resource, TenantResource] },
  tenants: {
    by: 'tenantId',
    shared: [User, Role, RoleById, Policy, PolicyById], // of every tenant
    readBy: { User: TenantGrant }, // a tenant knows those whom it has granted something
    operators: [UserEmail, UserPhone, UserPreferredUsername, SignInIdentity, UserSignInEdge], // nobody probes for addresses; questions find who has a grant
    crossing: ['grantsOfUser', 'grantsOfUserOnTable', 'changesOfSystem', 'changesOfActor'],
  },
  patterns: {
    tenant: get(Tenant),
    tenantByName: queryOn('GSI1', 'TENANT_NAME#{name}').returns(Tenant),
    user: get(User),
    role: get(Role),
    roleById: queryOn('GSI1', 'ROLE#{roleId}').returns(Role),
    grant: get(TenantGrant),
    grantsOfUser: queryOn('GSI1', 'USER#{userId}').returns(TenantGrant),
    grantById: queryOn('GSI2', 'TENANT_GRANT#{tenantGrantId}').returns(TenantGrant),
    policiesByNamePrefix: query('GLOBAL', beginsWithPart('POLICY_NAME#{prefix}')).returns(Policy),
    policy: get(Policy),
    policyById: queryOn('GSI1', 'POLICY#{policyId}').returns(Policy),
    // additions
    tenantIdOfName: get(TenantName),
    userIdOfEmail: get(UserEmail).addition('signs in by e-mail address, consistently'),
    userIdOfPhone: get(UserPhone).addition('signs in by phone number, consistently'),
    userIdOfPreferredUsername: get(UserPreferredUsername).addition('signs in by name, consistently'),
    roleOfId: get(RoleById),
    grantOfId: get(TenantGrantById),
    policyOfId: get(PolicyById),
    grantsOfUserOnTable: query('USER#{userId}', beginsWith('TENANT#')).returns(UserTenantGrant),
    grantsOfTenant: query('TENANT#{tenantId}', beginsWith('USER#')).returns(TenantGrant).addition('who belongs to a tenant'),
    signIn: get(SignInIdentity),
    signInsOfUser: query('USER#{userId}', beginsWith('IDENTITY#')).returns(UserSignInEdge),
    rolesOfScope: query('ROLE_SCOPE#{scope}').returns(Role).addition('which roles there are'),
    resource: get(Resource),
    resourcesOfType: query('RESOURCES#{tenantId}#{type}').returns(Resource),
    resourcesOfTenant: query('TENANT#{tenantId}', beginsWith('RESOURCE#')).returns(TenantResource),
    changesOfTenant: query('CHANGES#TENANT#{tenantId}', beginsWith('CHANGE#')).descending().returns(Change),
    changesOfSystem: query('CHANGES#SYSTEM', beginsWith('CHANGE#')).descending().returns(Change),
    changesOfActor: query('CHANGES#ACTOR#{actor}', beginsWith('CHANGE#')).descending().returns(ActorChange),
  },
})
