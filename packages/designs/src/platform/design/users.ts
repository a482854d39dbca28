import { created, identityNames, signInReasons, stamps, unlinkedProviders, untold } from '@freehold/frame/attributes'
import { day, edge, email, entity, mirror, oneOf, opaqueId, stamp, text, unique } from '@freehold/table'
import { Account } from './accounts.ts'
import { denied, keyOfParent, ofAccount } from './attributes.ts'
import { License, Workstream } from './licenses.ts'

// Users (document §5)

export const User = entity('User', {
  attributes: {
    id: opaqueId().made(),
    accountId: opaqueId().mayBeAbsent('the user is of no account: everything is denied'),
    email: email().mayBeAbsent('no e-mail address finds the user, and no mail reaches it'),
    firstName: text().mayBeAbsent(untold),
    lastName: text().mayBeAbsent(untold),
    status: oneOf('active', 'inactive')
      .made(() => 'active')
      .mayBeAbsent(denied),
    endDate: day().optional(),
    unlinkedProviders,
    ...stamps,
  },
  key: ['USER#{id}', 'METADATA'],
  indexes: {
    GSI1: ['ENTITY#USER', 'USER#{id}'],
    GSI2: ['ACCOUNT#{accountId}#USERS', 'USER#{id}'],
    GSI3: ['USER#STATUS#{status}', '{endDate}#{id}|9999-12-31#{id}'], // without an end: after all that have one
  },
  refers: { accountId: Account },
  fixed: ['accountId'],
})

/** The contact of an account. If it mirrors a user, it has the id of that user: the two are one person. */
export const TechnicalUser = entity('TechnicalUser', {
  attributes: {
    id: opaqueId(),
    accountId: opaqueId(),
    name: text().mayBeAbsent(untold),
    email: email().mayBeAbsent('no mail reaches the contact'),
    userId: opaqueId().optional().addition('the user that it mirrors: one that exists, of the same account'),
    ...stamps,
  },
  key: ['ACCOUNT#{accountId}', 'TECH_USER#{id}'],
  refers: { accountId: Account, userId: User },
})

export const UserContact = mirror('UserContact', TechnicalUser, ['TECHNICAL_USERS#{userId}', 'ACCOUNT#{accountId}#{id}'], [], {
  why: 'a deleted user is no technical user any more',
})

export const UserEmail = unique('UserEmail', User, ['USER_EMAIL#{email}', 'USER_EMAIL#{email}'], ['accountId'], {
  why: 'an e-mail address is of one user, who signs in with it',
})

export const { SignInIdentity, UserSignInEdge } = edge({
  ends: { userId: User },
  attributes: { ...identityNames, ...created },
  items: {
    SignInIdentity: ['IDENTITY#{provider}#{subject}', 'IDENTITY#{provider}#{subject}'],
    UserSignInEdge: ['USER_IDENTITIES#{userId}', 'IDENTITY#{provider}'],
  },
  copies: { SignInIdentity: { accountId: 'userId.accountId' }, UserSignInEdge: { accountId: 'userId.accountId' } },
  additions: signInReasons,
})

export const { UserWorkstream, WorkstreamUser } = edge({
  ends: { userId: User, workstreamId: Workstream },
  attributes: {
    accountId: opaqueId().addition(keyOfParent, 'it is of the account of its user'),
    joinedAt: stamp.onCreate().mayBeAbsent(untold),
  },
  items: {
    UserWorkstream: ['USER#{userId}', 'WORKSTREAM#{workstreamId}'],
    WorkstreamUser: ['WORKSTREAM_USERS#{workstreamId}', 'USER#{userId}'],
  },
  additions: { WorkstreamUser: 'a deleted workstream leaves its users' },
})

export const { LicenseSeat, UserSeat } = edge({
  ends: { licenseId: License, userId: User },
  attributes: { accountId: opaqueId(), assignedAt: stamp.onCreate() },
  items: { LicenseSeat: ['LICENSE_SEATS#{licenseId}', 'USER#{userId}'], UserSeat: ['USER_SEATS#{userId}', 'LICENSE#{licenseId}'] },
  additions: { LicenseSeat: 'who has a seat', UserSeat: 'a deleted user leaves no seat' },
})

export const AccountUser = mirror('AccountUser', User, ['ACCOUNT_USERS#{accountId}', 'USER#{id}'], [], ofAccount)
