import { identityProviders, stamps, uniqueName, untold } from '@freehold/frame/attributes'
import { entity, flag, oneOf, opaqueId, text } from '@freehold/table'

// Accounts (document §1); their technical users stand below, after the users that they mirror

export const Account = entity('Account', {
  attributes: {
    id: opaqueId().made(),
    name: uniqueName.mayBeAbsent(untold),
    status: oneOf('active', 'suspended').default('active').addition('an account that is not active denies everything'),
    identityProviders,
    ...stamps,
  },
  key: ['ACCOUNT#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#ACCOUNT', 'ACCOUNT#{id}'] },
})

export const AccountAddress = entity('AccountAddress', {
  attributes: {
    id: opaqueId().made(),
    accountId: opaqueId(),
    line1: text().mayBeAbsent(untold),
    line2: text().optional(),
    city: text().mayBeAbsent(untold),
    postalCode: text().optional(),
    country: text().mayBeAbsent(untold),
    isPrimary: flag().optional().addition('one address of an account is its primary one'),
    ...stamps,
  },
  key: ['ACCOUNT#{accountId}', 'ADDRESS#{id}'],
  refers: { accountId: Account },
})
