import type { SettingTable } from '../setting.ts'

const day_ms = 86_400_000

/** The server: its address, and the patience that it has with connections. */
export const serving = {
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
    says: 'file of issuers of tokens, by which users call for themselves',
  },
  publicUrl: {
    isTrusted: true,
    kind: 'text',
    takes: 'url',
    of: 'serve',
    isCommon: true,
    says: 'https address by which callers reach it, for the metadata of AuthZEN',
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
} as const satisfies SettingTable
