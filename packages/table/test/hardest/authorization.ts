import {
  beginsWithPart,
  design,
  email,
  entity,
  get,
  list,
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
} from '../../src/language.ts'

export const Tenant = entity('Tenant', {
  attributes: { tenantId: ulid().made(), name: text(), status: oneOf('active', 'suspended').made('active') },
  key: ['TENANT#{tenantId}', 'TENANT#{tenantId}'],
  indexes: { GSI1: ['TENANT_NAME#{name}', 'TENANT_NAME#{name}'] },
})
export const TenantName = unique('TenantName', Tenant, ['TENANT_NAME#{name}', 'TENANT_NAME#{name}'], [], { why: 'an index is no guard' })

export const User = entity('User', {
  attributes: {
    userId: ulid().made(),
    email: email(),
    phone: phone().optional(),
    preferredUsername: username().optional(),
    givenName: text().optional(),
    roles: list(ulid()).made(() => []),
  },
  key: ['USER#{userId}', 'USER#{userId}'],
})
export const UserEmail = unique('UserEmail', User, ['USER_EMAIL#{email}', 'USER_EMAIL#{email}'])
export const UserPhone = unique('UserPhone', User, ['USER_PHONE#{phone}', 'USER_PHONE#{phone}'])
export const UserPreferredUsername = unique('UserPreferredUsername', User, [
  'USER_PREFERREDUSERNAME#{preferredUsername}',
  'USER_PREFERREDUSERNAME#{preferredUsername}',
])

export const Role = entity('Role', {
  attributes: { roleId: ulid().made(), name: text(), scope: oneOf('tenant', 'global') },
  key: ['ROLE_SCOPE#{scope}', 'ROLE_NAME#{name}'],
  indexes: { GSI1: ['ROLE#{roleId}', 'ROLE#{roleId}'] },
})
export const RoleById = unique('RoleById', Role, ['ROLE#{roleId}', 'ROLE#{roleId}'], [], { why: 'by id with one GetItem' })

export const TenantGrant = entity('TenantGrant', {
  attributes: { tenantGrantId: ulid().made(), tenantId: ulid(), userId: ulid(), roles: list(ulid()).made(() => []) },
  key: ['TENANT#{tenantId}', 'USER#{userId}'],
  indexes: {
    GSI1: ['USER#{userId}', 'TENANT#{tenantId}'],
    GSI2: ['TENANT_GRANT#{tenantGrantId}', 'TENANT_GRANT#{tenantGrantId}'],
  },
  refers: { tenantId: Tenant, userId: User },
})
export const UserTenantGrant = mirror('UserTenantGrant', TenantGrant, ['USER#{userId}', 'TENANT#{tenantId}'], ['tenantGrantId', 'roles'], {
  why: "a user's grants on the base table",
})
export const TenantGrantById = unique(
  'TenantGrantById',
  TenantGrant,
  ['TENANT_GRANT#{tenantGrantId}', 'TENANT_GRANT#{tenantGrantId}'],
  [],
  { why: 'by id with one GetItem' },
)

export const Policy = entity('Policy', {
  attributes: { policyId: opaqueId(), name: text() },
  key: ['GLOBAL', 'POLICY_NAME#{name}'],
  indexes: { GSI1: ['POLICY#{policyId}', 'POLICY#{policyId}'] },
})

/** The hardest entities of the authorization design, and all of its patterns. */
export const authorization = design({
  name: 'authorization',
  table: 'authorization',
  entities: {
    Tenant,
    TenantName,
    User,
    UserEmail,
    UserPhone,
    UserPreferredUsername,
    Role,
    RoleById,
    TenantGrant,
    UserTenantGrant,
    TenantGrantById,
    Policy,
  },
  patterns: {
    tenant: get(Tenant),
    tenantByName: queryOn('GSI1', 'TENANT_NAME#{name}').returns(Tenant),
    role: get(Role),
    roleById: queryOn('GSI1', 'ROLE#{roleId}').returns(Role),
    grant: get(TenantGrant),
    grantsOfUser: queryOn('GSI1', 'USER#{userId}').returns(TenantGrant),
    grantById: queryOn('GSI2', 'TENANT_GRANT#{tenantGrantId}').returns(TenantGrant),
    policiesByNamePrefix: query('GLOBAL', beginsWithPart('POLICY_NAME#{prefix}')).returns(Policy),
    policy: get(Policy),
    policyById: queryOn('GSI1', 'POLICY#{policyId}').returns(Policy),
    userByPhone: get(UserPhone),
  },
})
