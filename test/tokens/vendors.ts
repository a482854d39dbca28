import { now_s } from './signed.ts'

/** A token with the claims that a vendor's documents show, but for the times, and what it says of its user. */
export interface VendorsToken {
  readonly name: string
  /** The section of the guide with its settings. */
  readonly section: string
  readonly header?: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  readonly person: Readonly<Record<string, unknown>>
}

const times = { iat: now_s - 60, exp: now_s + 3_600 }
const pool = 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_EXAMPLE'
const tenant = '9122040d-6c67-4c5b-b112-36a304b66dad'

export const vendorsTokens: readonly VendorsToken[] = [
  {
    // https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
    name: 'id token of Cognito',
    section: 'Cognito',
    header: { typ: undefined },
    claims: {
      ...{ sub: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', 'cognito:groups': ['test-group-a', 'test-group-b'], email_verified: true },
      ...{ iss: pool, 'cognito:username': 'my-test-user', middle_name: 'Jane', nonce: 'abcdefg', aud: '1example23456789' },
      ...{ origin_jti: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', event_id: '64f513be-32db-42b0-b78e-b02127b4f463', token_use: 'id' },
      ...{ jti: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', email: 'my-test-user@example.com', auth_time: times.iat, ...times },
    },
    person: {
      ...{ provider: 'cognito', subject: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', firstSight: 'link' },
      ...{ address: 'my-test-user@example.com', isAddressVerified: true },
    },
  },
  {
    // https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
    name: 'access token of Cognito',
    section: 'Cognito',
    header: { typ: undefined },
    claims: {
      ...{ sub: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', device_key: 'us-east-1_aaaaaaaa', 'cognito:groups': ['testgroup'], iss: pool },
      ...{
        version: 2,
        client_id: '1example23456789',
        origin_jti: 'aaaa',
        event_id: 'bbbb',
        token_use: 'access',
        scope: 'phone openid profile',
      },
      ...{ auth_time: times.iat, jti: 'cccc', username: 'my-test-user', ...times },
    },
    person: { provider: 'cognito', subject: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', address: undefined, isAddressVerified: false },
  },
  {
    // https://auth0.com/docs/secure/tokens/access-tokens/access-token-profiles: Auth0's own profile, and claims of an Action
    name: 'access token of Auth0',
    section: 'Auth0',
    claims: {
      ...{ iss: 'https://acme.us.auth0.com/', sub: 'auth0|123456', aud: ['https://api.acme.com', 'https://acme.us.auth0.com/userinfo'] },
      ...{ azp: 'my_client_id', scope: 'openid profile read:admin', gty: 'password', ...times },
      ...{ 'https://acme.com/email': 'ada@acme.com', 'https://acme.com/email_verified': true, 'https://acme.com/tenant': 'north' },
    },
    person: { provider: 'auth0', subject: 'auth0|123456', address: 'ada@acme.com', isAddressVerified: true, tenant: 'north' },
  },
  {
    // The same, with the profile of RFC 9068.
    name: 'access token of Auth0 by RFC 9068',
    section: 'Auth0',
    header: { typ: 'at+jwt' },
    claims: {
      ...{ iss: 'https://acme.us.auth0.com/', sub: 'auth0|123456', aud: ['https://api.acme.com', 'https://acme.us.auth0.com/userinfo'] },
      ...{ client_id: 'my_client_id', jti: 'e9a0', scope: 'openid profile read:admin', ...times },
    },
    person: { provider: 'auth0', subject: 'auth0|123456', address: undefined, isAddressVerified: false, tenant: undefined },
  },
  {
    // https://learn.microsoft.com/entra/identity-platform/id-tokens: the sample of v2.0
    name: 'id token of Entra, v2.0',
    section: 'Microsoft Entra ID',
    claims: {
      ...{ ver: '2.0', iss: `https://login.microsoftonline.com/${tenant}/v2.0`, sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ' },
      ...{
        aud: '6cb04018-a3f5-46a7-b995-940c78f5aef3',
        ...times,
        nbf: times.iat,
        name: 'Abe Lincoln',
        preferred_username: 'AbeLi@microsoft.com',
      },
      ...{
        oid: '00000000-0000-0000-66f3-3332eca7ea81',
        tid: tenant,
        nonce: '123523',
        aio: 'Df2UVXL1ix!lMCWMSOJBcFatzcGfvFGhjKv8q5g0x732dR5MB5BisvGQO7YWByjd',
      },
      // The address is the optional claim that anybody's administrator writes.
      email: 'ada@example.org',
    },
    person: {
      ...{ provider: 'entra', subject: '00000000-0000-0000-66f3-3332eca7ea81', tenant: undefined, name: 'Abe Lincoln' },
      ...{ address: 'ada@example.org', isAddressVerified: false, firstSight: 'refuse' },
    },
  },
  {
    // https://developers.google.com/identity/openid-connect/openid-connect: an ID token's payload
    name: 'id token of Google',
    section: 'Google',
    claims: {
      ...{
        iss: 'https://accounts.google.com',
        azp: '1234987819200.apps.googleusercontent.com',
        aud: '1234987819200.apps.googleusercontent.com',
      },
      ...{ sub: '10769150350006150715113082367', at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q', hd: 'example.com', email: 'jsmith@example.com' },
      ...{ email_verified: 'true', ...times, nonce: '0394852-3190485-2490358' },
    },
    person: {
      ...{ provider: 'google', subject: '10769150350006150715113082367', tenant: undefined, firstSight: 'link' },
      ...{ address: 'jsmith@example.com', isAddressVerified: true },
    },
  },
  {
    name: 'id token of Google by its other name',
    section: 'Google',
    claims: {
      ...{
        iss: 'accounts.google.com',
        aud: '1234987819200.apps.googleusercontent.com',
        sub: '10769150350006150715113082367',
        hd: 'example.com',
      },
      ...times,
    },
    person: { provider: 'google', issuer: 'accounts.google.com', subject: '10769150350006150715113082367', tenant: undefined },
  },
]
