import type { TokenOf } from './tokens.ts'
import { tenants, users } from './world.ts'

/** What differs from the request that is allowed: ada closes the ticket t-1 of acme. */
export interface FailClosedCase {
  readonly name: string
  /** The code of the reason in the log, or those of which each shape has one. */
  readonly code: string | readonly string[]
  /** What the client gets. */
  readonly status: 401 | 403
  readonly user?: string
  readonly tenant?: string
  /** What is done with the ticket: the end of the path, and of the field's name. */
  readonly doing?: 'close' | 'archived' | 'noted' | 'team' | 'sized' | 'unmapped'
  readonly token?: TokenOf
  /** The values of the Authorization header; `TOKEN` stands for the token. */
  readonly authorization?: readonly string[]
  readonly headers?: readonly (readonly [string, string])[]
  readonly host?: string
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  /** Changes the map. */
  readonly map?: (text: string) => string
  /** What the decider does instead of deciding. */
  readonly decider?: 'throws' | 'storage' | 'engine' | 'many roles' | 'no reason' | 'not a decision'
  readonly log?: 'throws'
  /** The shapes that it makes sense for; all unless given. */
  readonly asks?: 'paths' | 'queries'
}

const { acme, rival, asleep, nowhere } = tenants
const at = (path: string) => ({ path, asks: 'paths' }) as const
const asking = (query: string) => ({ query, asks: 'queries' }) as const
const claims = (changed: Readonly<Record<string, unknown>>) => ({ token: { claims: changed } })
const header = (changed: Readonly<Record<string, unknown>>) => ({ token: { header: changed } })
const bearer = { status: 401 } as const
const refused = { status: 403 } as const
const close = (ticket: string) => `/tenants/${acme}/tickets/${ticket}/close`
const part = (index: number, value: string) => (token: string) =>
  token
    .split('.')
    .map((each, at) => (at === index ? value : each))
    .join('.')

const now_s = (offset: number) => Math.floor(Date.parse('2026-03-01T12:00:00Z') / 1000) + offset

