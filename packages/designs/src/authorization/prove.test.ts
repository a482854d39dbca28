import { prove } from '@freehold/table/prove'
import { describe, expect, test } from 'vitest'
import { authorization } from './design.ts'

const proof = prove(authorization)

describe('the design', () => {
  test('is proven, without a finding', () => {
    expect(proof).toMatchObject({ design: 'authorization', isProven: true, findings: [] })
  })

  test('has the access patterns of the document, each one request to the key or index that it names', () => {
    const documented = proof.patterns.filter(({ addition }) => addition === undefined)
    expect(documented.map(({ name, request, returns }) => [name, request, ...returns])).toEqual([
      ['tenant', 'GetItem table PK = TENANT#{tenantId} AND SK = TENANT#{tenantId}', 'Tenant'],
      ['tenantByName', 'Query GSI1 GSI1PK = TENANT_NAME#{name}', 'Tenant'],
      ['user', 'GetItem table PK = USER#{userId} AND SK = USER#{userId}', 'User'],
      ['role', 'GetItem table PK = ROLE_SCOPE#{scope} AND SK = ROLE_NAME#{name}', 'Role'],
      ['roleById', 'Query GSI1 GSI1PK = ROLE#{roleId}', 'Role'],
      ['grant', 'GetItem table PK = TENANT#{tenantId} AND SK = USER#{userId}', 'TenantGrant'],
      ['grantsOfUser', 'Query GSI1 GSI1PK = USER#{userId}', 'TenantGrant'],
      ['grantById', 'Query GSI2 GSI2PK = TENANT_GRANT#{tenantGrantId}', 'TenantGrant'],
      ['policiesByNamePrefix', 'Query table PK = GLOBAL AND SK BEGINS WITH POLICY_NAME#{prefix}', 'Policy'],
      ['policy', 'GetItem table PK = GLOBAL AND SK = POLICY_NAME#{name}', 'Policy'],
      ['policyById', 'Query GSI1 GSI1PK = POLICY#{policyId}', 'Policy'],
    ])
  })

  test('has hot partitions where the document has all policies, and the roles of a scope, in one, and where changes of no tenant lie', () => {
    const hot = proof.partitions.filter(({ heat }) => heat === 'hot')
    expect(hot.map(({ partition }) => partition).sort()).toEqual(['CHANGES#SYSTEM', 'GLOBAL', 'ROLE_SCOPE#{scope}'])
  })
})
