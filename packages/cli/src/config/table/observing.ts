import type { SettingTable } from '../setting.ts'

/** What operators see of a server beside its log. */
export const observing = {
  metricsPort: {
    kind: 'number',
    least: 0,
    most: 65_535,
    of: 'serve',
    isCommon: true,
    says: 'port of /metrics, for Prometheus; 0 takes a free one; none unless given',
  },
  metricsHost: { kind: 'text', default: '127.0.0.1', takes: 'address', of: 'serve', says: 'address of the port of /metrics' },
} as const satisfies SettingTable
