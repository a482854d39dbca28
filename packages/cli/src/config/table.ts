import type { SettingTable } from './setting.ts'

const day_ms = 86_400_000

/** The server: where it listens, whom it believes, and what it remembers. */
const serving = {
  designs: {
    kind: 'list',
    of: 'serve',
    isCommon: true,
    option: 'design',
    says: 'serve only these designs; at AWS their tables must exist',
  },
  port: {
    kind: 'number',
    least: 0,
    most: 65_535,
    default: 3000,
    of: 'serve',
    isCommon: true,
    says: 'port to listen on; 0 takes a free one',
  },
  host: {
    isTrusted: true,
    kind: 'text',
    default: '127.0.0.1',
    takes: 'address',
    of: 'serve',
    isCommon: true,
    says: 'address to listen on',
  },
  workers: {
    kind: 'number',
    least: 1,
    most: 256,
    default: 1,
    of: 'serve',
    isCommon: true,
    says: 'processes that answer requests, each on a core',
  },
  trustedProxies: {
    isTrusted: true,
    kind: 'number',
    least: 0,
    // No network has more proxies in a row.
    most: 100,
    default: 0,
    of: 'serve',
    isCommon: true,
    says: 'proxies in front that add to X-Forwarded-For; with 0 the header is ignored',
  },
  issuers: {
    isTrusted: true,
    kind: 'path',
    takes: 'file',
    of: 'serve',
    isCommon: true,
    says: 'file of issuers of tokens, by which users call for themselves and sign in to the console',
  },
  publicUrl: {
    isTrusted: true,
    kind: 'text',
    takes: 'url',
    of: 'serve',
    isCommon: true,
    says: 'https address by which callers reach it, for the metadata of AuthZEN, the links of mails and signing in',
  },
  dataKeys: {
    isTrusted: true,
    kind: 'path',
    takes: 'file',
    of: 'serve',
    isCommon: true,
    says: 'file of data keys, by which people sign in at /sign-in; freehold keys rotate makes it',
  },
  authzenTenant: {
    isTrusted: true,
    kind: 'text',
    takes: 'tenant',
    of: 'serve',
    isCommon: true,
    says: 'tenant of an AuthZEN request that names none',
  },
  logLevel: {
    // `silent` would hide who was refused.
    isTrusted: true,
    kind: 'choice',
    takes: 'level',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    of: 'serve',
    isCommon: true,
    says: 'the least level of lines that are logged',
  },
  graceMs: {
    kind: 'number',
    unit: 'ms',
    least: 0,
    most: day_ms,
    default: 10_000,
    of: 'serve',
    says: 'how long requests under way may take when the server ends; those left are cut off',
  },
  definitionAgeMs: {
    isTrusted: true,
    kind: 'number',
    unit: 'ms',
    least: 0,
    most: day_ms,
    default: 5_000,
    of: 'serve',
    says: 'how old a remembered role, page or group may be in a decision that is bounded; with 0 each is read',
  },
} as const satisfies SettingTable

/** How much a server does at once, and of one request. */
const limits = {
  runningMax: {
    kind: 'number',
    unit: 'requests',
    least: 1,
    most: 10_000,
    default: 64,
    of: 'serve',
    says: 'the most requests that run at once, in each worker; eight times as many wait for a place, and the next get 503',
  },
  bodyBytesMax: {
    kind: 'number',
    unit: 'bytes',
    least: 256,
    most: 16_777_216,
    default: 1_048_576,
    of: 'serve',
    says: 'the largest body of a request',
  },
} as const satisfies SettingTable

/** What operators see of a server beside its log. */
const observing = {
  metricsPort: {
    // It is read without a key by all who reach it.
    isTrusted: true,
    kind: 'number',
    least: 0,
    most: 65_535,
    of: 'serve',
    isCommon: true,
    says: 'port of /metrics, for Prometheus; 0 takes a free one; none unless given',
  },
  metricsHost: {
    isTrusted: true,
    kind: 'text',
    default: '127.0.0.1',
    takes: 'address',
    of: 'serve',
    says: 'address of the port of /metrics',
  },
  decisionLog: {
    isTrusted: true,
    kind: 'path',
    takes: 'file',
    of: 'serve',
    isCommon: true,
    says: 'file of the decision log; - is stdout; none unless given',
  },
  decisionLogOf: {
    isTrusted: true,
    kind: 'choice',
    choices: ['all', 'denials', 'sample'],
    default: 'all',
    of: 'serve',
    says: 'the questions that the decision log has',
  },
  decisionLogEvidence: {
    isTrusted: true,
    kind: 'flag',
    default: false,
    of: 'serve',
    says: 'ask why after each logged can, for the evidence of its line',
  },
} as const satisfies SettingTable

/** Tables of any command. */
const tables = {
  data: {
    // A folder that somebody else wrote must not decide which data a command reads and changes.
    isTrusted: true,
    kind: 'path',
    default: '.freehold',
    of: 'engine',
    isCommon: true,
    says: "the embedded engine's data folder",
  },
  without: {
    isTrusted: true,
    kind: 'list',
    of: 'table',
    // All commands must use the same design: otherwise one would report the items of another as malformed.
    option: false,
    says: 'features that designs leave out, DESIGN:FEATURE,FEATURE each',
  },
  jobWriteUnits: {
    kind: 'number',
    unit: 'write units a second',
    least: 1,
    most: 1_000_000,
    of: 'table',
    says: 'what all durable jobs of a process may write to a table; unbounded if it is not set',
  },
} as const satisfies SettingTable

/** Mails of designs. How they are sent is a secret: it may hold a password. */
const mails = {
  mailFrom: { isTrusted: true, kind: 'text', of: 'table', says: 'the sender of mails, an address or a mailbox with its name' },
  credentialLink: {
    isTrusted: true,
    kind: 'text',
    of: 'table',
    says: 'the link in a mail of credentials, with {userId}, {accountId} and {email} in it',
  },
} as const satisfies SettingTable

/** The service that commands ask in place of a table. */
const service = {
  url: {
    kind: 'text',
    takes: 'address',
    of: 'service',
    isCommon: true,
    // An API key of the environment goes there.
    isOutsideFile: true,
    says: 'ask the service at this address instead of a table; not set by the file of settings',
  },
} as const satisfies SettingTable

/** Secrets. They come from their variables alone. */
const secrets = {
  secret: { kind: 'text', isSecret: true, of: 'table', says: 'seals cursors; at least 16 characters' },
  mail: { kind: 'text', isSecret: true, of: 'table', says: 'how mails go out: an smtps or smtp URL, ses:, ses:REGION or outbox' },
  tokenSecret: { kind: 'text', isSecret: true, of: 'table', says: 'the secret of tokens, for `freehold authorizer`' },
  apiKey: { kind: 'text', isSecret: true, of: 'service', says: 'the API key by which commands ask a service' },
} as const satisfies SettingTable

/** The groups of settings, by their titles. */
export const groups = {
  Serving: serving,
  'Limits of requests': limits,
  Observing: observing,
  Tables: tables,
  Mails: mails,
  'Asking a service': service,
  Secrets: secrets,
} as const satisfies Readonly<Record<string, SettingTable>>

/** Every setting by its name. A test holds that no two groups share one. */
export const settingTable = {
  ...serving,
  ...limits,
  ...observing,
  ...tables,
  ...mails,
  ...service,
  ...secrets,
} as const satisfies SettingTable
