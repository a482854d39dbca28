import type { SettingTable } from '../setting.ts'

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
} as const satisfies SettingTable
