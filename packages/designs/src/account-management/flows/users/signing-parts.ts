import type { SigningParts } from '@freehold/frame/flow'
import { Client, SignInIdentity, User, UserEmail, UserSignInEdge } from '../../design.ts'
import type { AccountContext } from '../account-host.ts'

/** How account-management keeps the people of identity providers. */
export const signingParts: SigningParts<AccountContext, typeof User> = {
  user: User,
  identity: SignInIdentity,
  ofUser: UserSignInEdge,
  holder: 'user_id',
  tenant: Client,
  allowed: 'identity_providers',
  unlinked: 'unlinked_providers',
  address: UserEmail,
  made: ({ id, email: address, tenant, first, last }) => ({
    user: { id, client_id: tenant, email: address, user_type: 'external_customer', first_name: first, last_name: last },
  }),
}
