import { stamps, untold } from '@freehold/frame/attributes'
import { count, day, entity, mirror, oneOf, opaqueId, text } from '@freehold/table'
import { Account } from './accounts.ts'
import { denied, described, keyOfParent } from './attributes.ts'
import { Enterprise, EnterpriseProduct, EnterpriseService } from './catalogue.ts'

// Licenses (document §3), workstreams and their tools (§4)

export const License = entity('License', {
  attributes: {
    id: opaqueId().made(),
    accountId: opaqueId(),
    enterpriseId: opaqueId().mayBeAbsent('it is of no enterprise, and counts for none'),
    productId: opaqueId().optional().addition('the product that it is for: its enterprise has it, and it is in use'),
    serviceId: opaqueId().optional().addition('the service that it is for: its enterprise has it, and it is in use'),
    status: oneOf('active', 'expired')
      .made(() => 'active')
      .mayBeAbsent(denied),
    startDate: day().made().mayBeAbsent('it has begun'),
    endDate: day().mayBeAbsent(denied),
    seats: count().addition(
      'a license is for a number of users',
      'it entitles as the document says, and gives no seat until a number is set',
    ),
    seatsUsed: count().default(0).addition('claims of one seat compete for it on the license'),
    ...stamps,
  },
  key: ['ACCOUNT#{accountId}', 'LICENSE#{id}'],
  indexes: {
    GSI1: ['ENTITY#LICENSE', 'LICENSE#{id}'],
    GSI2: ['ENTERPRISE#{enterpriseId}', 'LICENSE#{id}'],
    GSI3: ['LICENSE#STATUS#{status}', '{endDate}#{id}'],
  },
  refers: {
    accountId: Account,
    enterpriseId: { to: Enterprise, onRemove: 'refuse' },
    productId: { to: EnterpriseProduct, onRemove: 'refuse' },
    serviceId: { to: EnterpriseService, onRemove: 'refuse' },
  },
})

export const Workstream = entity('Workstream', {
  attributes: { id: opaqueId().made(), accountId: opaqueId(), enterpriseId: opaqueId().optional(), ...described },
  key: ['ACCOUNT#{accountId}', 'WORKSTREAM#{id}'],
  indexes: { GSI1: ['ENTITY#WORKSTREAM', 'WORKSTREAM#{id}'], GSI2: ['ENTERPRISE#{enterpriseId}', 'WORKSTREAM#{id}'] },
  refers: { accountId: Account, enterpriseId: { to: Enterprise, onRemove: 'refuse' } },
})

export const WorkstreamTool = entity('WorkstreamTool', {
  attributes: {
    id: opaqueId().made(),
    workstreamId: opaqueId(),
    accountId: opaqueId().addition(keyOfParent, 'it is of the account of its workstream'),
    name: text().mayBeAbsent(untold),
    url: text().optional(),
    category: text().optional().addition('tools are listed by what they are for'),
    ...stamps,
  },
  key: ['WORKSTREAM#{workstreamId}', 'TOOL#{id}'],
  refers: { workstreamId: Workstream },
})

const inUse = { why: 'an enterprise in use is not deleted' }
const usesOfEnterprise = 'ENTERPRISE_USES#{enterpriseId}'
const ofLicense = ['productId', 'serviceId'] as const
export const EnterpriseLicense = mirror('EnterpriseLicense', License, [usesOfEnterprise, 'LICENSE#{id}'], ofLicense, inUse)
export const EnterpriseWorkstream = mirror('EnterpriseWorkstream', Workstream, [usesOfEnterprise, 'WORKSTREAM#{id}'], [], inUse)
