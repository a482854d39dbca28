import type { SettingTable } from '../setting.ts'

const day_ms = 86_400_000

/** The service that commands ask in place of a table. */
export const service = {
  url: {
    kind: 'text',
    takes: 'address',
    of: 'service',
    isCommon: true,
    // An API key of the environment goes there.
    isOutsideFile: true,
    says: 'ask the service at this address instead of a table; not set by the file of settings',
  },
  apiKey: { kind: 'text', isSecret: true, of: 'service', says: 'the API key by which commands ask a service' },
  serviceMs: {
    kind: 'number',
    unit: 'ms',
    least: 1,
    most: day_ms,
    default: 60_000,
    of: 'service',
    says: 'how long a command asks a service again that is busy: a request with its repeats',
  },
  serviceAttemptsMax: {
    kind: 'number',
    unit: 'requests',
    least: 1,
    most: 10_000,
    default: 60,
    of: 'service',
    says: 'the most requests of one call to a service',
  },
  serviceUnreachedMax: {
    kind: 'number',
    unit: 'requests',
    least: 1,
    most: 10_000,
    default: 4,
    of: 'service',
    says: 'the most requests of one call that no service answers',
  },
} as const satisfies SettingTable
