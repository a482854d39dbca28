import { type SigningParts, signingIn, unlinking } from '@freehold/frame/flow'
import { creating } from '@freehold/table'
import { consistent } from '@freehold/table/runtime'
import { SignInIdentity, Tenant, TenantGrant, User, UserEmail, UserSignInEdge } from '../design.ts'
import { type AuthorizationContext, atTenant, inSystem, itemFlows } from './authorization-host.ts'

const parts: SigningParts<AuthorizationContext, typeof User> = {
  user: User,
  identity: SignInIdentity,
  ofUser: UserSignInEdge,
  holder: 'userId',
  tenant: Tenant,
  allowed: 'identityProviders',
  unlinked: 'unlinkedProviders',
  address: UserEmail,
  // A user acts in each tenant that has granted it something.
  tenantsOf: async ({ table }, { userId }) => {
    const tenants: string[] = []
    for await (const { tenantId } of table.grantsOfUserOnTable.all({ userId }, consistent)) tenants.push(tenantId)
    return tenants
  },
  made: ({ id: userId, email: address, tenant: tenantId, first, last }) => ({
    user: { userId, email: address, givenName: first, familyName: last },
    steps: { grant: creating(TenantGrant, { tenantId, userId }) },
  }),
}

export const signing = signingIn(
  parts,
  'Signs in whom an identity provider names. At first sight the person becomes a user if each tenant of the user lets people of the provider do so.',
  'identities',
)

const identities = itemFlows(SignInIdentity, { scope: inSystem })

/** The flows by which people of an issuer are users: for operators, since a user is of every tenant that has granted it something. */
export const identityFlows = {
  signIn: signing.signIn,
  linkIdentity: identities.create({
    name: 'linkIdentity',
    summary: 'Links a subject of a provider to a user.',
    given: ['provider', 'subject', 'userId'],
    needs: 'operator',
    scope: inSystem,
  }),
  unlinkIdentity: identities.remove({
    name: 'unlinkIdentity',
    summary: 'Takes a subject of a provider from its user. Only linkIdentity links the user to the provider again.',
    alongside: ({ context }, before) => unlinking(parts, context, before),
    needs: 'operator',
  }),
  setIdentityProviders: itemFlows(Tenant, { scope: atTenant }).update({
    name: 'setIdentityProviders',
    summary: 'Says which providers make people users of the tenant at first sight. Who is linked stays so.',
    may: ['identityProviders'],
    needs: 'operator',
  }),
}