export const failClosedCases: readonly FailClosedCase[] = [
  // The token
  { name: 'no token', code: 'TokenMissing', ...bearer, authorization: [] },
  { name: 'an empty header', code: 'TokenMissing', ...bearer, authorization: [''] },
  { name: 'another scheme', code: 'TokenMalformed', ...bearer, authorization: ['Basic YWRhOnNlY3JldA=='] },
  { name: 'a token without its scheme', code: 'TokenMalformed', ...bearer, authorization: ['TOKEN'], asks: 'paths' },
  { name: 'two headers', code: ['TokenAmbiguous', 'TokenMalformed'], ...bearer, authorization: ['Bearer TOKEN', 'Bearer TOKEN'] },
  { name: 'two tokens in one header', code: 'TokenMalformed', ...bearer, authorization: ['Bearer TOKEN TOKEN'] },
  {
    name: 'a token in another header alone',
    code: 'TokenMissing',
    ...bearer,
    authorization: [],
    headers: [['X-Authorization', 'Bearer TOKEN']],
  },
  { name: 'a token in a cookie alone', code: 'TokenMissing', ...bearer, authorization: [], headers: [['Cookie', 'token=TOKEN']] },
  { name: 'no JWT', code: 'TokenMalformed', ...bearer, authorization: ['Bearer abc'] },
  { name: 'a token of two parts', code: 'TokenMalformed', ...bearer, token: { change: (token) => token.split('.').slice(0, 2).join('.') } },
  { name: 'an encrypted token', code: 'TokenMalformed', ...bearer, authorization: ['Bearer a.b.c.d.e'] },
  { name: 'a header that is no JSON', code: 'TokenMalformed', ...bearer, token: { change: part(0, 'bm8') } },
  {
    name: 'a header that is a list',
    code: 'TokenMalformed',
    ...bearer,
    token: { change: part(0, Buffer.from('[]').toString('base64url')) },
  },
  { name: 'claims that are no JSON', code: ['TokenMalformed', 'SignatureInvalid'], ...bearer, token: { change: part(1, 'bm8') } },
  { name: 'a token that is far too long', code: 'TokenMalformed', ...bearer, token: { change: part(1, 'a'.repeat(20_000)) } },
  { name: 'a token with a line break', code: 'TokenMalformed', ...bearer, authorization: ['Bearer TOKEN.'] },
  { name: 'alg none', code: 'AlgorithmNotAllowed', ...bearer, token: { header: { alg: 'none' }, signedBy: 'nobody' } },
  { name: 'alg None', code: 'AlgorithmNotAllowed', ...bearer, token: { header: { alg: 'None' }, signedBy: 'nobody' } },
  {
    name: 'alg none with a key id',
    code: 'AlgorithmNotAllowed',
    ...bearer,
    token: { header: { alg: 'none', kid: 'one' }, signedBy: 'nobody' },
  },
  { name: 'no alg', code: 'AlgorithmNotAllowed', ...bearer, token: { header: { alg: undefined }, signedBy: 'nobody' } },
  { name: 'alg is a list', code: 'AlgorithmNotAllowed', ...bearer, token: { header: { alg: ['RS256'] }, signedBy: 'nobody' } },
  {
    name: 'the public key taken for a secret',
    code: 'AlgorithmNotAllowed',
    ...bearer,
    token: { header: { alg: 'HS256' }, signedBy: 'public' },
  },
  {
    name: 'an algorithm that is not in the list',
    code: 'AlgorithmNotAllowed',
    ...bearer,
    token: { header: { alg: 'PS256' }, signedBy: 'nobody' },
  },
  {
    name: 'the algorithm of another key',
    code: 'KeyUnknown',
    ...bearer,
    token: { header: { alg: 'ES256', kid: 'one' }, signedBy: 'ES256' },
  },
  { name: 'a signature by another key', code: 'SignatureInvalid', ...bearer, token: { signedBy: 'other' } },
  { name: 'no signature', code: 'SignatureInvalid', ...bearer, token: { change: part(2, '') } },
  { name: 'a changed signature', code: 'SignatureInvalid', ...bearer, token: { change: (token) => `${token.slice(0, -9)}AAAAAAAAA` } },
  {
    name: 'claims that were changed',
    code: 'SignatureInvalid',
    ...bearer,
    token: { change: part(1, Buffer.from('{"sub":"root"}').toString('base64url')) },
  },
  { name: 'an unknown key id', code: 'KeyUnknown', ...bearer, ...header({ kid: 'three' }) },
  { name: 'a key within the token', code: 'KeyUnknown', ...bearer, ...header({ kid: 'three', jwk: { kty: 'oct', k: 'YQ' } }) },
  { name: 'a key address within the token', code: 'KeyUnknown', ...bearer, ...header({ kid: 'three', jku: 'https://evil.example/jwks' }) },
  {
    name: 'an extension that must be understood',
    code: 'TokenMalformed',
    ...bearer,
    token: { header: { crit: ['exp'], exp: 1 }, signedBy: 'nobody' },
  },
  { name: 'the type of another kind of token', code: 'TokenTypeWrong', ...bearer, ...header({ typ: 'logout+jwt' }) },
  { name: 'a type that is no text', code: 'TokenTypeWrong', ...bearer, ...header({ typ: 1 }) },
  {
    name: 'not the type that the map wants',
    code: 'TokenTypeWrong',
    ...bearer,
    map: (text) => text.replace('tolerance_s: 5', 'type: at+jwt'),
  },
  { name: 'another issuer', code: 'IssuerWrong', ...bearer, ...claims({ iss: 'https://id.example.com/' }) },
  { name: 'an issuer that begins alike', code: 'IssuerWrong', ...bearer, ...claims({ iss: 'https://id.example.org/.evil.example' }) },
  { name: 'a list of issuers', code: 'IssuerWrong', ...bearer, ...claims({ iss: ['https://id.example.org/'] }) },
  { name: 'no issuer', code: 'ClaimMissing', ...bearer, ...claims({ iss: undefined }) },
  { name: 'another audience', code: 'AudienceWrong', ...bearer, ...claims({ aud: 'invoices' }) },
  { name: 'other audiences', code: 'AudienceWrong', ...bearer, ...claims({ aud: ['invoices', 'Tickets'] }) },
  { name: 'no audience', code: 'ClaimMissing', ...bearer, ...claims({ aud: undefined }) },
  { name: 'expired', code: 'TokenExpired', ...bearer, ...claims({ exp: now_s(-6) }) },
  { name: 'expired at the end of the tolerance', code: 'TokenExpired', ...bearer, ...claims({ exp: now_s(-5) }) },
  { name: 'no expiry', code: 'ClaimMissing', ...bearer, ...claims({ exp: undefined }) },
  { name: 'an expiry that is text', code: 'ClaimMalformed', ...bearer, ...claims({ exp: '9999999999' }) },
  { name: 'an expiry that is null', code: 'ClaimMalformed', ...bearer, ...claims({ exp: null }) },
  { name: 'not yet valid', code: 'TokenNotYetValid', ...bearer, ...claims({ nbf: now_s(6) }) },
  { name: 'a begin that is text', code: 'ClaimMalformed', ...bearer, ...claims({ nbf: 'now' }) },
  { name: 'no subject', code: 'ClaimMissing', ...bearer, ...claims({ sub: undefined }) },
  { name: 'an empty subject', code: 'ClaimMalformed', ...bearer, ...claims({ sub: '' }) },
  { name: 'a subject that is a number', code: 'ClaimMalformed', ...bearer, ...claims({ sub: 7 }) },
  { name: 'a subject that is a list', code: 'ClaimMalformed', ...bearer, ...claims({ sub: [users.ada] }) },
  { name: 'a subject that is no id', code: 'ClaimMalformed', ...bearer, user: 'ada@example.org' },
  { name: 'an id with space around it', code: 'ClaimMalformed', ...bearer, user: ` ${users.ada}` },
  { name: 'no claim for the user', code: 'ClaimMissing', ...bearer, map: (text) => text.replace('tolerance_s: 5', 'user: uid') },
  {
    name: 'a claim for the user that every object has',
    code: 'ClaimMissing',
    ...bearer,
    map: (text) => text.replace('tolerance_s: 5', 'user: constructor'),
  },
  {
    name: 'no subject beside the claim for the user',
    code: 'ClaimMissing',
    ...bearer,
    ...claims({ sub: undefined, uid: users.ada }),
    map: (text) => text.replace('tolerance_s: 5', 'user: uid'),
  },
  {
    name: 'no secret signed it',
    code: 'SignatureInvalid',
    ...bearer,
    token: { header: { alg: 'HS256', kid: undefined }, signedBy: 'another secret' },
    map: (text) => text.replace(/algorithms.*\n.*keys.*/, 'algorithms: [HS256]\n  keys: secret'),
  },
  {
    name: 'a key pair where a secret is wanted',
    code: 'AlgorithmNotAllowed',
    ...bearer,
    map: (text) => text.replace(/algorithms.*\n.*keys.*/, 'algorithms: [HS256]\n  keys: secret'),
  },
  {
    name: 'the key set cannot be reached',
    code: 'KeysUnavailable',
    ...refused,
    map: (text) => text.replace(/keys: .*/, 'keys: { jwks: "http://127.0.0.1:1/jwks" }'),
  },
  {
    name: 'a token that ends before a kept answer',
    code: 'TokenExpired',
    ...bearer,
    ...claims({ exp: now_s(59) }),
    asks: 'paths',
    map: (text) =>
      `${text.replace(/ {2}- field[\s\S]*$/, '')}cache: { ttl_s: 60, identity: [$request.header.Authorization, $context.httpMethod, $context.path, $request.header.X-Tenant, $request.header.X-Note, $context.domainName] }`,
  },

  // The route
  { name: 'an unmapped route', code: 'Unmapped', ...refused, doing: 'unmapped' },
  { name: 'another method', code: 'Unmapped', ...refused, method: 'GET', asks: 'paths' },
  { name: 'a method in lower case', code: 'Unmapped', ...refused, method: 'patch', asks: 'paths' },
  { name: 'a longer path', code: 'Unmapped', ...refused, ...at(`${close('t-1')}/now`) },
  { name: 'a path in another case', code: 'Unmapped', ...refused, ...at(close('t-1').replace('/tenants', '/Tenants')) },
  { name: 'an encoded literal', code: 'Unmapped', ...refused, ...at(close('t-1').replace('/close', '/%63lose')) },
  { name: 'the root', code: 'Unmapped', ...refused, ...at('/') },
  { name: 'no base path', code: 'Unmapped', ...refused, asks: 'paths', map: (text) => text.replace('routes:', 'base_path: /v1\nroutes:') },
  {
    name: 'dots that leave the base path',
    code: 'PathMalformed',
    ...refused,
    ...at(`/v1/..${close('t-1')}`),
    map: (text) => text.replace('routes:', 'base_path: /v1\nroutes:'),
  },
  { name: 'an encoded slash', code: 'PathMalformed', ...refused, ...at(close('t-1%2Fclose')) },
  { name: 'an encoded slash in lower case', code: 'PathMalformed', ...refused, ...at(close('..%2ft-1')) },
  { name: 'an encoded backslash', code: 'PathMalformed', ...refused, ...at(close('t-1%5Cx')) },
  { name: 'a backslash', code: 'PathMalformed', ...refused, ...at(close('t-1\\x')) },
  { name: 'two dots', code: 'PathMalformed', ...refused, ...at(close('..')) },
  { name: 'encoded dots', code: 'PathMalformed', ...refused, ...at(close('%2e%2E')) },
  { name: 'one dot', code: 'PathMalformed', ...refused, ...at(close('.')) },
  { name: 'an empty segment', code: 'PathMalformed', ...refused, ...at(close('')) },
  { name: 'a slash at the end', code: 'PathMalformed', ...refused, ...at(`${close('t-1')}/`) },
  { name: 'a path that is encoded twice', code: 'PathMalformed', ...refused, ...at(close('t%252F1')) },
  { name: 'a control character', code: 'PathMalformed', ...refused, ...at(close('t%001')) },
  { name: 'a line break', code: 'PathMalformed', ...refused, ...at(close('t%0A1')) },
  { name: 'an encoding of nothing', code: 'PathMalformed', ...refused, ...at(close('t%1')) },
  { name: 'an encoding that is no UTF-8', code: 'PathMalformed', ...refused, ...at(close('t%FF')) },
  { name: 'a parameter within a segment', code: 'PathMalformed', ...refused, ...at(close('t-1;v=2')) },
  { name: 'a header that the map needs is missing', code: 'VariableUnbound', ...refused, doing: 'noted' },
  { name: 'a header that the map needs is empty', code: 'VariableUnbound', ...refused, doing: 'noted', headers: [['X-Note', '']] },
  {
    name: 'a header that the map needs stands twice',
    code: 'VariableMalformed',
    ...refused,
    doing: 'noted',
    headers: [
      ['X-Note', 'a'],
      ['X-Note', 'b'],
    ],
  },
  { name: 'a claim that the map needs is missing', code: 'VariableUnbound', ...refused, doing: 'team' },
  { name: 'a claim that the map needs is null', code: 'VariableUnbound', ...refused, doing: 'team', ...claims({ team: null }) },
  {
    name: 'a claim that would be another entity',
    code: 'VariableMalformed',
    ...refused,
    doing: 'team',
    ...claims({ team: { __entity: { type: 'Ticket', id: 't-1' } } }),
  },
  {
    name: 'an attribute that would be another entity',
    code: 'VariableMalformed',
    ...refused,
    doing: 'sized',
    ...claims({ size: { __entity: { type: 'Tenant', id: acme } } }),
  },
  { name: 'a number that is rounded', code: 'VariableMalformed', ...refused, doing: 'sized', ...claims({ size: 2 ** 53 }) },
  { name: 'an attribute that the schema lacks', code: 'PolicyFault', ...refused, doing: 'sized', ...claims({ size: 7 }) },
  { name: 'an oversized context', code: 'ContextTooLarge', ...refused, doing: 'team', ...claims({ team: 't'.repeat(8_200) }) },

  // The query
  { name: 'a query that is none', code: 'QueryMalformed', ...refused, ...asking('mutation {') },
  { name: 'an empty query', code: 'QueryMalformed', ...refused, ...asking('') },
  {
    name: 'one allowed field and one that is denied',
    code: 'Forbidden',
    ...refused,
    ...asking(`mutation { closeTicket(tenant: "${acme}", ticket: "1") { id } closeArchived(tenant: "${acme}", ticket: "2") { id } }`),
  },
  {
    name: 'one allowed field and one that is unmapped',
    code: 'Unmapped',
    ...refused,
    ...asking(`mutation { closeTicket(tenant: "${acme}", ticket: "1") { id } purge }`),
  },
  {
    name: 'an unmapped field behind an alias',
    code: 'Unmapped',
    ...refused,
    ...asking(`mutation { closeTicket: purge(tenant: "${acme}", ticket: "1") { id } }`),
  },
  {
    name: 'an unmapped field within a fragment',
    code: 'Unmapped',
    ...refused,
    ...asking(`mutation { closeTicket(tenant: "${acme}", ticket: "1") { id } ...F } fragment F on Mutation { purge }`),
  },
  {
    name: 'an unmapped field within fragments of fragments',
    code: 'Unmapped',
    ...refused,
    ...asking(`mutation { ...A } fragment A on Mutation { ... on Mutation { ...B } } fragment B on Mutation { purge ...A }`),
  },
  {
    name: 'an unmapped field within an inline fragment',
    code: 'Unmapped',
    ...refused,
    ...asking(`mutation { closeTicket(tenant: "${acme}", ticket: "1") { id } ... on Mutation { purge } }`),
  },
  {
    name: 'an unmapped field within a fragment of no type, which is left out',
    code: 'Unmapped',
    ...refused,
    ...asking(`mutation { closeTicket(tenant: "${acme}", ticket: "1") { id } ... @include(if: false) { purge } }`),
  },
  {
    name: 'an unmapped field that is skipped',
    code: 'Unmapped',
    ...refused,
    ...asking(`mutation { closeTicket(tenant: "${acme}", ticket: "1") { id } purge @skip(if: true) }`),
  },
  {
    name: 'a field of another type',
    code: 'Unmapped',
    ...refused,
    ...asking(`query { closeTicket(tenant: "${acme}", ticket: "1") { id } }`),
  },
  { name: 'introspection', code: 'Unmapped', ...refused, ...asking('{ __schema { types { name } } }') },
  { name: 'a fragment that is not there', code: 'QueryMalformed', ...refused, ...asking('mutation { ...F }') },
  { name: 'several operations and no name', code: 'QueryMalformed', ...refused, ...asking('query A { a } query B { b }') },
  { name: 'the name of no operation', code: 'QueryMalformed', ...refused, ...asking('query A { a }'), operationName: 'B' },
  {
    name: 'two operations of that name',
    code: 'QueryMalformed',
    ...refused,
    ...asking('query A { a } mutation A { purge }'),
    operationName: 'A',
  },
  { name: 'far too many fields', code: 'QueryTooLarge', ...refused, ...asking(`mutation { ${'closeTicket '.repeat(51)} }`) },
  { name: 'far too long a query', code: 'QueryMalformed', ...refused, ...asking(`mutation { ${'closeTicket '.repeat(10_001)} }`) },
  {
    name: 'an argument that is missing',
    code: 'VariableUnbound',
    ...refused,
    ...asking(`mutation { closeTicket(tenant: "${acme}") { id } }`),
  },
  {
    name: 'an argument that is null',
    code: 'VariableUnbound',
    ...refused,
    ...asking(`mutation { closeTicket(tenant: "${acme}", ticket: null) { id } }`),
  },
  {
    name: 'an argument by a variable without a value',
    code: 'VariableUnbound',
    ...refused,
    ...asking(`mutation($t: ID) { closeTicket(tenant: "${acme}", ticket: $t) { id } }`),
  },
  {
    name: 'an argument by a variable that is not declared',
    code: 'VariableUnbound',
    ...refused,
    ...asking(`mutation { closeTicket(tenant: "${acme}", ticket: $t) { id } }`),
    variables: { t: 't-1' },
  },
  {
    name: 'an argument by a variable that every object has',
    code: 'VariableUnbound',
    ...refused,
    ...asking(`mutation($constructor: ID) { closeTicket(tenant: "${acme}", ticket: $constructor) { id } }`),
  },
  {
    name: 'an argument that is an object',
    code: 'VariableMalformed',
    ...refused,
    ...asking(`mutation { closeTicket(tenant: "${acme}", ticket: { id: "t-1" }) { id } }`),
  },
  {
    name: 'an argument given twice',
    code: 'QueryMalformed',
    ...refused,
    ...asking(`mutation { closeTicket(tenant: "${acme}", ticket: "1", ticket: "2") { id } }`),
  },
  {
    name: 'fields of two tenants',
    code: 'TenantDisagrees',
    ...refused,
    ...asking(`mutation { closeTicket(tenant: "${acme}", ticket: "1") { id } b: closeTicket(tenant: "${rival}", ticket: "1") { id } }`),
  },

  // The tenant
  { name: 'no tenant', code: 'TenantMissing', ...refused, ...at('/tickets/t-1/close') },
  { name: 'no tenant among the arguments', code: 'TenantMissing', ...refused, ...asking('mutation { closeTicket(ticket: "t-1") { id } }') },
  { name: 'a tenant that is no id', code: 'TenantMalformed', ...refused, tenant: 'acme' },
  { name: 'a header with another tenant', code: 'TenantDisagrees', ...refused, headers: [['X-Tenant', rival]] },
  { name: 'a claim with another tenant', code: 'TenantDisagrees', ...refused, ...claims({ tenant_id: rival }) },
  { name: 'a host with another tenant', code: 'TenantDisagrees', ...refused, host: `${rival.toLowerCase()}.api.example.org` },
  {
    name: 'a header with two tenants',
    code: ['TenantDisagrees', 'TenantMalformed'],
    ...refused,
    headers: [
      ['X-Tenant', acme],
      ['X-Tenant', rival],
    ],
  },
  { name: 'an empty header for the tenant', code: 'TenantMalformed', ...refused, headers: [['X-Tenant', '']] },
  { name: 'a claim with a list of tenants', code: 'TenantMalformed', ...refused, ...claims({ tenant_id: [acme] }) },
  { name: 'a host with a tenant that is no id', code: 'TenantMalformed', ...refused, host: 'www.api.example.org' },
  { name: 'a tenant with space around it', code: 'TenantMalformed', ...refused, tenant: `${acme}%20` },

  // The decision
  { name: 'an unknown user', code: 'UnknownUser', ...refused, user: users.nobody },
  { name: 'an unknown tenant', code: 'UnknownTenant', ...refused, tenant: nowhere },
  { name: 'no grant', code: 'NoGrant', ...refused, user: users.sam },
  { name: 'a grant without roles', code: 'NotPermitted', ...refused, user: users.mia },
  { name: 'a suspended tenant', code: 'TenantNotActive', ...refused, tenant: asleep },
  { name: 'a deleted role', code: 'NotPermitted', ...refused, tenant: rival },
  { name: 'a malformed user', code: 'MalformedItem', ...refused, user: users.broken },
  { name: 'a user that is being deleted', code: 'BeingDeleted', ...refused, user: users.deleting },
  { name: 'a guardrail', code: 'Forbidden', ...refused, doing: 'archived' },
  { name: 'an error of the storage', code: 'StorageFault', ...refused, decider: 'storage' },
  { name: 'an error of the engine', code: 'PolicyFault', ...refused, decider: 'engine' },
  { name: 'a decider that throws', code: 'AuthorizerFault', ...refused, decider: 'throws' },
  { name: 'a denial without a reason', code: 'AuthorizerFault', ...refused, decider: 'no reason' },
  { name: 'an answer that is no decision', code: 'AuthorizerFault', ...refused, decider: 'not a decision' },
  { name: 'roles that no answer can hold', code: 'AnswerTooLarge', ...refused, decider: 'many roles' },
  { name: 'a log that takes nothing', code: [], ...refused, log: 'throws' },
]
