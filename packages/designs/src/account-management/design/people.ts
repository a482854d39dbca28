import { identityNames, identityProviders, signInReasons, uniqueName, unlinkedProviders, untold } from '@freehold/frame/attributes'
import { edge, email, entity, flag, instant, mirror, oneOf, phone, text, unique, uuid } from '@freehold/table'
import { actor, created, stamps } from './attributes.ts'

// Tenants (requirements, entity 1)

export const Client = entity('Client', {
  attributes: {
    id: uuid().made(),
    name: uniqueName.mayBeAbsent(untold),
    status: oneOf('active', 'suspended').default('active'),
    logo_url: text().optional(),
    primary_contact_email: email().optional(),
    primary_contact_name: text().optional(),
    timezone: text().default('UTC'),
    billing_email: email().optional(),
    address: text().optional(),
    phone: phone().optional(),
    identity_providers: identityProviders,
    ...stamps,
  },
  key: ['CLIENT#{id}', 'METADATA'],
  indexes: { GSI1: ['CLIENT#{id}', 'CLIENT#{id}'], GSI4: ['CLIENT#{id}', 'CLIENT#{created_at}'] },
})

export const ClientEntry = mirror('ClientEntry', Client, ['DIRECTORY#CLIENT', 'CLIENT#{id}'], ['name', 'status'], {
  why: 'lists the clients',
})

// Users (entity 4)

export const User = entity('User', {
  attributes: {
    id: uuid().made(),
    client_id: uuid().optional(), // none: internal
    email: email().mayBeAbsent('no e-mail address finds the user'),
    status: oneOf('active', 'disabled')
      .made(() => 'active')
      .mayBeAbsent('the user is not known to be active: everything is denied'),
    first_name: text().optional(),
    last_name: text().optional(),
    password_hash: text().optional().secret(),
    phone: phone().optional(),
    title: text().optional(),
    department: text().optional(),
    last_login_at: instant().optional(),
    user_type: oneOf('internal', 'client_admin', 'external_customer', 'external_tenant')
      .mayBeAbsent('the user is not internal: without a client it is allowed nothing')
      .describe('What kind of user it is: `internal` without a client, another one with a client.'),
    invited_by: actor(),
    invited_at: instant().optional(),
    invitation_status: oneOf('open', 'accepted', 'expired', 'withdrawn')
      .optional()
      .addition(
        'a user who was invited is active only once it has accepted; who was disabled before that is not let in by being invited again',
      ),
    invitation_expires_at: instant().optional().addition('an invitation ends, and is accepted once: this is there until it is'),
    mfa_enabled: flag().default(false),
    mfa_type: text().optional(),
    mfa_secret: text().optional().secret(),
    password_last_changed_at: instant().optional(),
    unlinked_providers: unlinkedProviders,
    ...stamps,
  },
  key: ['USER#{id}', 'METADATA'],
  indexes: {
    GSI1: ['CLIENT#{client_id}', 'USER#{id}'],
    GSI2: ['USER#{id}', 'USER#{id}'],
    GSI3: ['EMAIL#{email}', 'USER#{id}'],
    GSI4: ['CLIENT#{client_id}', 'USER#{created_at}'],
  },
  refers: { client_id: Client },
})
export const UserEmail = unique('UserEmail', User, ['USER_EMAIL#{email}', 'USER_EMAIL#{email}'], ['client_id'], {
  why: 'an e-mail address is of one user, which GSI3 cannot see to; sign-in reads it consistently',
})
const clientUser = ['CLIENT_USERS#{client_id}|CLIENT_USERS#SYSTEM', 'USER#{id}'] as const
export const ClientUser = mirror('ClientUser', User, clientUser, [], {
  why: 'a deleted client takes its users; internal users, who are in no index of clients, are swept, too',
})

export const { SignInIdentity, UserSignInEdge } = edge({
  ends: { user_id: User },
  attributes: { ...identityNames, ...created },
  items: {
    SignInIdentity: ['IDENTITY#{provider}#{subject}', 'IDENTITY#{provider}#{subject}'],
    UserSignInEdge: ['USER#{user_id}', 'IDENTITY#{provider}'],
  },
  copies: { SignInIdentity: { client_id: 'user_id.client_id' }, UserSignInEdge: { client_id: 'user_id.client_id' } },
  additions: signInReasons,
})
